import { JobError } from "../../../domain/errors.ts";

/** A font of pixels (Glyph Bitmap Distribution Format 2.2, Adobe 1993). */
export interface BitmapFont {
  /** Of the font, by name. */
  readonly properties: ReadonlyMap<string, string>;
  /** Pixels above and below the baseline. */
  readonly ascent: number;
  readonly descent: number;
  readonly glyphs: readonly BitmapGlyph[];
}

export interface BitmapGlyph {
  /** The Unicode character. @default it is not encoded */
  readonly code?: number;
  /** Pixels to the next glyph. */
  readonly advance: number;
  /** Pixels from the origin to the bitmap's left and lower edge. */
  readonly left: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
  /** Rows from top to bottom, each in hexadecimal. */
  readonly rows: readonly string[];
}

/** Maximum pixels of a side and of a distance: larger glyphs do not fit the numbers of TrueType. */
const SIDE_MAX = 8_000;
/** Maximum pixels of a glyph: each can have four edges, which are in memory until they are joined. */
const GLYPH_PIXELS_MAX = 1_000_000;

/** @throws JobError `source_corrupt`, `unsupported_feature` for its character set or size */
export const readBdf = (bytes: Buffer): BitmapFont => {
  const [head = "", ...blocks] = bytes.toString("latin1").split(/^STARTCHAR\b/m);
  const properties = propertiesOf(head);
  const declared = Number(properties.get("CHARS") ?? blocks.length);
  if (blocks.length === 0 || blocks.length < declared) {
    throw corrupt(`it has ${blocks.length} of ${declared} glyphs`);
  }
  const [, boxHeight = 0, , boxBottom = 0] = numbersIn(properties.get("FONTBOUNDINGBOX"));
  const ascent = Number(properties.get("FONT_ASCENT") ?? boxHeight + boxBottom);
  const descent = Number(properties.get("FONT_DESCENT") ?? -boxBottom);
  if (!(ascent + descent > 0 && Math.abs(ascent) <= SIDE_MAX && Math.abs(descent) <= SIDE_MAX)) {
    throw corrupt("it has no valid height");
  }
  const toUnicode = charactersOf(properties);
  return { properties, ascent, descent, glyphs: blocks.map((block) => glyphOf(block, { properties, toUnicode })) };
};

const corrupt = (reason: string): JobError => new JobError("source_corrupt", `The BDF font is damaged: ${reason}.`);

const propertiesOf = (text: string): Map<string, string> => {
  const found = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const at = line.search(/[ \t]/);
    const value = line.slice(at + 1).trim();
    if (at > 0) {
      found.set(line.slice(0, at), value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value);
    }
  }
  return found;
};

const numbersIn = (text = ""): number[] => text.split(/[ \t]+/).map(Number);

interface FontContext {
  readonly properties: ReadonlyMap<string, string>;
  readonly toUnicode: (code: number) => number | undefined;
}

const glyphOf = (block: string, { properties, toUnicode }: FontContext): BitmapGlyph => {
  const at = block.search(/^BITMAP[ \t]*$/m);
  const end = block.search(/^ENDCHAR\b/m);
  if (at < 0 || end < at) {
    throw corrupt("a glyph is incomplete");
  }
  const fields = propertiesOf(block.slice(0, at));
  const [width = 0, height = 0, left = 0, bottom = 0] = numbersIn(fields.get("BBX"));
  const [advance = 0] = numbersIn(fields.get("DWIDTH") ?? properties.get("DWIDTH"));
  if (![width, height, left, bottom, advance].every((side) => Number.isInteger(side) && Math.abs(side) <= SIDE_MAX)) {
    throw corrupt("a glyph has no valid size");
  }
  if (width * height > GLYPH_PIXELS_MAX) {
    const detail = `A glyph of the font has ${width} by ${height} pixels; the maximum is ${GLYPH_PIXELS_MAX}.`;
    throw new JobError("unsupported_feature", detail);
  }
  const rows = block.slice(at, end).trim().split(/\s+/).slice(1);
  if (rows.length !== Math.max(0, height) || rows.some((row) => row.length * 4 < width || !/^[\da-f]+$/i.test(row))) {
    throw corrupt("the bitmap of a glyph is incomplete");
  }
  const [code = -1] = numbersIn(fields.get("ENCODING"));
  const character = code < 0 ? undefined : toUnicode(code);
  return { ...(character !== undefined && { code: character }), advance, left, bottom, width, height, rows };
};

/** Unicode of codes in fonts of symbols, as in TrueType. */
const SYMBOLS = 0xf000;
const UNICODE_MAX = 0x10_ffff;

/**
 * @returns the Unicode character of a code in the font's character set, which the last two parts of its X11 name repeat
 * @throws JobError `unsupported_feature` for sets with more than 256 characters, such as JIS X 0208
 */
const charactersOf = (properties: ReadonlyMap<string, string>): FontContext["toUnicode"] => {
  const named = (properties.get("FONT") ?? "").split("-").slice(-2);
  const [registry = "", part = ""] = [properties.get("CHARSET_REGISTRY"), properties.get("CHARSET_ENCODING")].map(
    (value, index) => (value ?? named[index] ?? "").toLowerCase(),
  );
  if (registry === "iso10646" || part === "" || `${registry}-${part}` === "iso8859-1") {
    return (code) => (code <= UNICODE_MAX ? code : undefined);
  }
  if (part === "fontspecific") {
    return (code) => (code < 256 ? SYMBOLS + code : undefined);
  }
  const label = registry === "iso8859" ? `iso-8859-${part}` : part.replace(/^cp(?=125\d$)/, "windows-");
  const name = registry === "koi8" ? `koi8-${part}` : label;
  if (!/^(?:iso-8859-\d+|koi8-[ru]|windows-125\d)$/.test(name)) {
    const set = `${registry}-${part}`.slice(0, 60);
    throw new JobError("unsupported_feature", `The character set ${set} of the BDF font is not supported.`);
  }
  const decoder = new TextDecoder(name);
  return (code) => (code < 256 ? decoder.decode(Uint8Array.of(code)).codePointAt(0) : undefined);
};
