import {
  type PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";

/** @returns the place in the joined document that a destination of a group becomes; undefined if its page is missing */
export type PlaceOf = (destination: PDFObject | undefined) => PDFArray | undefined;

/** A bookmark of a PDF (ISO 32000-1, 12.3.3). */
export interface Bookmark {
  readonly title: string;
  readonly place: PDFArray | undefined;
  readonly children: readonly Bookmark[];
}

/** A book has a few hundred; a chain of bookmarks in a file could be circular. */
const BOOKMARKS_MAX = 20_000;
const DEPTH_MAX = 20;

/** @returns the bookmarks of a document; those whose page was not chosen and that have no children are left out */
export const bookmarksOf = (source: PDFDocument, place: PlaceOf): Bookmark[] => {
  let left = BOOKMARKS_MAX;
  const below = (parent: PDFDict, depth: number): Bookmark[] => {
    const found: Bookmark[] = [];
    let item = parent.lookup(PDFName.of("First"));
    while (item instanceof PDFDict && left > 0 && depth < DEPTH_MAX) {
      left -= 1;
      const title = item.lookup(PDFName.of("Title"));
      const target = place(item.lookup(PDFName.of("Dest")));
      const children = below(item, depth + 1);
      if ((title instanceof PDFString || title instanceof PDFHexString) && (target ?? children[0]) !== undefined) {
        found.push({ title: title.decodeText(), place: target, children });
      }
      item = item.lookup(PDFName.of("Next"));
    }
    return found;
  };
  const root = source.catalog.lookup(PDFName.of("Outlines"));
  return root instanceof PDFDict ? below(root, 0) : [];
};

/** Writes the bookmarks of a document that has none. */
export const addBookmarks = (document: PDFDocument, bookmarks: readonly Bookmark[]): void => {
  if (bookmarks.length > 0) {
    const root = document.context.obj({});
    const ref = document.context.register(root);
    addChildren(root, ref, bookmarks);
    document.catalog.set(PDFName.of("Outlines"), ref);
  }
};

const addChildren = (parent: PDFDict, parentRef: PDFRef, bookmarks: readonly Bookmark[]): void => {
  const { context } = parent;
  const items = bookmarks.map((bookmark) => {
    const item = context.obj({ Parent: parentRef });
    item.set(PDFName.of("Title"), PDFHexString.fromText(bookmark.title));
    if (bookmark.place !== undefined) {
      item.set(PDFName.of("Dest"), bookmark.place);
    }
    return { item, ref: context.register(item), children: bookmark.children };
  });
  for (const [index, { item, ref, children }] of items.entries()) {
    for (const [name, neighbor] of [
      ["Prev", items[index - 1]],
      ["Next", items[index + 1]],
    ] as const) {
      if (neighbor !== undefined) {
        item.set(PDFName.of(name), neighbor.ref);
      }
    }
    if (children.length > 0) {
      addChildren(item, ref, children);
    }
  }
  const [first, last] = [items[0], items.at(-1)];
  if (first !== undefined && last !== undefined) {
    parent.set(PDFName.of("First"), first.ref);
    parent.set(PDFName.of("Last"), last.ref);
    parent.set(PDFName.of("Count"), PDFNumber.of(items.length));
  }
};
