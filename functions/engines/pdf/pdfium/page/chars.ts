import type { Run } from "../layout/pieces.ts";
import type { PdfPage } from "./document.ts";
import type { Box, Placing } from "./geometry.ts";
import { type Pdfium, withMemory } from "./module.ts";

/** A character and its position. Characters are in reading order within a line, also from right to left. */
export interface Char extends Box {
  readonly text: string;
  /** Points from the top of the page to the baseline. */
  readonly baseline: number;
  readonly style: CharStyle;
  /** Whether the character is upright. Rotated characters are read, but their position is not usable. */
  readonly upright: boolean;
}

/** Style of a character: a run without text and position. */
export type CharStyle = Omit<Run, "text" | "link" | "shift">;

/** Maximum characters read per page: a page of a phone book has 20,000. */
const PAGE_CHARACTERS_MAX = 500_000;

/** @returns the characters of a page; spaces and line ends have no box */
export const charsOf = (page: PdfPage, placing: Placing): Char[] => {
  const { pdfium } = page.document;
  const textPage = pdfium.call.FPDFText_LoadPage(page.handle);
  if (textPage === 0) {
    return [];
  }
  try {
    return withMemory(pdfium, SCRATCH_BYTES, (scratch) => read({ pdfium, textPage, placing, scratch }));
  } finally {
    pdfium.call.FPDFText_ClosePage(textPage);
  }
};

interface Reading {
  readonly pdfium: Pdfium;
  readonly textPage: number;
  readonly placing: Placing;
  /** Memory for PDFium's output values. */
  readonly scratch: number;
}

const NAME_BYTES = 256;
const SCRATCH_BYTES = NAME_BYTES + 16;

/** Properties shared by all letters of a PDF text object. */
interface Common {
  readonly style: CharStyle;
  readonly upright: boolean;
  /** Points from the top of the page, shared by upright letters. */
  readonly baseline: number;
}

const read = (reading: Reading): Char[] => {
  const { call } = reading.pdfium;
  const known = new Map<number, Common>();
  const count = Math.min(call.FPDFText_CountChars(reading.textPage), PAGE_CHARACTERS_MAX);
  const chars: Char[] = [];
  for (let index = 0; index < count; index += 1) {
    const text = cleaned(call.FPDFText_GetUnicode(reading.textPage, index));
    if (text === "") {
      continue;
    }
    const object = call.FPDFText_GetTextObject(reading.textPage, index);
    const common = known.get(object) ?? commonOf(reading, index, object);
    known.set(object, common);
    chars.push(charAt(reading, index, { text, common }));
  }
  return chars;
};

/** Character that PDFium returns for a hyphen at which it detected a divided word. */
const DIVIDED = 0x02;

/** Ligatures and the presentation forms of Arabic letters: glyphs of the font, not the characters that were written. */
const FORMS = /[\ufb00-\ufdfb\ufe70-\ufefc]/;

const cleaned = (code: number): string => {
  if (code === DIVIDED) {
    return "-";
  }
  if (code === 0 || code === 0xfffe || code === 0xffff || code === 0xfeff || code > 0x10ffff) {
    return "";
  }
  const text = String.fromCodePoint(code);
  if (code < 0x20 || code === 0xa0 || (code >= 0x7f && code < 0xa0)) {
    return code === 0x0a || code === 0x0d ? "\n" : " ";
  }
  return FORMS.test(text) ? text.normalize("NFKC") : text;
};

const charAt = (reading: Reading, index: number, { text, common }: { text: string; common: Common }): Char => {
  const { pdfium, textPage, placing, scratch } = reading;
  const { style, upright, baseline } = common;
  if (text === " " || text === "\n") {
    return { text, style, upright, baseline, ...NOWHERE };
  }
  pdfium.call.FPDFText_GetLooseCharBox(textPage, index, scratch);
  const view = pdfium.view();
  const { left, top, right, bottom } = placing.box(
    view.getFloat32(scratch, true),
    view.getFloat32(scratch + 4, true),
    view.getFloat32(scratch + 8, true),
    view.getFloat32(scratch + 12, true),
  );
  return { text, style, upright, baseline, left, top, right, bottom };
};

