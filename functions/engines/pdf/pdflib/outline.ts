import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";

/** A bookmark: its page, starting at 1, and its level, 1 for the outermost. */
export interface Bookmark {
  readonly title: string;
  /** Null for a bookmark without a page, such as a web link. */
  readonly page: number | null;
  readonly level: number;
}

/** Files can have more, or refer to themselves. */
const BOOKMARKS_MAX = 10_000;
const LEVELS_MAX = 32;

const name = (text: string): PDFName => PDFName.of(text);

/** @returns the bookmarks of a document, in order, at most 10,000 */
export const readBookmarks = (document: PDFDocument): Bookmark[] => {
  const found: Bookmark[] = [];
  const seen = new Set<PDFObject>();
  const pages = new Map(document.getPages().map(({ ref }, index) => [ref, index + 1]));
  const names = namedDestinations(document);
  const visit = (parent: PDFDict, level: number): void => {
    let item = parent.lookup(name("First"));
    while (item instanceof PDFDict && !seen.has(item) && found.length < BOOKMARKS_MAX) {
      seen.add(item);
      const title = textOf(item.lookup(name("Title"))) ?? "";
      found.push({ title, page: pageOf(item, { pages, names }), level });
      if (level < LEVELS_MAX) {
        visit(item, level + 1);
      }
      item = item.lookup(name("Next"));
    }
  };
  const outlines = document.catalog.lookup(name("Outlines"));
  if (outlines instanceof PDFDict) {
    visit(outlines, 1);
  }
  return found;
};

const textOf = (value: unknown): string | undefined =>
  value instanceof PDFString || value instanceof PDFHexString
    ? value.decodeText()
    : value instanceof PDFName
      ? value.decodeText()
      : undefined;

interface Places {
  readonly pages: ReadonlyMap<PDFRef, number>;
  readonly names: ReadonlyMap<string, PDFObject>;
}

/** A destination, or an action that leads to one (ISO 32000-2, 12.3.2, 12.6.4.2). */
const pageOf = (item: PDFDict, { pages, names }: Places): number | null => {
  const action = item.lookup(name("A"));
  const target = item.lookup(name("Dest")) ?? (action instanceof PDFDict ? action.lookup(name("D")) : undefined);
  const named = names.get(textOf(target) ?? "");
  const place = named instanceof PDFDict ? named.lookup(name("D")) : (named ?? target);
  const page = place instanceof PDFArray && place.size() > 0 ? place.get(0) : undefined;
  return (page instanceof PDFRef ? pages.get(page) : undefined) ?? null;
};

/** @returns the destinations of the name tree, or of the dictionary that was used before (7.7.4, 7.9.6) */
const namedDestinations = ({ catalog }: PDFDocument): ReadonlyMap<string, PDFObject> => {
  const found = new Map<string, PDFObject>();
  const visit = (node: unknown, depth: number): void => {
    if (!(node instanceof PDFDict) || depth > LEVELS_MAX) {
      return;
    }
    const [leaves, kids] = [node.lookup(name("Names")), node.lookup(name("Kids"))];
    for (let index = 0; leaves instanceof PDFArray && index + 1 < leaves.size(); index += 2) {
      const [key, value] = [textOf(leaves.lookup(index)), leaves.lookup(index + 1)];
      if (key !== undefined && value !== undefined) {
        found.set(key, value);
      }
    }
    for (let index = 0; kids instanceof PDFArray && index < kids.size(); index += 1) {
      visit(kids.lookup(index), depth + 1);
    }
  };
  const old = catalog.lookup(name("Dests"));
  for (const [key] of old instanceof PDFDict ? old.entries() : []) {
    const value = old instanceof PDFDict ? old.lookup(key) : undefined;
    if (value !== undefined) {
      found.set(key.decodeText(), value);
    }
  }
  const trees = catalog.lookup(name("Names"));
  visit(trees instanceof PDFDict ? trees.lookup(name("Dests")) : undefined, 0);
  return found;
};
