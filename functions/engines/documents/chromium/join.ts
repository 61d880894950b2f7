import { readFile, rm, writeFile } from "node:fs/promises";
import {
  ParseSpeeds,
  PDFArray,
  PDFDict,
  PDFDocument,
  type PDFFont,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFPage,
  PDFRef,
  PDFString,
  rgb,
  StandardFonts,
} from "@cantoo/pdf-lib";
import type { Options } from "../../../domain/conversions/options.ts";
import { chosenPages } from "../../../domain/conversions/page-ranges.ts";
import { addBookmarks, type Bookmark, bookmarksOf, type PlaceOf } from "./bookmarks.ts";
import { decoded, OTHER_GROUP_URL } from "./groups.ts";

/** A printed group of chapters: its path and number of pages. */
export interface PrintedGroup {
  readonly path: string;
  readonly pages: number;
}

/**
 * Joins the printed groups of a book: pages, bookmarks, and links within and between groups. The tags for screen readers
 * are dropped. The groups' files are deleted.
 */
export const joinGroups = async (groups: readonly PrintedGroup[], output: string, options: Options): Promise<void> => {
  const joined = await PDFDocument.create({ updateMetadata: false });
  const total = groups.reduce((sum, { pages }) => sum + pages, 0);
  const chosen = new Set(chosenPages(options.pages, total));
  const places = joined.context.obj({});
  const bookmarks: Bookmark[] = [];
  let before = 0;
  for (const { path, pages } of groups) {
    const source = await PDFDocument.load(await readFile(path), {
      updateMetadata: false,
      parseSpeed: ParseSpeeds.Fastest,
    });
    const numbers = source.getPageIndices().filter((index) => chosen.has(before + index + 1));
    const copies = await copyPages(joined, source, numbers);
    const place = placesIn(joined, source, new Map(numbers.map((number, index) => [number, copies[index]?.ref])));
    for (const [name, value] of source.catalog.lookupMaybe(DESTS, PDFDict)?.entries() ?? []) {
      const target = place(source.context.lookup(value));
      if (target !== undefined) {
        places.set(name, target);
      }
    }
    bookmarks.push(...bookmarksOf(source, place));
    if (before === 0) {
      copyFacts(source, joined);
    }
    before += pages;
    await rm(path);
  }
  joined.catalog.set(DESTS, places);
  addBookmarks(joined, bookmarks);
  const known = new Map(places.keys().map((name) => [decoded(name.decodeText()), name]));
  for (const page of joined.getPages()) {
    repairLinks(page, known);
  }
  if (options.page_numbers === true) {
    await addNumbers(joined, [...chosen], { total, margin: options.page_margin ?? MARGIN_MILLIMETERS });
  }
  await writeFile(output, await joined.save({ addDefaultPage: false }), { flag: "wx" });
};

const [DESTS, A, S, URI, DEST] = ["Dests", "A", "S", "URI", "Dest"].map((name) => PDFName.of(name)) as [
  PDFName,
  PDFName,
  PDFName,
  PDFName,
  PDFName,
];

const copyPages = async (
  joined: PDFDocument,
  source: PDFDocument,
  numbers: readonly number[],
): Promise<readonly PDFPage[]> => {
  const copies = await joined.copyPages(source, [...numbers]);
  return copies.map((page) => {
    page.node.delete(PDFName.of("StructParents"));
    return joined.addPage(page);
  });
};

/** @returns a function that translates destinations of a group; undefined for pages that were not chosen */
const placesIn = (
  { context }: PDFDocument,
  source: PDFDocument,
  copies: ReadonlyMap<number, PDFRef | undefined>,
): PlaceOf => {
  const numbers = new Map(source.getPages().map(({ ref }, index) => [ref.toString(), index]));
  return (destination) => {
    if (!(destination instanceof PDFArray)) {
      return undefined;
    }
    const [page, ...rest] = destination.asArray();
    const copy = copies.get(numbers.get(String(page)) ?? -1);
    if (!(page instanceof PDFRef) || copy === undefined) {
      return undefined;
    }
    const place = PDFArray.withContext(context);
    for (const item of [copy, ...rest.filter((each) => each instanceof PDFName || each instanceof PDFNumber)]) {
      place.push(item);
    }
    return place;
  };
};

/** Title, author and language. */
const copyFacts = (source: PDFDocument, joined: PDFDocument): void => {
  joined.setTitle(source.getTitle() ?? "");
  joined.setCreator(source.getCreator() ?? "");
  joined.setProducer(source.getProducer() ?? "");
  const lang = source.catalog.lookup(PDFName.of("Lang"));
  if (lang instanceof PDFString || lang instanceof PDFHexString) {
    joined.catalog.set(PDFName.of("Lang"), lang);
  }
};

/** Leads links between groups to their destination, and removes those whose page was not chosen. */
const repairLinks = (page: PDFPage, known: ReadonlyMap<string, PDFName>): void => {
  for (const annotation of page.node.Annots()?.asArray() ?? []) {
    const link = page.doc.context.lookup(annotation);
    if (!(link instanceof PDFDict)) {
      continue;
    }
    link.delete(PDFName.of("StructParent"));
    const address = addressOf(link);
    if (address?.startsWith(OTHER_GROUP_URL) !== true) {
      continue;
    }
    const name = known.get(decoded(address.slice(OTHER_GROUP_URL.length + 1)));
    link.delete(A);
    if (name !== undefined) {
      link.set(DEST, name);
    }
  }
};

const addressOf = (link: PDFDict): string | undefined => {
  const action = link.lookup(A);
  const address = action instanceof PDFDict && action.lookup(S) === URI ? action.lookup(URI) : undefined;
  return address instanceof PDFString || address instanceof PDFHexString ? address.decodeText() : undefined;
};

const MARGIN_MILLIMETERS = 20;
const POINTS_PER_MILLIMETER = 72 / 25.4;
const NUMBER_POINTS = 9;

interface Numbering {
  readonly total: number;
  /** Of the page, in millimeters. */
  readonly margin: number;
}

/** Writes the page numbers: the browser would begin again with each group. */
const addNumbers = async (
  joined: PDFDocument,
  numbers: readonly number[],
  { total, margin }: Numbering,
): Promise<void> => {
  const font: PDFFont = await joined.embedFont(StandardFonts.Helvetica);
  const gray = rgb(1 / 3, 1 / 3, 1 / 3);
  for (const [index, page] of joined.getPages().entries()) {
    const text = `${numbers.toSorted((a, b) => a - b)[index]} / ${total}`;
    const x = (page.getWidth() - font.widthOfTextAtSize(text, NUMBER_POINTS)) / 2;
    page.drawText(text, { x, y: (margin * POINTS_PER_MILLIMETER) / 2, size: NUMBER_POINTS, font, color: gray });
  }
};
