import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { readZip } from "../../../functions/engines/archives/zip/reader.ts";
import { sampleOf } from "../support/fixtures.ts";
import { viewByFontTools, withFontTools } from "../support/fonts.ts";
import { scratchFolder } from "../support/scratch.ts";
import { type Check, contract } from "./contract.ts";

const scratch = scratchFolder();

/** WOFF2 encodes outlines differently, which the head table records, and changes their offsets. */
const sameFont = (path: string, from: FormatId, to: FormatId): void => {
  if (!withFontTools()) {
    return;
  }
  const view = viewByFontTools(path);
  if (from === "bdf") {
    // It has other glyphs, which test/engines/fonts/bitmaps.test.ts draws.
    expect(view.glyphs).toHaveLength(6);
    expect(view.sound).toBe(true);
    return;
  }
  const postScript = to === "otf" || (from === "otf" && to !== "ttf");
  const original = viewByFontTools(sampleOf(postScript ? "otf" : "ttf"));
  expect(view).toEqual(original);
};

const wrapped: Check = async ({ path, from, to, bundled, codes }) => {
  expect(codes).toEqual([]);
  if (!bundled) {
    sameFont(path, from, to);
    return;
  }
  await readZip(path, async (zip) => {
    const names = ["AnyformSample-Regular", "AnyformSample-Bold"];
    expect(zip.paths).toEqual(names.map((name) => `${name}.${to}`));
    const face = scratch.fresh();
    writeFileSync(face, (await zip.read(`AnyformSample-Regular.${to}`)) ?? "");
    sameFont(face, from, to);
  });
};

/** The complete font is at the end of the wrapper. */
const embedded: Check = (result) => {
  const bytes = readFileSync(result.path);
  expect(bytes.readUInt32LE(0)).toBe(bytes.length);
  const font = scratch.file(bytes.subarray(-bytes.readUInt32LE(4)));
  sameFont(font, result.from, result.to);
};

contract("font", { ttf: wrapped, otf: wrapped, woff: wrapped, woff2: wrapped, eot: embedded });
