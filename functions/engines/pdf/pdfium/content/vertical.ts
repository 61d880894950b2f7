import { isFullWidth } from "./characters.ts";
import type { Frame } from "./frame.ts";
import type { Glyph } from "./glyphs.ts";

/** Distance of characters below each other, in units of their size: more is the next line of a horizontal text. */
const STEP_MIN = 0.5;
const STEP_MAX = 1.15;
const OFFSET_MAX = 0.8;
const LENGTH_MIN = 4;
/** Share of a square character above its baseline. */
const ABOVE = 0.88;

/** @returns the glyphs with columns of Chinese or Japanese in the frame that reads downward */
export const withVertical = (glyphs: readonly Glyph[], frames: readonly Frame[]): readonly Glyph[] => {
  if (!glyphs.some(({ text }) => isFullWidth(text))) {
    return glyphs;
  }
  const columns = columnsIn(glyphs);
  const count = (lengthMin: number): number =>
    columns.reduce((sum, column) => sum + (isSquare(column) && column.length >= lengthMin ? column.length : 0), 0);
  // On a page that reads downward the rest of a column, after a number, may be short.
  const lengthMin = 2 * count(LENGTH_MIN) > count(1) ? 1 : LENGTH_MIN;
  return columns.flatMap((column) => {
    const frame = frames[((column[0]?.style.frame.quarters ?? 0) + 1) % 4];
    return frame !== undefined && isSquare(column) && column.length >= lengthMin ? turned(column, frame) : column;
  });
};

const isSquare = ([first]: readonly Glyph[]): boolean => first !== undefined && isFullWidth(first.text);

/** @returns the glyphs, those together that are below each other */
const columnsIn = (glyphs: readonly Glyph[]): Glyph[][] => {
  const columns: Glyph[][] = [];
  for (const [index, glyph] of glyphs.entries()) {
    isBelow(glyphs[index - 1], glyph) ? columns.at(-1)?.push(glyph) : columns.push([glyph]);
  }
  return columns;
};

const isBelow = (glyph: Glyph | undefined, next: Glyph): boolean => {
  if (glyph === undefined || !isFullWidth(glyph.text) || !isFullWidth(next.text)) {
    return false;
  }
  const { size } = glyph.style;
  const step = (next.baseline - glyph.baseline) / size;
  const isInColumn = Math.abs(next.left - glyph.left) < OFFSET_MAX * size;
  return glyph.style.frame === next.style.frame && isInColumn && step > STEP_MIN && step < STEP_MAX;
};

const turned = (column: readonly Glyph[], frame: Frame): Glyph[] => {
  const left = Math.min(...column.map((glyph) => glyph.left));
  return column.map(({ text, style, baseline }) => {
    const top = baseline - ABOVE * style.size;
    const square = { left, right: left + style.size, top, bottom: top + style.size };
    const box = frame.enter(style.frame.leave(square));
    return {
      text,
      left: box.left,
      right: box.right,
      baseline: box.bottom - (1 - ABOVE) * style.size,
      style: { ...style, frame },
    };
  });
};
