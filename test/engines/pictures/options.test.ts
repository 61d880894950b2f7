import { readFileSync, statSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { QUALITY } from "../../../functions/domain/conversions/by-engine/pictures/qualities.ts";
import { WATERMARK } from "../../../functions/domain/conversions/by-engine/pictures/raster.ts";
import { conversions } from "../../../functions/domain/conversions/conversions.ts";
import type { OptionName, Options } from "../../../functions/domain/conversions/options.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { sharpEngine } from "../../../functions/engines/pictures/sharp.ts";
import { convertingBySharp } from "../support/convert.ts";
import { fixture, sampleOf } from "../support/fixtures.ts";
import { PICTURE_HEIGHT, PICTURE_WIDTH, picturePixels } from "../support/pictures/picture.ts";
import { scratchFolder } from "../support/scratch.ts";
import { taskOf } from "../support/task.ts";
import { distance, viewByMagick, viewBySharp } from "../support/views.ts";

const scratch = scratchFolder();
const convert = convertingBySharp(scratch);

const TARGETS = ["jpg", "png", "webp", "gif", "tiff", "avif"] as const satisfies readonly FormatId[];
const LOSSLESS_OPTION = ["webp", "avif"] as const;

/** Noise, which makes quality differences visible. */
const noise = async (): Promise<string> => {
  const gaussian = { type: "gaussian", mean: 128, sigma: 60 } as const;
  const create = { width: 200, height: 200, channels: 3, background: "#888", noise: gaussian } as const;
  return scratch.file(await sharp({ create }).png().toBuffer());
};

describe.each(["jpg", "webp", "avif"] as const)("quality of %s", (to) => {
  test("produces a larger file when higher", async () => {
    const input = await noise();
    const bytes = async (options: Options) => statSync((await convert(input, "png", to, options)).path).size;
    const [low, standard, high] = [await bytes({ quality: 20 }), await bytes({}), await bytes({ quality: 95 })];
    expect(low).toBeLessThan(standard);
    expect(standard).toBeLessThan(high);
  });
});

/** Whether the Huffman codes are those of the JPEG standard (ITU-T T.81, K.3.3): 420 bytes in four tables. */
const hasStandardCodes = (jpeg: Buffer): boolean => {
  let bytes = 0;
  for (let at = 2; jpeg.readUInt16BE(at) !== 0xffda; at += 2 + jpeg.readUInt16BE(at + 2)) {
    bytes += jpeg.readUInt16BE(at) === 0xffc4 ? jpeg.readUInt16BE(at + 2) - 2 : 0;
  }
  return bytes === 416;
};

test.each<[string, number, Options, boolean]>([
  ["of 0.1 megapixels has standard Huffman codes", 316, {}, true],
  ["that is larger has its own, which are smaller", 317, {}, false],
  ["with a limited size has its own", 100, { target_size: 5_000 }, false],
  ["with another quality has its own", 100, { quality: 60 }, false],
])("a JPEG %s", async (_, width, options, isStandard) => {
  const { path } = await convert(await noise(), "png", "jpg", { width, ...options });
  expect(hasStandardCodes(readFileSync(path))).toBe(isStandard);
});

test("standard Huffman codes change no pixel, and add less than 10%, even of noise", async () => {
  const input = await noise();
  const larger = readFileSync((await convert(input, "png", "jpg")).path);
  const smaller = await sharp(input).jpeg({ quality: QUALITY.jpg }).toBuffer();
  const [pixels, same] = await Promise.all([larger, smaller].map((jpeg) => sharp(jpeg).raw().toBuffer()));
  expect([hasStandardCodes(larger), hasStandardCodes(smaller)]).toEqual([true, false]);
  expect(pixels?.equals(same ?? Buffer.alloc(0))).toBe(true);
  expect(larger.length).toBeLessThan(smaller.length * 1.1);
});

test.each(LOSSLESS_OPTION)("lossless %s keeps every pixel", async (to) => {
  const input = await noise();
  const { path } = await convert(input, "png", to, { lossless: true, quality: 1 });
  expect(distance((await viewByMagick(path, to)).pixels, (await viewBySharp(input)).pixels)).toBe(0);
});

/** The sample image is 96 × 64. */
const SIZES: readonly [Options, width: number, height: number][] = [
  [{ width: 48 }, 48, 32],
  [{ height: 16 }, 24, 16],
  [{ width: 192 }, 192, 128],
  [{ width: 60, height: 60 }, 60, 40],
  [{ width: 60, height: 60, fit: "inside" }, 60, 40],
  [{ width: 60, height: 60, fit: "outside" }, 90, 60],
  [{ width: 60, height: 60, fit: "cover" }, 60, 60],
  [{ width: 60, height: 60, fit: "contain" }, 60, 60],
  [{ width: 60, height: 60, fit: "fill" }, 60, 60],
];

describe.each(TARGETS)("size of %s", (to) => {
  test.each(SIZES)("%j gives %d × %d", async (options, width, height) => {
    const { path } = await convert(sampleOf("png"), "png", to, options);
    expect(await viewByMagick(path, to)).toMatchObject({ width, height });
  });
});

test.each(SIZES)("a rotated photo is fitted as displayed: %j gives %d × %d", async (options, width, height) => {
  const { path } = await convert(sampleOf("jpg"), "jpg", "png", options);
  expect(await viewByMagick(path, "png")).toMatchObject({ width, height });
});

test("an SVG is rendered at the requested size, not enlarged after rendering", async () => {
  const { path } = await convert(sampleOf("svg"), "svg", "png", { width: 960 });
  const { pixels } = await viewByMagick(path, "png");
  expect(distance(pixels, picturePixels(960, 640))).toBeLessThan(0.01);
});

/** @returns the RGBA color of the pixel */
const pixelAt = async (path: string, left: number, top: number): Promise<number[]> => {
  const one = sharp(path).extract({ left, top, width: 1, height: 1 });
  return [...(await one.toColourspace("srgb").ensureAlpha().raw().toBuffer())];
};

const isNear = (color: readonly number[], expected: readonly number[]): boolean =>
  color.length === expected.length && color.every((value, index) => Math.abs(value - (expected[index] ?? 0)) <= 6);

describe("the background of transparent pixels", () => {
  const cases: readonly [FormatId, Options, readonly number[]][] = [
    ["jpg", {}, [255, 255, 255, 255]],
    ["jpg", { background: "#0000ff" }, [0, 0, 255, 255]],
    ["jpg", { background: "#00f" }, [0, 0, 255, 255]],
    ["jpg", { background: "#0000ff80" }, [127, 127, 255, 255]],
    ["png", { background: "#ff8000" }, [255, 128, 0, 255]],
    ["webp", { background: "#ff8000", lossless: true }, [255, 128, 0, 255]],
    ["tiff", { background: "#ff8000" }, [255, 128, 0, 255]],
    ["gif", { background: "#ff8000" }, [255, 128, 0, 255]],
    ["avif", { background: "#ff8000", lossless: true }, [255, 128, 0, 255]],
  ];
  test.each(cases)("in %s with %j", async (to, options, color) => {
    const { path } = await convert(fixture("alpha.png"), "png", to, options);
    expect(await pixelAt(path, 0, 0)).toSatisfy((seen) => isNear(seen, color));
  });

  test.each(["png", "webp", "gif", "tiff", "avif"] as const)("they stay transparent in %s", async (to) => {
    const { path } = await convert(fixture("alpha.png"), "png", to);
    expect((await pixelAt(path, 0, 0))[3]).toBe(0);
    expect((await pixelAt(path, PICTURE_WIDTH / 2, PICTURE_HEIGHT / 2))[3]).toBe(255);
  });
});

describe("padding of `contain`", () => {
  const square: Options = { width: 96, height: 96, fit: "contain" };
  const cases: readonly [string, FormatId, FormatId, Options, readonly number[]][] = [
    ["sample.png", "png", "jpg", {}, [255, 255, 255, 255]],
    ["sample.png", "png", "jpg", { background: "#123456" }, [18, 52, 86, 255]],
    ["sample.png", "png", "png", {}, [0, 0, 0, 0]],
    ["sample.png", "png", "png", { background: "#12345680" }, [18, 52, 86, 128]],
    ["alpha.png", "png", "webp", { lossless: true }, [0, 0, 0, 0]],
    ["grey.png", "png", "png", { background: "#ff0000" }, [255, 0, 0, 255]],
    ["grey.png", "png", "jpg", { background: "#ff0000" }, [254, 0, 0, 255]],
    ["animated.gif", "gif", "gif", { background: "#ff0000" }, [255, 0, 0, 255]],
  ];
  test.each(cases)("%s as %s to %s with %j", async (name, from, to, options, color) => {
    const { path } = await convert(fixture(name), from, to, { ...square, ...options });
    expect(await pixelAt(path, 0, 0)).toSatisfy((seen) => isNear(seen, color));
  });
});

test.each(["gif", "webp"] as const)("split creates a file for each frame of a %s, resized", async (from) => {
  const task = { input: fixture(`animated.${from}`), output: scratch.fresh(), from, to: "png" } as const;
  const { pages } = await sharp(task.input, { pages: -1 }).metadata();
  const options = { split: true, width: 12 };
  const { parts = [], warnings } = await sharpEngine.convert(taskOf({ ...task, options }, scratch.folder));
  expect([parts.length, parts[0]?.name, warnings]).toEqual([pages, "frame-1", []]);
  for (const { path } of parts) {
    expect(await viewByMagick(path, "png")).toMatchObject({ width: 12 });
  }
});

test("covers every option of sharp conversions", () => {
  const proved: OptionName[] = [
    "quality",
    "lossless",
    "width",
    "height",
    "fit",
    "background",
    "strip_metadata",
    "split",
    // In changes.test.ts.
    ...(["target_size", "flip", "rotate", "crop", "grayscale", "blur", "sharpen", "sizes"] as const),
    ...WATERMARK,
  ];
  const declared = conversions.filter(({ engine }) => engine === "sharp").flatMap(({ options }) => options);
  expect(proved).toEqual(expect.arrayContaining([...new Set(declared)]));
});
