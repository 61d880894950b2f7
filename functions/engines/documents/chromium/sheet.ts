import type { Options } from "../../../domain/conversions/options.ts";

/** The page setup, as CSS. */

/** CSS names of the page sizes (CSS Paged Media 3, 7.1), and their millimeters in portrait orientation. */
const SIZES = {
  auto: ["A4", 210, 297],
  a3: ["A3", 297, 420],
  a4: ["A4", 210, 297],
  a5: ["A5", 148, 210],
  letter: ["letter", 215.9, 279.4],
  legal: ["legal", 215.9, 355.6],
} as const;

const PIXELS_PER_MILLIMETER = 96 / 25.4;

/** Default page margin of documents. */
export const MARGIN_MILLIMETERS = 20;

/** Number of table columns from which the page is landscape by default. */
const WIDE_COLUMNS = 9;

/** @returns the page rules for a document without any; the document's styles follow and take precedence */
export const defaultSheet = (wide: boolean): string =>
  `@page { size: A4 ${wide ? "landscape" : "portrait"}; margin: ${MARGIN_MILLIMETERS}mm; }`;

/** @returns whether the document's widest table needs a landscape page */
export const isWide = ({ styled, columns }: { readonly styled: boolean; readonly columns: number }): boolean =>
  !styled && columns >= WIDE_COLUMNS;

/** @returns the page rules from the request, which override the document's; empty if none are requested */
export const requestedSheet = (options: Options, wide: boolean): string => {
  const { page_size, page_orientation, page_margin, page_numbers } = options;
  const declarations = [
    ...(isRequested(page_size) || isRequested(page_orientation)
      ? [`size: ${SIZES[page_size ?? "auto"][0]} ${directionOf(page_orientation, wide)} !important;`]
      : []),
    ...(page_margin === undefined ? [] : [`margin: ${page_margin}mm !important;`]),
    ...(page_numbers === true ? [NUMBERS] : []),
  ];
  return declarations.length === 0 ? "" : `@page { ${declarations.join(" ")} }`;
};

/** @returns CSS pixels between the margins, if the document has no page rules */
export const lineWidth = ({ page_size, page_orientation, page_margin }: Options, wide: boolean): number => {
  const [, short, long] = SIZES[page_size ?? "auto"];
  const side = directionOf(page_orientation, wide) === "landscape" ? long : short;
  return Math.max(1, Math.floor((side - 2 * (page_margin ?? MARGIN_MILLIMETERS)) * PIXELS_PER_MILLIMETER));
};

/** @returns width and height of the requested page in millimeters, A4 by default */
export const pageMillimeters = ({ page_size, page_orientation }: Options): readonly [number, number] => {
  const [, short, long] = SIZES[page_size ?? "auto"];
  return page_orientation === "landscape" ? [long, short] : [short, long];
};

const isRequested = (value: string | undefined): boolean => value !== undefined && value !== "auto";

const directionOf = (requested: Options["page_orientation"], wide: boolean): string =>
  requested === "landscape" || (requested !== "portrait" && wide) ? "landscape" : "portrait";

const NUMBERS =
  '@bottom-center { content: counter(page) " / " counter(pages) !important; font: 9pt "Noto Sans", "DejaVu Sans", sans-serif; color: #555; }';

/** Maximum page side in CSS pixels that PDF viewers display: 14,400 points (ISO 32000-1, annex C.2). */
const SIDE_PIXELS_MAX = 14_400 / 0.75;

interface Sides {
  readonly width: number;
  readonly height: number;
}

/** @returns the page rules for a drawing: its size plus the margin, or the requested size with the drawing centered */
export const drawingSheet = (drawing: Sides, options: Options): string => {
  const margin = (options.page_margin ?? 0) * PIXELS_PER_MILLIMETER;
  const page = drawingPage(drawing, options, margin);
  return [
    `@page { size: ${page.width}px ${page.height}px; margin: 0; }`,
    "html, body { margin: 0; height: 100%; overflow: hidden; }",
    `img { position: fixed; inset: ${Math.min(margin, page.width / 2.1, page.height / 2.1)}px; object-fit: contain; }`,
    `img { width: calc(100% - ${2 * margin}px); height: calc(100% - ${2 * margin}px); }`,
  ].join(" ");
};

const drawingPage = ({ width, height }: Sides, options: Options, margin: number): Sides => {
  const { page_size: size = "auto", page_orientation: direction = "auto" } = options;
  if (size === "auto") {
    const [across, down] = [width + 2 * margin, height + 2 * margin];
    const scale = Math.min(1, SIDE_PIXELS_MAX / Math.max(across, down));
    return { width: across * scale, height: down * scale };
  }
  const [short, long] = SIZES[size].slice(1).map((side) => Number(side) * PIXELS_PER_MILLIMETER);
  const [across = 1, down = 1] = directionOf(direction, width > height) === "landscape" ? [long, short] : [short, long];
  return { width: across, height: down };
};
