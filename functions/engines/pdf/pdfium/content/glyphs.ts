import type { Run } from "../layout/model.ts";
import type { PdfPage } from "../page/document.ts";
import { floats, type Placing } from "../page/geometry.ts";
import { type Pdfium, withMemory } from "../page/module.ts";
import { type Matrix, matrixOf, multiplied, type PageObject, TEXT } from "../page/objects.ts";
import { withAccents } from "./accents.ts";
import { cleaned, hasRtl } from "./characters.ts";
import { refuseCrowded } from "./crowded.ts";
import { FONT_BYTES, type FontStyle, fontStyle } from "./fonts.ts";
import { directionOf, type Frame, framesOf } from "./frame.ts";
import { type Letters, type PageLetters, withLetters } from "./letters.ts";
import { type ContentMark, marksOf, type ObjectMarks } from "./marks.ts";
import { withoutRepeats } from "./repeats.ts";
import { type Readable, withoutUnreadable } from "./unreadable.ts";
import { withVertical } from "./vertical.ts";

/** Letters that a font draws as one, or a space, in the {@link Frame} in which they read from left to right. */
export interface Glyph {
  /** Empty if the file does not say which letters they are. */
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  readonly style: GlyphStyle;
}

/** What the glyphs of a text object have in common. */
export interface GlyphStyle extends Omit<Run, "text" | "link" | "shift"> {
  readonly frame: Frame;
  /** Whether the text leans from its frame's direction. */
  readonly leaning: boolean;
  /** Number in the structure tree of the page (`MCID`); -1 without one. */
  readonly content: number;
  readonly artifact: boolean;
  /** The font, as an identity. */
  readonly face: FontStyle;
}

/** What is read of a page. */
interface TextSource {
  readonly objects: readonly PageObject[];
  readonly placing: Placing;
  /** Text objects that are left out. */
  readonly hidden: ReadonlySet<PageObject>;
}

/** Reads the text of a page, in the order of the content stream. @throws JobError `unsupported_feature` if it is crowded */
export const glyphsOf = (page: PdfPage, { objects, placing, hidden }: TextSource): Readable => {
  const { pdfium } = page.document;
  const texts = objects.filter((object) => object.type === TEXT && !hidden.has(object));
  const marks = marksOf(pdfium, texts);
  const [shown = [], replaced = []] = [false, true].map((isReplaced) =>
    texts.filter((_, index) => (marks[index]?.replaced !== undefined) === isReplaced),
  );
  refuseCrowded(page, shown);
  const unread = [...replaced, ...hidden].map(({ handle }) => handle);
  return withLetters(page, unread, (letters) =>
    withMemory(pdfium, SCRATCH_BYTES, (scratch) => {
      const reading = { page, placing, letters, marks, scratch, frames: framesOf(page), fonts: new Map() };
      const readable = withoutUnreadable(withoutRepeats(read(reading, texts)));
      return { ...readable, glyphs: withVertical(withAccents(readable.glyphs), reading.frames) };
    }),
  );
};

/** Maximum glyphs read per page: a page of a phone book has 20,000. */
const GLYPHS_MAX = 500_000;
const SCRATCH_BYTES = FONT_BYTES;

interface Reading {
  readonly page: PdfPage;
  readonly placing: Placing;
  readonly letters: PageLetters;
  readonly marks: readonly ObjectMarks[];
  readonly frames: readonly Frame[];
  readonly fonts: Map<number, FontStyle>;
  /** Memory for PDFium's output values. */
  readonly scratch: number;
}

/** Glyphs that a mark's text replaces. */
interface Replaced {
  readonly mark: ContentMark;
  left: number;
  right: number;
  readonly baseline: number;
  readonly style: GlyphStyle;
}

