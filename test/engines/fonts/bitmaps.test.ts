import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { codeOf } from "../support/convert.ts";
import { sampleOf } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";

/** Fonts of pixels: what other programs draw with the result has the same pixels. */

const scratch = scratchFolder();
const convert = convertingBy("fonts", scratch);
const sample = readFileSync(sampleOf("bdf"), "latin1");

/** Pixels of a drawing for one of the font. */
const SCALE = 20;
const HEIGHT = 8;

/** @returns the rows of the text as Pango draws it, from its first to its last dark row */
const drawnBy = async (fontfile: string, text: string, family = "Anyform"): Promise<string[]> => {
  const font = `${family} ${SCALE * HEIGHT}px`;
  const { data, info } = await sharp({ text: { text, font, fontfile, dpi: 72, rgba: false } })
    .extractChannel(0)
    .trim({ background: "#000", threshold: 40 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const rows: string[] = [];
  for (let y = SCALE / 2; y < info.height; y += SCALE) {
    const columns = Array.from({ length: Math.round(info.width / SCALE) }, (_, x) => Math.floor((x + 0.5) * SCALE));
    rows.push(columns.map((x) => ((data[Math.floor(y) * info.width + x] ?? 0) > 128 ? "#" : ".")).join(""));
  }
  return rows;
};

const font = (changes: readonly (readonly [from: string, to: string])[]): string =>
  scratch.file(changes.reduce((text, [from, to]) => text.replace(from, to), sample));

const FAMILY = ['"Anyform ""Pixel"" Sample"', '"Anyform"'] as const;

describe("a bitmap font as TrueType", () => {
  test("draws areas with holes, and pixels that touch only at corners", async () => {
    const { path } = await convert(font([FAMILY]), ["bdf", "ttf"]);
    expect(await drawnBy(path, "O")).toEqual(["#####", "#...#", "#.#.#", "#...#", "#####"]);
    expect(await drawnBy(path, "X")).toEqual(["#.#.", ".#.#", "#.#.", ".#.#"]);
  });

  test("has Unicode characters, advances and offsets from the baseline", async () => {
    const { path } = await convert(font([FAMILY]), ["bdf", "ttf"]);
    expect(await drawnBy(path, "Ł")).toEqual(["#########", "#.......#"]);
    expect(await drawnBy(path, "OX")).toEqual([
      "#####......",
      "#...#......",
      "#.#.#......",
      "#...#..#.#.",
      "#####...#.#",
      ".......#.#.",
      "........#.#",
    ]);
  });

  test("keeps its names in every container", async () => {
    const { path } = await convert(sampleOf("bdf"), ["bdf", "ttf"]);
    const names = readFileSync(path);
    for (const text of ['Anyform "Pixel" Sample', "Bold", "AnyformPixelSample-Bold", "Public domain"]) {
      expect(names.includes(Buffer.from(text, "utf16le").swap16()), text).toBe(true);
    }
    for (const to of ["woff", "woff2", "eot"] as const) {
      const { path: packed } = await convert(sampleOf("bdf"), ["bdf", to]);
      const { path: back } = await convert(packed, [to, "ttf"]);
      expect(await drawnBy(back, "O", 'Anyform "Pixel" Sample')).toHaveLength(5);
    }
  });

  test.each([
    ["a font with fewer glyphs than it declares", [["CHARS 5", "CHARS 6"]], "source_corrupt"],
    ["a glyph without an end", [["ENDCHAR", ""]], "source_corrupt"],
    ["a bitmap with too few rows", [["F8\n88", "F8"]], "source_corrupt"],
    ["a bitmap with too short rows", [["FF80", "FF"]], "source_corrupt"],
    ["a size that is not a number", [["BBX 5 5", "BBX 5 x"]], "source_corrupt"],
    ["a size that no memory holds", [["BBX 5 5", "BBX 99999 99999"]], "source_corrupt"],
    ["a glyph of a million pixels", [["BBX 5 5", "BBX 1001 1000"]], "unsupported_feature"],
    ["no height", [["FONT_ASCENT 6", "FONT_ASCENT -2"]], "source_corrupt"],
    [
      "a character set with two bytes",
      [['CHARSET_REGISTRY "ISO8859"', 'CHARSET_REGISTRY "JISX0208.1983"']],
      "unsupported_feature",
    ],
  ] as const)("%s is refused", async (_, changes, code) => {
    expect(await codeOf(convert(font(changes), ["bdf", "ttf"]))).toBe(code);
  });

  test("symbols are in the private use area, as in TrueType", async () => {
    const path = font([FAMILY, ["ISO8859-2", "Adobe-FontSpecific"], ['"ISO8859"', '"Adobe"']]);
    const { path: made } = await convert(path, ["bdf", "ttf"]);
    expect(await drawnBy(made, String.fromCodePoint(0xf000 + 88))).toEqual(["#.#.", ".#.#", "#.#.", ".#.#"]);
  });
});
