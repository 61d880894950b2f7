import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { PNG_SIGNATURE, pngChunk, pngChunks } from "../../../functions/engines/pictures/sharp/apng.ts";
import { sharpEngine } from "../../../functions/engines/pictures/sharp.ts";
import { animationControl, hugePng } from "../../support/png.ts";
import { codeOf, convertingBySharp } from "../support/convert.ts";
import { fixture } from "../support/fixtures.ts";
import { tiffOf } from "../support/pictures/tiff.ts";
import { scratchFolder } from "../support/scratch.ts";
import { taskOf } from "../support/task.ts";
import { distance, viewByMagick } from "../support/views.ts";

const scratch = scratchFolder();
const convert = convertingBySharp(scratch);

/** @returns the engine's result for a TIFF, with its parts */
const convertWhole = async (input: string, to: FormatId, options: Options = {}) =>
  sharpEngine.convert(taskOf({ input, output: scratch.fresh(), from: "tiff", to, options }, scratch.folder));

const ANIMATED = ["gif", "webp"] as const satisfies readonly FormatId[];
const STILL = ["jpg", "png", "tiff", "avif"] as const satisfies readonly FormatId[];

describe.each(ANIMATED)("animated %s", (from) => {
  test.each(ANIMATED)("keeps frames, display times and loop count in %s", async (to) => {
    const { path, warnings } = await convert(fixture(`animated.${from}`), from, to);
    expect(await sharp(path).metadata()).toMatchObject({ pages: 3, delay: [100, 200, 300], loop: 2, height: 24 });
    expect(await viewByMagick(path, to)).toMatchObject({ width: 32, height: 24, frames: 3 });
    expect(warnings).toEqual([]);
  });

  test.each(ANIMATED)("has each frame resized in %s", async (to) => {
    const { path } = await convert(fixture(`animated.${from}`), from, to, { width: 16 });
    expect(await viewByMagick(path, to)).toMatchObject({ width: 16, height: 12, frames: 3 });
  });

  test.each(STILL)("converts only the first frame to %s, with a warning", async (to) => {
    const { path, warnings } = await convert(fixture(`animated.${from}`), from, to);
    const view = await viewByMagick(path, to);
    expect(view).toMatchObject({ width: 32, height: 24, frames: 1 });
    const red = Uint8Array.from({ length: view.pixels.length }, (_, index) => [208, 48, 32][index % 3] ?? 0);
    expect(distance(view.pixels, red)).toBeLessThan(4);
    expect(warnings).toEqual(["frames_dropped"]);
  });
});

describe("pages", () => {
  test.each(["jpg", "png", "webp", "gif", "tiff", "avif"] as const)(
    "of different sizes become separate %s files, in order",
    async (to) => {
      const { parts, warnings } = await convertWhole(fixture("pages.tiff"), to);
      expect(parts?.map(({ name }) => name)).toEqual(["page-1", "page-2"]);
      const sizes = await Promise.all((parts ?? []).map(({ path }) => viewByMagick(path, to)));
      expect(sizes).toMatchObject([
        { width: 40, height: 30, frames: 1 },
        { width: 24, height: 18, frames: 1 },
      ]);
      expect(warnings).toEqual([]);
    },
  );

  test("of a TIFF are numbered so that they sort, and each is resized", async () => {
    const size = { width: 20, height: 10 };
    const input = scratch.file(tiffOf(Array.from({ length: 11 }, () => size)));
    const { parts = [] } = await convertWhole(input, "png", { width: 10 });
    expect(parts.map(({ name }) => name)).toEqual(parts.map(({ name }) => name).toSorted());
    expect(parts).toHaveLength(11);
    expect(await viewByMagick(parts[10]?.path ?? "", "png")).toMatchObject({ width: 10, height: 5 });
  });

  test("ignore reduced versions and masks", async () => {
    const size = { width: 40, height: 30 };
    const small = { width: 20, height: 15, tags: [[254, 1]] } as const;
    const mask = { ...size, tags: [[254, 4]] } as const;
    const { path, warnings } = await convert(scratch.file(tiffOf([size, small, mask])), "tiff", "png");
    expect(await viewByMagick(path, "png")).toMatchObject({ width: 40, height: 30 });
    expect(warnings).toEqual([]);
  });

  test("of the same size are all kept from TIFF to TIFF", async () => {
    const size = { width: 20, height: 10 };
    const { path, warnings } = await convert(scratch.file(tiffOf([size, size, size])), "tiff", "tiff");
    expect(await viewByMagick(path, "tiff")).toMatchObject({ ...size, frames: 3 });
    expect(warnings).toEqual([]);
  });
});

