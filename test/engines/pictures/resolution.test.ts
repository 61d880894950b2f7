import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { pngChunk, pngChunks } from "../../../functions/engines/pictures/sharp/apng.ts";
import { sharpEngine } from "../../../functions/engines/pictures/sharp.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";

/** Images without metadata except for their resolution: results state what the source states, and nothing else. */

const PIXELS = { create: { width: 40, height: 30, channels: 4, background: "#c83c" } } as const;

/** @param unit 1: pixels per meter; 0: their ratio */
const phys = (across: number, down: number, unit: number): Buffer => {
  const data = Buffer.alloc(9);
  data.writeUInt32BE(across, 0);
  data.writeUInt32BE(down, 4);
  data[8] = unit;
  return pngChunk("pHYs", data);
};

/** A PNG with these chunks before its pixels. */
const png = async (...chunks: readonly Buffer[]): Promise<Buffer> => {
  const plain = await sharp(PIXELS).png().toBuffer();
  const parts = [...pngChunks(plain)]
    .filter(({ type }) => type !== "pHYs")
    .flatMap(({ type, data }) => [...(type === "IDAT" ? chunks : []), pngChunk(type, data)]);
  return Buffer.concat([plain.subarray(0, 8), ...parts]);
};

/** @param fields unit and densities of the JFIF segment */
const jfif = (fields: string): Buffer => Buffer.from(`ffe000104a464946000102${fields}0000`, "hex");

/** A JPEG with these segments at its start. */
const jpeg = async (...segments: readonly Buffer[]): Promise<Buffer> => {
  const plain = await sharp(PIXELS).flatten().jpeg().toBuffer();
  return Buffer.concat([plain.subarray(0, 2), ...segments, plain.subarray(2)]);
};

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** Converts bytes, then a file, which must have the same result. */
const converted = async (input: Buffer, from: FormatId, to: FormatId): Promise<Buffer> => {
  const [source, output, own] = [join(folder.path, "in"), join(folder.path, "out"), join(folder.path, "own")];
  writeFileSync(source, input);
  mkdirSync(own, { recursive: true });
  const task = { from, to, options: {}, optionFiles: {} };
  const made = await sharpEngine.convertBytes?.({ ...task, input });
  await sharpEngine.convert({ ...task, input: source, output, folder: own, further: [], progress: () => {} });
  const written = readFileSync(output);
  expect(written.equals(made?.bytes ?? new Uint8Array())).toBe(true);
  return written;
};

describe("the resolution of an image without other metadata", () => {
  it.each([
    ["a PNG of 72 pixels per inch", () => png(phys(2835, 2835, 1)), "png", "01 0048 0048"],
    ["the same, rounded down", () => png(phys(2834, 2834, 1)), "png", "01 0048 0048"],
    ["a PNG of 300 pixels per inch", () => png(phys(11811, 11811, 1)), "png", "01 012c 012c"],
    ["a JPEG of 300 pixels per inch", () => jpeg(jfif("01012c012c")), "jpg", "01 012c 012c"],
    ["a JPEG of 100 pixels per centimeter", () => jpeg(jfif("0200640064")), "jpg", "02 0064 0064"],
    ["a PNG without one", () => png(), "png", "00 0001 0001"],
    ["a JPEG without one", () => jpeg(), "jpg", "00 0001 0001"],
    ["a JPEG of square pixels", () => jpeg(jfif("0000010001")), "jpg", "00 0001 0001"],
  ] as const)("is stated by the JFIF segment of its JPEG: %s", async (_, make, from, fields) => {
    const result = await converted(await make(), from, "jpg");
    const segment = `4a46494600 0102 ${fields} 0000`.replaceAll(" ", "");
    expect(result.toString("hex", 0, 20)).toBe(`ffd8ffe00010${segment}`);
    const { exif, density, width, height } = await sharp(result).metadata();
    const stated = { "01": 1, "02": 2.54 }[fields.slice(0, 2)];
    expect([exif, width, height]).toEqual([undefined, 40, 30]);
    expect(stated === undefined ? 72 : Number.parseInt(fields.slice(3, 7), 16) * stated).toBeCloseTo(density ?? 0, 0);
  });

  it.each([
    ["of different density across and down", phys(2835, 5669, 1)],
    ["that is only a ratio", phys(1, 2, 0)],
    ["that JFIF cannot express", phys(2000, 2000, 1)],
  ])("is left to EXIF: one %s", async (_, chunk) => {
    const { exif } = await sharp(await converted(await png(chunk), "png", "jpg")).metadata();
    expect(exif).toBeDefined();
  });

  it("is left to EXIF in WebP, which has no field for it", async () => {
    expect(
      (await sharp(await converted(await png(phys(11811, 11811, 1)), "png", "webp")).metadata()).exif,
    ).toBeDefined();
    expect((await sharp(await converted(await png(), "png", "webp")).metadata()).exif).toBeUndefined();
  });

  it("stays that of a PNG", async () => {
    const result = await converted(await jpeg(jfif("01012c012c")), "jpg", "png");
    expect(await sharp(result).metadata()).toMatchObject({ density: 300 });
    expect((await sharp(result).metadata()).exif).toBeUndefined();
  });
});
