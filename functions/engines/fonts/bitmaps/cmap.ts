import { i16, u16, u32 } from "./fields.ts";

/** A character and the number of its glyph. */
interface Coded {
  readonly code: number;
  readonly glyph: number;
}

/** Characters in a row whose glyphs are in a row. */
interface Range {
  readonly first: number;
  last: number;
  readonly glyph: number;
}

/** The length of a subtable of 16-bit characters has 16 bits. */
const RANGES_MAX = 8_000;

/**
 * @param codes in ascending order
 * @returns the table of characters: one for all, and one for 16-bit characters, which older programs read
 */
export const cmapOf = (codes: readonly Coded[]): Buffer => {
  const all = rangesOf(codes);
  const basic = rangesOf(codes.filter(({ code }) => code < 0xffff)).slice(0, RANGES_MAX);
  const [short, long] = [segments(basic), groups(all)];
  const start = 4 + 2 * 8;
  return Buffer.concat([
    u16(0, 2),
    ...[u16(3, 1), u32(start)],
    ...[u16(3, 10), u32(start + short.length)],
    short,
    long,
  ]);
};

const rangesOf = (codes: readonly Coded[]): Range[] => {
  const ranges: Range[] = [];
  for (const { code, glyph } of codes) {
    const range = ranges.at(-1);
    if (range !== undefined && code === range.last + 1 && glyph === range.glyph + code - range.first) {
      range.last = code;
    } else {
      ranges.push({ first: code, last: code, glyph });
    }
  }
  return ranges;
};

/** Format 4; the last segment is required and has no glyph. */
const segments = (ranges: readonly Range[]): Buffer => {
  const count = ranges.length + 1;
  const power = 2 ** Math.floor(Math.log2(count));
  const deltas = ranges.map(({ first, glyph }) => ((glyph - first) << 16) >> 16);
  const body = Buffer.concat([
    u16(count * 2, power * 2, Math.log2(power), (count - power) * 2),
    u16(...ranges.map(({ last }) => last), 0xffff, 0),
    u16(...ranges.map(({ first }) => first), 0xffff),
    i16(...deltas, 1),
    Buffer.alloc(count * 2),
  ]);
  return Buffer.concat([u16(4, body.length + 6, 0), body]);
};

/** Format 12. */
const groups = (ranges: readonly Range[]): Buffer => {
  const body = ranges.map(({ first, last, glyph }) => u32(first, last, glyph));
  return Buffer.concat([u16(12, 0), u32(16 + body.length * 12, 0, body.length), ...body]);
};