test("a PNG that declares frames but has none yields its still image, with a warning", async () => {
  const input = scratch.file(hugePng(8, 8, 8, [animationControl(2)]));
  const { path, warnings } = await convert(input, "png", "webp");
  expect(await viewByMagick(path, "webp")).toMatchObject({ width: 8, height: 8, frames: 1 });
  expect(warnings).toEqual(["frames_dropped"]);
});

/** @returns an animated PNG with the frames of another animation */
const apng = async (): Promise<string> => (await convert(fixture("animated.gif"), "gif", "apng")).path;

describe("an animated PNG", () => {
  test("has all frames of its source, complete, with their display times", async () => {
    const bytes = readFileSync(await apng());
    const controls = chunksOf(bytes).filter(({ type }) => type === "fcTL");
    expect(controls.map(({ data }) => (1_000 * data.readUInt16BE(20)) / data.readUInt16BE(22))).toEqual([
      100, 200, 300,
    ]);
    expect(
      chunksOf(bytes)
        .find(({ type }) => type === "acTL")
        ?.data.readUInt32BE(4),
    ).toBe(2);
    expect(chunksOf(bytes).filter(({ type }) => type === "fdAT")).not.toEqual([]);
  });

  test.each(ANIMATED)("keeps frames, display times and loop count in %s", async (to) => {
    const { path, warnings } = await convert(await apng(), "apng", to);
    expect(await sharp(path).metadata()).toMatchObject({ pages: 3, delay: [100, 200, 300], loop: 2, height: 24 });
    const third = await sharp(path, { page: 2 }).flatten({ background: "#fff" }).raw().toBuffer();
    const blue = Uint8Array.from({ length: third.length }, (_, index) => [32, 80, 192][index % 3] ?? 0);
    expect(distance(third, blue)).toBeLessThan(4);
    expect(warnings).toEqual([]);
  });

  test("has each frame resized", async () => {
    const { path } = await convert(await apng(), "apng", "webp", { width: 16 });
    expect(await sharp(path).metadata()).toMatchObject({ pages: 3, width: 16, height: 12 });
  });

  test.each(STILL)("converts only the first frame to %s, with a warning", async (to) => {
    const { path, warnings } = await convert(await apng(), "apng", to);
    expect(await viewByMagick(path, to)).toMatchObject({ width: 32, height: 24, frames: 1 });
    expect(warnings).toEqual(["frames_dropped"]);
  });

  test("of one frame loses nothing, so there is no warning", async () => {
    expect((await convert(fixture("sample.apng"), "apng", "jpg")).warnings).toEqual([]);
  });

  test("draws a frame at its position, over the remaining previous ones", async () => {
    const { path } = await convert(scratch.file(await patchwork()), "apng", "webp", { lossless: true });
    const colors = await Promise.all([0, 1, 2].map((page) => cornersOf(path, page)));
    expect(colors).toEqual([
      ["red", "red"],
      // Drawn over the first one, and removed before the third.
      ["red", "blue"],
      ["red", "clear"],
    ]);
  });

  test("that is truncated within a frame is corrupt", async () => {
    const bytes = Buffer.from(readFileSync(await apng()));
    const at = bytes.lastIndexOf("fdAT", undefined, "latin1");
    bytes.fill(0x55, at + 8, at + 20);
    expect(await codeOf(convert(scratch.file(bytes), "apng", "webp"))).toBe("source_corrupt");
  });

  test("with too many pixels for the memory is rejected", async () => {
    const control = Buffer.alloc(26);
    control.writeUInt32BE(9_000, 4);
    control.writeUInt32BE(9_000, 8);
    const frames = [animationControl(2), pngChunk("fcTL", control)];
    const tail = [pngChunk("fcTL", control), pngChunk("fdAT", Buffer.alloc(8))];
    const png = hugePng(9_000, 9_000, 1, frames);
    const END_BYTES = 12;
    const complete = Buffer.concat([png.subarray(0, -END_BYTES), ...tail, png.subarray(-END_BYTES)]);
    expect(await codeOf(convert(scratch.file(complete), "apng", "gif"))).toBe("too_many_pixels");
  });
});

