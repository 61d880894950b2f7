import { FONT_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { padded, type Sfnt } from "../fonts/sfnt.ts";
import type { BitmapFont, BitmapGlyph } from "./bdf.ts";
import { cmapOf } from "./cmap.ts";
import { type Corner, contoursOf } from "./contours.ts";
import { i16, u16, u32 } from "./fields.ts";
import { namesOf, nameTable } from "./names.ts";

/** Units of a pixel are chosen so that the font has about this many for its height. */
const HEIGHT_UNITS = 1_024;
/** Glyph numbers have 16 bits; the first one stands for missing characters. */
const GLYPHS_MAX = 65_534;
const COORDINATE_MAX = 16_383;

/** A glyph in font units. */
interface Shape {
  readonly data: Buffer;
  readonly advance: number;
  readonly box: readonly [left: number, bottom: number, right: number, top: number];
  readonly points: number;
  readonly contours: number;
}

/**
 * Draws each pixel of a font of bitmaps as a square, whose edges are outlines (OpenType 1.9).
 *
 * @throws JobError `unsupported_feature`, `output_too_large`
 */
export const toTrueType = (font: BitmapFont): Sfnt => {
  const height = font.ascent + font.descent;
  const unit = Math.max(1, Math.floor(HEIGHT_UNITS / height));
  const glyphs = inOrder(font.glyphs);
  const shapes = [EMPTY];
  let bytes = 0;
  for (const glyph of glyphs) {
    const shape = shapeOf(glyph, unit);
    shapes.push(shape);
    bytes += shape.data.length;
    if (bytes > FONT_BYTES_MAX) {
      throw new JobError("output_too_large", `The outlines have more than ${FONT_BYTES_MAX} bytes, the maximum.`);
    }
  }
  const names = namesOf(font.properties);
  const measures = { unit, height: height * unit, ascent: font.ascent * unit, descent: font.descent * unit };
  const codes = glyphs.flatMap(({ code }, index) => (code === undefined ? [] : [{ code, glyph: index + 1 }]));
  const tables: Record<string, Buffer> = {
    head: headTable(shapes, measures, names.style),
    hhea: hheaTable(shapes, measures),
    maxp: maxpTable(shapes),
    "OS/2": os2Table(shapes, measures, { codes: codes.map(({ code }) => code), style: names.style }),
    hmtx: Buffer.concat(shapes.map(({ advance, box }) => Buffer.concat([u16(advance), i16(box[0])]))),
    cmap: cmapOf(codes),
    loca: locaTable(shapes),
    glyf: Buffer.concat(shapes.map(({ data }) => data)),
    name: nameTable(names),
    post: Buffer.concat([u32(0x0003_0000, 0), i16(-measures.descent / 2, unit), u32(0, 0, 0, 0, 0)]),
  };
  return {
    flavor: 0x0001_0000,
    tables: Object.entries(tables).map(([tag, data]) => ({ tag, checksum: sumOf(data), data })),
  };
};

/** @returns the glyphs in the order of their characters, each once, and those without one at the end */
const inOrder = (glyphs: readonly BitmapGlyph[]): BitmapGlyph[] => {
  if (glyphs.length > GLYPHS_MAX) {
    throw new JobError("unsupported_feature", `The font has ${glyphs.length} glyphs; the maximum is ${GLYPHS_MAX}.`);
  }
  const encoded = new Map(
    glyphs.toReversed().flatMap((glyph) => (glyph.code === undefined ? [] : [[glyph.code, glyph]])),
  );
  const sorted = [...encoded].toSorted(([one], [other]) => one - other).map(([, glyph]) => glyph);
  return [...sorted, ...glyphs.filter(({ code }) => code === undefined)];
};

const EMPTY: Shape = { data: Buffer.alloc(0), advance: 0, box: [0, 0, 0, 0], points: 0, contours: 0 };

const shapeOf = (glyph: BitmapGlyph, unit: number): Shape => {
  const advance = Math.max(0, glyph.advance) * unit;
  const contours = contoursOf(glyph).map((corners) =>
    corners.map(([x, y]): Corner => [(x + glyph.left) * unit, (y + glyph.bottom) * unit]),
  );
  const points = contours.flat();
  if (points.length === 0) {
    return { ...EMPTY, advance };
  }
  const box = points.reduce<Shape["box"]>(
    ([left, bottom, right, top], [x, y]) => [
      Math.min(left, x),
      Math.min(bottom, y),
      Math.max(right, x),
      Math.max(top, y),
    ],
    [COORDINATE_MAX, COORDINATE_MAX, -COORDINATE_MAX, -COORDINATE_MAX],
  );
  if (points.length > 0xffff || box.some((side) => Math.abs(side) > COORDINATE_MAX) || advance > 0xffff) {
    throw new JobError("unsupported_feature", "A glyph of the font is too large or has too many corners for TrueType.");
  }
  return { data: glyphData(contours, points, box), advance, box, points: points.length, contours: contours.length };
};

const ON_CURVE = 0x01;
const SAME_X = 0x10;
const SAME_Y = 0x20;

/** @returns a simple glyph. A contour's corners differ in one coordinate, so that the other one takes no bytes. */
const glyphData = (contours: readonly Corner[][], points: readonly Corner[], box: Shape["box"]): Buffer => {
  let end = -1;
  const ends = contours.map(({ length }) => {
    end += length;
    return end;
  });
  const moves = points.map(([x, y], index) => {
    const [beforeX, beforeY] = points[index - 1] ?? [0, 0];
    return [x - beforeX, y - beforeY] as const;
  });
  const flags = moves.map(([x, y]) => ON_CURVE + (x === 0 ? SAME_X : 0) + (y === 0 ? SAME_Y : 0));
  const data = Buffer.concat([
    i16(contours.length, ...box),
    u16(...ends, 0),
    Buffer.from(flags),
    i16(...moves.map(([x]) => x).filter((x) => x !== 0)),
    i16(...moves.map(([, y]) => y).filter((y) => y !== 0)),
  ]);
  return Buffer.concat([data], padded(data.length));
};

interface Measures {
  readonly unit: number;
  readonly height: number;
  readonly ascent: number;
  readonly descent: number;
}

interface Style {
  readonly isBold: boolean;
  readonly isItalic: boolean;
}

const extremesOf = (shapes: readonly Shape[]): Shape["box"] => {
  const drawn = shapes.filter(({ points }) => points > 0);
  const extreme = (side: 0 | 1 | 2 | 3, pick: typeof Math.min): number =>
    drawn.reduce((all, { box }) => pick(all, box[side]), drawn[0]?.box[side] ?? 0);
  return [extreme(0, Math.min), extreme(1, Math.min), extreme(2, Math.max), extreme(3, Math.max)];
};

/** BDF has no dates: 1 January 2000, in seconds since 1904. The same file gives the same font. */
const MADE_SECONDS = 3_029_529_600;

/** The font's edges are at whole pixels, and it is made for its own size. */
const headTable = (shapes: readonly Shape[], { unit, height }: Measures, { isBold, isItalic }: Style): Buffer =>
  Buffer.concat([
    u32(0x0001_0000, 0x0001_0000, 0, 0x5f0f_3cf5),
    u16(0x0003, height),
    u32(0, MADE_SECONDS, 0, MADE_SECONDS),
    i16(...extremesOf(shapes)),
    u16((isBold ? 1 : 0) + (isItalic ? 2 : 0), Math.min(0xffff, height / unit)),
    i16(2, 1, 0),
  ]);

const hheaTable = (shapes: readonly Shape[], { ascent, descent }: Measures): Buffer => {
  const [left, , right] = extremesOf(shapes);
  const widest = shapes.reduce((most, { advance }) => Math.max(most, advance), 0);
  const gap = shapes.reduce((least, { advance, box }) => Math.min(least, advance - box[2]), 0);
  return Buffer.concat([
    u32(0x0001_0000),
    i16(ascent, -descent, 0),
    u16(widest),
    i16(left, gap, right, 1, 0, 0, 0, 0, 0, 0, 0),
    u16(shapes.length),
  ]);
};

const maxpTable = (shapes: readonly Shape[]): Buffer => {
  const most = (count: (shape: Shape) => number): number => shapes.reduce((all, each) => Math.max(all, count(each)), 0);
  return Buffer.concat([
    u32(0x0001_0000),
    u16(
      shapes.length,
      most(({ points }) => points),
      most(({ contours }) => contours),
      0,
      0,
      2,
    ),
    Buffer.alloc(16),
  ]);
};

interface Encoded {
  readonly codes: readonly number[];
  readonly style: Style;
}

const os2Table = (shapes: readonly Shape[], measures: Measures, { codes, style }: Encoded): Buffer => {
  const { unit, height, ascent, descent } = measures;
  const widths = shapes.map(({ advance }) => advance).filter((width) => width > 0);
  const average = Math.round(widths.reduce((sum, width) => sum + width, 0) / Math.max(1, widths.length));
  const half = Math.round(height / 2);
  const selection = (style.isItalic ? 0x01 : 0) + (style.isBold ? 0x20 : 0);
  const last = Math.min(0xffff, codes.at(-1) ?? 0);
  return Buffer.concat([
    u16(4, average, style.isBold ? 700 : 400, 5, 0),
    i16(half, half, 0, Math.round(height / 7), half, half, 0, half, unit, Math.round(ascent / 2), 0),
    Buffer.alloc(10 + 16),
    Buffer.from("    "),
    u16(selection || 0x40, Math.min(0xffff, codes[0] ?? 0), last),
    i16(ascent, -descent, 0),
    u16(Math.max(0, ascent), Math.max(0, descent)),
    u32(0, 0),
    i16(half, Math.round(ascent * 0.7)),
    u16(0, 0x20, 1),
  ]);
};

const locaTable = (shapes: readonly Shape[]): Buffer => {
  let at = 0;
  const offsets = shapes.map(({ data }) => {
    at += data.length;
    return at;
  });
  return u32(0, ...offsets);
};

const sumOf = (data: Buffer): number => {
  const whole = Buffer.concat([data], padded(data.length));
  let sum = 0;
  for (let at = 0; at < whole.length; at += 4) {
    sum = (sum + whole.readUInt32BE(at)) >>> 0;
  }
  return sum;
};