const read = (reading: Reading, objects: readonly PageObject[]): Glyph[] => {
  const glyphs: Glyph[] = [];
  let open: Replaced | undefined;
  for (const [index, object] of objects.entries()) {
    const { replaced, artifact = false } = reading.marks[index] ?? {};
    if (open !== undefined && open.mark !== replaced) {
      glyphs.push(...replacement(open));
      open = undefined;
    }
    if (glyphs.length > GLYPHS_MAX) {
      break;
    }
    const matrix = multiplied(matrixOf(reading.page.document.pdfium, object.handle), object.outer);
    const style = styleOf(reading, object, { matrix, artifact });
    if (replaced === undefined) {
      for (const glyph of glyphsIn(reading, object, { matrix, style })) {
        glyphs.push(glyph);
      }
      continue;
    }
    const [left, right, baseline] = extentOf(reading, object, { matrix, style });
    open ??= { mark: replaced, style, left, right, baseline };
    open.left = Math.min(open.left, left);
    open.right = Math.max(open.right, right);
  }
  return open === undefined ? glyphs : [...glyphs, ...replacement(open)];
};

interface Placed {
  readonly matrix: Matrix;
  readonly style: GlyphStyle;
}

/** Maximum width of a text object of spaces, for which PDFium has no letters. */
const EMPTY_WIDTH_MAX = 0.01;
/** Usual and maximum white on both sides of the ink of a glyph, in units of the letter size. */
const BEARING = 0.05;
const BEARING_MAX = 0.25;
/** Usual width of a space, in units of the letter size. */
const SPACE_WIDTH = 0.2;

const glyphsIn = (reading: Reading, object: PageObject, { matrix, style }: Placed): Glyph[] => {
  const letters = reading.letters.of(object.handle);
  if (letters.length === 0) {
    const [left, right, baseline] = extentOf(reading, object, { matrix, style });
    // An object with a width but without letters repeats another one: bold type by printing twice.
    const space = { text: " ", left, right: left + SPACE_WIDTH * style.size, baseline, style };
    return right - left < EMPTY_WIDTH_MAX ? [space] : [];
  }
  const glyphs = letters.map((letter) => placed(reading, letter, style));
  // PDFium reverses what reads from right to left; each text object is drawn from left to right.
  return glyphs.some(({ text }) => hasRtl(text))
    ? glyphs.toSorted((one, other) => one.left + one.right - other.left - other.right)
    : glyphs;
};

const placed = ({ placing }: Reading, { text, area, x, y }: Letters, style: GlyphStyle): Glyph => {
  const { left, top, right, bottom } = area;
  const [originX, originY] = placing.point(x, y);
  const box = style.frame.enter(placing.box(left, top, right, bottom));
  const origin = style.frame.enter({ left: originX, right: originX, top: originY, bottom: originY });
  const known = cleaned(text.length > 1 && hasRtl(text) ? inOrder(text) : text);
  // The area includes ink to the left of the place at which the glyph begins, as in italics.
  const start = origin.left > box.left && origin.left < box.right ? origin.left : box.left;
  return { text: known, left: start, right: box.right, baseline: origin.bottom, style };
};

/** PDFium reverses the letters of a ligature with the rest of the line, unless it took the ligature apart itself. */
const inOrder = (text: string): string => (/^ل[اأإآ]/.test(text) ? text : [...text].toReversed().join(""));