const chunksOf = (bytes: Buffer) => [...pngChunks(bytes)];

/** Two pixels in red; then the right one in blue, laid over and to be cleared; then nothing. */
const patchwork = async (): Promise<Buffer> => {
  const dot = async (color: { r: number; g: number; b: number; alpha: number }, width: number) => {
    const png = await sharp({ create: { width, height: 1, channels: 4, background: color } })
      .png()
      .toBuffer();
    return chunksOf(png);
  };
  const control = (sequence: number, [width, left, dispose, blend]: readonly number[]): Buffer => {
    const data = Buffer.alloc(26);
    for (const [index, value] of [sequence, width, 1, left, 0].entries()) {
      data.writeUInt32BE(value ?? 0, index * 4);
    }
    data.set([0, 1, 0, 10, dispose ?? 0, blend ?? 0], 20);
    return pngChunk("fcTL", data);
  };
  const data = (chunks: Awaited<ReturnType<typeof dot>>, type: string, before: Buffer): Buffer[] =>
    chunks
      .filter(({ type: name }) => name === "IDAT")
      .map((chunk) => pngChunk(type, Buffer.concat([before, chunk.data])));
  const number = (value: number): Buffer => Buffer.from([0, 0, 0, value]);
  const red = await dot({ r: 255, g: 0, b: 0, alpha: 1 }, 2);
  const blue = await dot({ r: 0, g: 0, b: 255, alpha: 1 }, 1);
  const none = await dot({ r: 0, g: 0, b: 0, alpha: 0 }, 1);
  const header = red.find(({ type }) => type === "IHDR")?.data ?? Buffer.alloc(0);
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk("IHDR", header),
    animationControl(3),
    control(0, [2, 0, 0, 0]),
    ...data(red, "IDAT", Buffer.alloc(0)),
    control(1, [1, 1, 1, 1]),
    ...data(blue, "fdAT", number(2)),
    control(3, [1, 1, 0, 1]),
    ...data(none, "fdAT", number(4)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
};

const NAMES: Readonly<Record<string, string>> = { "255,0,0,255": "red", "0,0,255,255": "blue", "0,0,0,0": "clear" };

/** @returns the names of the colors of both pixels */
const cornersOf = async (path: string, page: number): Promise<(string | undefined)[]> => {
  const pixels = await sharp(path, { page }).ensureAlpha().raw().toBuffer();
  return [0, 4].map((at) => NAMES[[...pixels.subarray(at, at + 4)].join()]);
};

test("drops all frames that require rotation except the first, which is rotated", async () => {
  const turned = await sharp(fixture("animated.webp"), { animated: true })
    .withMetadata({ orientation: 6 })
    .webp({ lossless: true })
    .toBuffer();
  const { path, warnings } = await convert(scratch.file(turned), "webp", "webp");
  expect(await viewByMagick(path, "webp")).toMatchObject({ width: 24, height: 32, frames: 1, orientation: 1 });
  expect(warnings).toEqual(["frames_dropped"]);
});

test("a GIF without a trailer is complete", async () => {
  const complete = readFileSync(fixture("animated.gif"));
  const { path } = await convert(scratch.file(complete.subarray(0, -1)), "gif", "webp");
  expect(await viewByMagick(path, "webp")).toMatchObject({ frames: 3 });
});
