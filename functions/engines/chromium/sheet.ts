import type { Options } from "../../domain/options.ts";

/** The sheet of paper, as CSS says it. */

/** What CSS calls the sizes (CSS Paged Media 3, 7.1), and their millimetres, upright. */
const SIZES = {
  auto: ["A4", 210, 297],
  a3: ["A3", 297, 420],
  a4: ["A4", 210, 297],
  a5: ["A5", 148, 210],
  letter: ["letter", 215.9, 279.4],
  legal: ["legal", 215.9, 355.6],
} as const;

const PIXELS_PER_MILLIMETRE = 96 / 25.4;

const MARGIN_MILLIMETRES = 20;

/** Columns of a table from which on the page lies on its side, where nothing else is asked for. */
const WIDE_COLUMNS = 9;

/** @returns the sheet for a document that names none: its own style comes behind this one */
export const ownSheet = (wide: boolean): string =>
  `@page { size: A4 ${wide ? "landscape" : "portrait"}; margin: ${MARGIN_MILLIMETRES}mm; }`;

/** @returns whether the widest table of the document wants a page on its side */
export const isWide = ({ looks, columns }: { readonly looks: boolean; readonly columns: number }): boolean =>
  !looks && columns >= WIDE_COLUMNS;

/** @returns the sheet that the client asks for, which is stronger than the document's own; empty when it asks for none */
export const askedSheet = (options: Options, wide: boolean): string => {
  const { page_size, page_orientation, page_margin, page_numbers } = options;
  const declarations = [
    ...(isAsked(page_size) || isAsked(page_orientation)
      ? [`size: ${SIZES[page_size ?? "auto"][0]} ${directionOf(page_orientation, wide)} !important;`]
      : []),
    ...(page_margin === undefined ? [] : [`margin: ${page_margin}mm !important;`]),
    ...(page_numbers === true ? [NUMBERS] : []),
  ];
  return declarations.length === 0 ? "" : `@page { ${declarations.join(" ")} }`;
};

/** @returns CSS pixels from one margin to the other, where the document does not describe its pages */
export const lineWidth = ({ page_size, page_orientation, page_margin }: Options, wide: boolean): number => {
  const [, short, long] = SIZES[page_size ?? "auto"];
  const side = directionOf(page_orientation, wide) === "landscape" ? long : short;
  return Math.max(1, Math.floor((side - 2 * (page_margin ?? MARGIN_MILLIMETRES)) * PIXELS_PER_MILLIMETRE));
};

const isAsked = (value: string | undefined): boolean => value !== undefined && value !== "auto";

const directionOf = (asked: Options["page_orientation"], wide: boolean): string =>
  asked === "landscape" || (asked !== "portrait" && wide) ? "landscape" : "portrait";

const NUMBERS =
  '@bottom-center { content: counter(page) " / " counter(pages) !important; font: 9pt "Noto Sans", "DejaVu Sans", sans-serif; color: #555; }';