/** @returns the left and right edge and the baseline of a text object */
const extentOf = (
  { page: { document }, placing, scratch }: Reading,
  { handle, outer }: PageObject,
  { matrix, style }: Placed,
): readonly [number, number, number] => {
  const { call, view } = document.pdfium;
  const [x, y] = placing.point(matrix[4], matrix[5]);
  const origin = style.frame.enter({ left: x, right: x, top: y, bottom: y });
  if (call.FPDFPageObj_GetBounds(handle, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) {
    return [origin.left, origin.left, origin.bottom];
  }
  const [left, bottom, right, top] = floats(view(), scratch);
  const area: Matrix = [right - left, 0, 0, top - bottom, left, bottom];
  const [a, b, c, d, e, f] = multiplied(area, outer);
  const box = style.frame.enter(
    placing.box(Math.min(e, e + a + c), Math.min(f, f + b + d), Math.max(e, e + a + c), Math.max(f, f + b + d)),
  );
  const empty = right - left < EMPTY_WIDTH_MAX;
  // PDFium knows the ink of an object, not its advance width.
  const start = origin.left < box.left && box.left - origin.left < BEARING_MAX * style.size ? origin.left : box.left;
  return empty ? [origin.left, origin.left, origin.bottom] : [start, box.right + BEARING * style.size, origin.bottom];
};

/** @returns the text of a mark, its words spread evenly over the area that it replaces */
const replacement = ({ mark, left, right, baseline, style }: Replaced): Glyph[] => {
  const text = cleaned(mark.text ?? "");
  const step = (right - left) / Math.max(1, text.length);
  const glyphs: Glyph[] = [];
  for (const part of text.matchAll(/ |[^ ]+/g)) {
    const [start, end] = [left + part.index * step, left + (part.index + part[0].length) * step];
    glyphs.push({ text: part[0], left: start, right: end, baseline, style });
  }
  return glyphs;
};

const styleOf = (
  reading: Reading,
  { handle, path }: PageObject,
  { matrix, artifact }: { matrix: Matrix; artifact: boolean },
): GlyphStyle => {
  const { pdfium } = reading.page.document;
  const { call } = pdfium;
  const handleOfFont = call.FPDFTextObj_GetFont(handle);
  const font = reading.fonts.get(handleOfFont) ?? fontStyle(pdfium, handleOfFont, reading.scratch);
  reading.fonts.set(handleOfFont, font);
  const mode = call.FPDFTextObj_GetTextRenderMode(handle);
  const { quarters, leaning } = directionOf(matrix, reading.placing);
  const [a, b, c, d] = matrix;
  call.FPDFTextObj_GetFontSize(handle, reading.scratch);
  const size = Math.abs(pdfium.view().getFloat32(reading.scratch, true)) * (Math.hypot(c, d) || 1);
  // A program without an italic or bold font shears the letters, or strokes their outline.
  const sheared = Math.abs(a * c + b * d) > SHEAR_MIN * Math.hypot(a, b) * Math.hypot(c, d);
  return {
    ...font,
    face: font,
    bold: font.bold || mode === FILL_AND_STROKE,
    italic: font.italic || sheared,
    size: Math.round(size * 10) / 10,
    color: colorOf(pdfium, handle, { stroke: mode === STROKE, scratch: reading.scratch }) ?? "000000",
    frame: reading.frames[quarters] ?? (reading.frames[0] as Frame),
    leaning,
    // Forms number their content separately.
    content: path.length === 1 ? call.FPDFPageObj_GetMarkedContentID(handle) : -1,
    artifact,
  };
};

/** Text rendering modes (ISO 32000-2, table 104). */
const STROKE = 1;
const FILL_AND_STROKE = 2;
/** Minimum shear of letters that look italic: the cosine of 84°. */
const SHEAR_MIN = 0.1;

/** @returns the color of an object, `rrggbb`; undefined without a color, or if it is transparent */
export const colorOf = (
  { call, view }: Pdfium,
  object: number,
  { stroke, scratch }: { stroke: boolean; scratch: number },
): string | undefined => {
  const read = stroke ? call.FPDFPageObj_GetStrokeColor : call.FPDFPageObj_GetFillColor;
  if (read(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) {
    return undefined;
  }
  const memory = view();
  const [red, green, blue, alpha] = [0, 4, 8, 12].map((at) => memory.getUint32(scratch + at, true) & 0xff);
  const parts = [red, green, blue].map((part = 0) => part.toString(16).padStart(2, "0"));
  return (alpha ?? 0) < ALPHA_MIN ? undefined : parts.join("");
};

/** Minimum opacity that is seen, of 255. */
export const ALPHA_MIN = 8;
