import type { Block, PageBlocks, PlacedBlock } from "../layout/blocks.ts";
import { blocksOf } from "../layout/flow.ts";
import { type Grid, gridsOf, tableIn } from "../layout/grids.ts";
import { joinParted } from "../layout/joining.ts";
import { linesOf } from "../layout/lines.ts";
import type { Piece } from "../layout/pieces.ts";
import { regionsOf } from "../layout/regions.ts";
import { runningPieces } from "../layout/running.ts";
import { type Style, styleOf } from "../layout/style.ts";
import { flattenAnnotations } from "./annotations.ts";
import { charsOf } from "./chars.ts";
import { type PdfDocument, type PdfPage, withPage } from "./document.ts";
import { piecesOf } from "./gather.ts";
import { type Box, placingOf } from "./geometry.ts";
import { type LinkArea, linksOf } from "./links.ts";
import { objectsOf } from "./objects.ts";
import { type PictureArea, pictureAreas } from "./picture-areas.ts";
import { rulesOf } from "./rules.ts";

/** The text of a page with positions. */
export interface PageText {
  readonly number: number;
  /** Points. */
  readonly width: number;
  readonly height: number;
  /** Upright text, and pictures within it. */
  readonly pieces: readonly Piece[];
  /** Rotated text, in PDF order. */
  readonly turned: readonly Piece[];
  readonly pictures: readonly PictureArea[];
  readonly grids: readonly Grid[];
  /** Whether most of it reads from right to left. */
  readonly rtl: boolean;
}

/** The extracted text of a document. */
export interface DocumentText {
  readonly pages: readonly PageText[];
  readonly style: Style;
  readonly running: ReadonlySet<Piece>;
  /** Unreadable pages. */
  readonly missing: readonly number[];
  /** Whether there are any letters: scanned pages have none. */
  readonly empty: boolean;
}

/** Reads the text of pages. @param progress called with the share of pages read so far */
export const readDocument = async (
  document: PdfDocument,
  numbers: readonly number[],
  progress: (share: number) => void,
): Promise<DocumentText> => {
  const pages: PageText[] = [];
  const missing: number[] = [];
  for (const number of numbers) {
    const page = await readNumber(document, number);
    page === undefined ? missing.push(number) : pages.push(page);
    progress((pages.length + missing.length) / numbers.length);
  }
  const empty = pages.every(({ pieces, turned }) => ![...pieces, ...turned].some(({ text }) => text !== ""));
  return { pages, missing, empty, style: styleOf(pages), running: runningPieces(pages) };
};

const readNumber = async (document: PdfDocument, number: number): Promise<PageText | undefined> => {
  const first = await withPage(document, number, (page) => {
    const links = linksOf(page, placingOf(page));
    return flattenAnnotations(page) ? { links } : { links, text: readPage(page, links) };
  });
  return first === undefined || first.text !== undefined
    ? first?.text
    : withPage(document, number, (page) => readPage(page, first.links));
};

const readPage = (page: PdfPage, links: readonly LinkArea[]): PageText => {
  const { number, width, height } = page;
  const placing = placingOf(page);
  const chars = charsOf(page, placing);
  const objects = objectsOf(page);
  const rules = rulesOf(page, objects, placing);
  const texts = piecesOf(
    chars.filter(({ upright }) => upright),
    { links, rules },
  );
  const turned = piecesOf(
    chars.filter(({ upright, text }) => !upright || text === " " || text === "\n"),
    { links, rules: [] },
  );
  const letters = (rtl: boolean) => texts.reduce((sum, piece) => sum + (piece.rtl === rtl ? piece.text.length : 0), 0);
  const pictures = pictureAreas(page, objects, placing);
  return {
    number,
    width,
    height,
    pieces: texts,
    turned,
    pictures,
    grids: gridsOf(rules),
    rtl: letters(true) > letters(false),
  };
};

/** Minimum share of a page covered by a background picture: a scan under recognized text. */
const BACKGROUND_SHARE = 0.6;

/** @returns the pictures of a page, except those only in the background of text */
export const foreground = ({ pieces, pictures, width, height }: PageText): readonly PictureArea[] =>
  pieces.length === 0
    ? pictures
    : pictures.filter(
        ({ left, top, right, bottom }) => (right - left) * (bottom - top) < BACKGROUND_SHARE * width * height,
      );

/** @returns the blocks of a page in reading order, without the `running` pieces */
export const pageBlocks = (page: PageText, known: Pick<DocumentText, "style" | "running">): PageBlocks => {
  const turned = page.turned.map<Block>(({ runs }) => ({ kind: "paragraph", runs }));
  return { number: page.number, blocks: [...joinParted(placedBlocks(page, known)), ...turned] };
};

/** @returns the blocks of a page with their lines, without rotated text */
export const placedBlocks = (
  page: PageText,
  { style, running }: Pick<DocumentText, "style" | "running">,
): PlacedBlock[] => {
  const pieces = page.pieces.filter((piece) => !running.has(piece));
  const pictures = foreground(page).map((area) => standIn(area, { picture: page.pictures.indexOf(area) }));
  const tables = page.grids.flatMap((grid) => tableIn(grid, pieces) ?? []);
  const ruled = new Set(tables.flatMap((found) => found.pieces));
  const regions = regionsOf(
    [
      ...pieces.filter((piece) => !ruled.has(piece)),
      ...tables.map(({ box, table }) => standIn(box, { table })),
      ...pictures,
    ],
    page.rtl,
  );
  return regions.flatMap((region) => blocksOf(linesOf(region), style));
};

/** @returns a piece that represents a picture or a table */
const standIn = ({ left, top, right, bottom }: Box, what: Pick<Piece, "picture" | "table">): Piece => ({
  ...{ left, top, right, bottom, ...what },
  ...{ text: "", runs: [], size: 0, rtl: false, baseline: bottom },
});