const NOWHERE: Box = { left: 0, top: 0, right: 0, bottom: 0 };

const commonOf = (reading: Reading, index: number, object: number): Common => {
  const { pdfium, textPage, placing, scratch } = reading;
  pdfium.call.FPDFText_GetCharOrigin(textPage, index, scratch, scratch + 8);
  const view = pdfium.view();
  const [, baseline] = placing.point(view.getFloat64(scratch, true), view.getFloat64(scratch + 8, true));
  const upright = isUpright(pdfium.call.FPDFText_GetCharAngle(textPage, index), placing.quarters);
  return { baseline, upright, style: styleOf(reading, index, object) };
};

/** Maximum lean of text in a line, in radians: 6°. */
const LEANING_MAX = 0.1;

/** PDFium counts letter angles clockwise, like page rotation. */
const isUpright = (angle: number, quarters: number): boolean => {
  const shown = angle + (quarters * Math.PI) / 2;
  return Math.abs(Math.atan2(Math.sin(shown), Math.cos(shown))) < LEANING_MAX;
};

const BOLD = /bold|black|heavy|semibd|demi|medi(?!um)|^cmbx|^cmssbx/i;
const ITALIC = /ital|obli|slant|^cmti|^cmsl|[-,]it$/i;
const MONO = /mono|courier|consol|^cmtt|typewriter/i;
/** Flags of a font descriptor (ISO 32000-1, table 123). */
const FIXED_PITCH = 1;
const ITALIC_FLAG = 1 << 6;
const FORCE_BOLD = 1 << 18;

const styleOf = ({ pdfium, textPage, scratch }: Reading, index: number, object: number): CharStyle => {
  const { call } = pdfium;
  const length = call.FPDFText_GetFontInfo(textPage, index, scratch + 16, NAME_BYTES, scratch);
  const flags = length > 0 ? pdfium.view().getInt32(scratch, true) : 0;
  const bytes = pdfium.bytes().subarray(scratch + 16, scratch + 16 + Math.max(0, Math.min(length, NAME_BYTES) - 1));
  const name = Buffer.from(bytes)
    .toString("utf8")
    .replace(/^[A-Z]{6}\+/, "");
  const known = call.FPDFText_GetFillColor(textPage, index, scratch, scratch + 4, scratch + 8, scratch + 12) === 1;
  const parts = [0, 4, 8].map((at) => (known ? pdfium.view().getUint32(scratch + at, true) & 0xff : 0));
  return {
    font: name.split(/[-,]/, 1)[0] ?? "",
    bold: BOLD.test(name) || (flags & FORCE_BOLD) !== 0,
    italic: ITALIC.test(name) || (flags & ITALIC_FLAG) !== 0,
    mono: MONO.test(name) || (flags & FIXED_PITCH) !== 0,
    color: parts.map((part) => part.toString(16).padStart(2, "0")).join(""),
    size: sizeOf({ pdfium, textPage, scratch }, index, object),
  };
};

/** The font size means nothing without its matrix: many programs write size 1 and scale it. */
const sizeOf = ({ pdfium, textPage, scratch }: Omit<Reading, "placing">, index: number, object: number): number => {
  const size = Math.abs(pdfium.call.FPDFText_GetFontSize(textPage, index));
  if (object === 0 || pdfium.call.FPDFText_GetMatrix(textPage, index, scratch) === 0) {
    return size;
  }
  const view = pdfium.view();
  const scale = Math.hypot(view.getFloat32(scratch + 8, true), view.getFloat32(scratch + 12, true));
  return Math.round(size * (scale || 1) * 10) / 10;
};
