import { execFileSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { sharpEngine } from "../../../functions/engines/pictures/sharp.ts";
import { codeOf, convertingBySharp } from "../support/convert.ts";
import { sampleOf } from "../support/fixtures.ts";
import { PICTURE_COLORS } from "../support/pictures/picture.ts";
import { scratchFolder } from "../support/scratch.ts";
import { taskOf } from "../support/task.ts";
import { withTool } from "../support/tools.ts";
import { distance, viewByMagick } from "../support/views.ts";

const scratch = scratchFolder();
const convert = convertingBySharp(scratch);

const TARGETS = ["jpg", "png", "webp", "gif", "tiff", "avif"] as const satisfies readonly FormatId[];

/** @returns the picture as changed by ImageMagick's program */
const byProgram = async (input: string, ...change: readonly string[]) => {
  const path = scratch.fresh();
  execFileSync("convert", [input, "-auto-orient", ...change, "+repage", `png:${path}`]);
  return viewByMagick(path, "png");
};

const SAME: readonly [Options, change: readonly string[]][] = [
  [{ rotate: 90 }, ["-rotate", "90"]],
  [{ rotate: 180 }, ["-rotate", "180"]],
  [{ rotate: 270 }, ["-rotate", "270"]],
  [{ flip: "horizontal" }, ["-flop"]],
  [{ flip: "vertical" }, ["-flip"]],
  [{ flip: "both" }, ["-flip", "-flop"]],
  [{ flip: "horizontal", rotate: 90 }, ["-flop", "-rotate", "90"]],
  [{ crop: "40,20,30,25" }, ["-crop", "30x25+40+20"]],
  [{ crop: "25%,50%,50%,50%" }, ["-crop", "48x32+24+32"]],
  [{ flip: "vertical", rotate: 270, crop: "10,20,40,50" }, ["-flip", "-rotate", "270", "-crop", "40x50+10+20"]],
];

/** The photo is stored rotated; decoders of JPEG differ by rounding. */
test
  .skipIf(!withTool("convert"))
  .each([
    ...SAME.map((row) => ["png", ...row, 0] as const),
    ...SAME.slice(-1).map((row) => ["jpg", ...row, 2] as const),
  ])("a %s with %j has the pixels of ImageMagick's", async (from, options, change, tolerance) => {
  const { pixels, ...view } = await viewByMagick((await convert(sampleOf(from), from, "png", options)).path, "png");
  const { pixels: expected, ...same } = await byProgram(sampleOf(from), ...change);
  expect(view).toEqual(same);
  expect(distance(pixels, expected)).toBeLessThanOrEqual(tolerance);
});

test("the area is cropped before the result is resized, and rotated first", async () => {
  const options = { rotate: 90, crop: "0,0,50%,100%", width: 64 } as const;
  const { path } = await convert(sampleOf("png"), "png", "png", options);
  expect(await viewByMagick(path, "png")).toMatchObject({ width: 64, height: 192 });
});

test.each(["90,0,10,10", "0,0,100,10", "0,60,10,5", "50%,0,52%,100%"])(
  "the area %s outside is refused",
  async (crop) => {
    expect(await codeOf(convert(sampleOf("png"), "png", "png", { crop }))).toBe("unsupported_feature");
  },
);

describe.each(TARGETS)("as %s", (to) => {
  test("every change applies together", async () => {
    const options = { flip: "both", rotate: 90, crop: "8,8,40,60", width: 80, blur: 1, sharpen: 1 } as const;
    const { path } = await convert(sampleOf("png"), "png", to, { ...options, watermark_text: "Draft" });
    expect(await viewByMagick(path, to)).toMatchObject({ width: 80, height: 120, orientation: 1, frames: 1 });
  });

  test("grayscale leaves no color", async () => {
    const { path } = await convert(sampleOf("png"), "png", to, { grayscale: true });
    const { pixels } = await viewByMagick(path, to);
    const colored = pixels.filter((_, index) => {
      const [red = 0, green = 0, blue = 0] = pixels.subarray(index, index + 3);
      return index % 3 === 0 && Math.max(red, green, blue) - Math.min(red, green, blue) > 2;
    });
    expect(colored.length).toBe(0);
    expect(new Set(pixels).size).toBeGreaterThan(2);
  });
});

test("a photo with a color profile becomes shades of gray with the luminance of its colors", async () => {
  const { path } = await convert(sampleOf("jpg"), "jpg", "png", { grayscale: true });
  const { channels, icc } = await sharp(path).metadata();
  expect([channels, icc]).toEqual([1, undefined]);
  const { pixels } = await viewByMagick(path, "png");
  for (const [index, color] of PICTURE_COLORS.entries()) {
    const [x, y] = [index % 2 === 0 ? 24 : 72, index < 2 ? 16 : 48];
    const [red = 0, green = 0, blue = 0] = color.map((value) => (value / 255) ** 2.2);
    const expected = 255 * (0.2126 * red + 0.7152 * green + 0.0722 * blue) ** (1 / 2.2);
    expect(Math.abs((pixels[(y * 96 + x) * 3] ?? 0) - expected)).toBeLessThan(5);
  }
});

test.skipIf(!withTool("convert"))("blur levels the pixels, and sharpen raises their contrast", async () => {
  const gaussian = { type: "gaussian", mean: 128, sigma: 30 } as const;
  const create = { width: 100, height: 100, channels: 3, background: "#888", noise: gaussian } as const;
  const input = scratch.file(await sharp({ create }).png().toBuffer());
  const deviation = async (options: Options): Promise<number> => {
    const { path } = await convert(input, "png", "png", options);
    return Number(execFileSync("convert", [path, "-format", "%[fx:standard_deviation]", "info:"]).toString());
  };
  const plain = await deviation({});
  expect(await deviation({ blur: 3 })).toBeLessThan(plain / 3);
  expect(await deviation({ sharpen: 2 })).toBeGreaterThan(plain * 1.2);
});

/** @returns how many pixels of each ninth of the picture differ from white */
const marked = async (path: string, to: FormatId): Promise<number[]> => {
  const { pixels, width, height } = await viewByMagick(path, to);
  const counts = Array.from({ length: 9 }, () => 0);
  for (let at = 0; at < pixels.length; at += 3) {
    const [x, y] = [(at / 3) % width, Math.floor(at / 3 / width)];
    const ninth = Math.floor((3 * y) / height) * 3 + Math.floor((3 * x) / width);
    counts[ninth] = (counts[ninth] ?? 0) + ((pixels[at + 1] ?? 255) < 200 ? 1 : 0);
  }
  return counts;
};

const white = async (width: number, height: number): Promise<string> =>
  scratch.file(
    await sharp({ create: { width, height, channels: 3, background: "#fff" } })
      .png()
      .toBuffer(),
  );

describe("a watermark", () => {
  const base = { watermark_text: "<Sample & Co>", watermark_opacity: 1, watermark_color: "#f00" } as const;

  test.each([
    ["center", 4],
    ["top", 1],
    ["bottom", 7],
    ["left", 3],
    ["right", 5],
    ["top_left", 0],
    ["top_right", 2],
    ["bottom_left", 6],
    ["bottom_right", 8],
  ] as const)("is at the %s", async (watermark_position, ninth) => {
    const options = { ...base, watermark_position, watermark_size: 25 };
    const counts = await marked((await convert(await white(600, 300), "png", "png", options)).path, "png");
    expect(counts.flatMap((count, index) => (count > 0 ? [index] : []))).toEqual([ninth]);
  });

  test("repeats over the whole picture", async () => {
    const options = { ...base, watermark_position: "tile", watermark_size: 20, watermark_rotation: -30 } as const;
    const counts = await marked((await convert(await white(600, 400), "png", "jpg", options)).path, "jpg");
    expect(Math.min(...counts)).toBeGreaterThan(100);
  });

  test("has the width, the color and the opacity of the options", async () => {
    const options = { ...base, watermark_size: 50, watermark_opacity: 0.5 };
    const { path } = await convert(await white(800, 400), "png", "png", options);
    const { data, info } = await sharp(path).removeAlpha().trim().raw().toBuffer({ resolveWithObject: true });
    expect(info.width).toBeGreaterThan(390);
    expect(info.width).toBeLessThanOrEqual(400);
    const darkest = data.reduce((least, value, index) => (index % 3 === 1 ? Math.min(least, value) : least), 255);
    expect(Math.abs(darkest - 128)).toBeLessThan(3);
    expect(data.every((value, index) => index % 3 !== 0 || value > 250)).toBe(true);
  });

  test("fits a picture of any shape", async () => {
    for (const [width, height] of [
      [1, 1],
      [3, 2],
      [2_000, 4],
      [4, 2_000],
    ] as const) {
      const options = { ...base, watermark_size: 100, watermark_rotation: 45 };
      const { path } = await convert(await white(width, height), "png", "webp", options);
      expect(await viewByMagick(path, "webp")).toMatchObject({ width, height });
    }
  });

  test("can be an image, with its colors and transparency", async () => {
    const square = { width: 40, height: 40, channels: 4, background: "#0000" } as const;
    const dot = { input: { create: { ...square, width: 20, height: 20, background: "#00f" } }, gravity: "center" };
    const path = scratch.file(await sharp({ create: square }).composite([dot]).png().toBuffer());
    const output = scratch.fresh();
    const optionFiles = { watermark_upload_id: { path, from: "png", name: "logo.png" } } as const;
    const options = { watermark_upload_id: "upl_x", watermark_size: 20, watermark_opacity: 1 };
    const task = { input: await white(200, 100), output, from: "png", to: "png", options, optionFiles } as const;
    await sharpEngine.convert(taskOf(task, scratch.folder));
    const { pixels } = await viewByMagick(output, "png");
    const at = (x: number, y: number) => [...pixels.subarray((y * 200 + x) * 3, (y * 200 + x) * 3 + 3)];
    expect([at(100, 50), at(85, 35), at(10, 10)]).toEqual([
      [0, 0, 255],
      [255, 255, 255],
      [255, 255, 255],
    ]);
  });

  test.each([
    ["a JPEG", "#00f", [127, 127, 255]],
    ["a JPEG in shades of gray", "#000", [127, 127, 127]],
  ] as const)("can be %s, which has no transparency", async (_, background, color) => {
    const create = { width: 40, height: 40, channels: 3, background } as const;
    const picture = sharp({ create });
    const jpeg = background === "#000" ? picture.grayscale().toColourspace("b-w") : picture;
    const path = scratch.file(await jpeg.jpeg({ quality: 100, chromaSubsampling: "4:4:4" }).toBuffer());
    const output = scratch.fresh();
    const optionFiles = { watermark_upload_id: { path, from: "jpg", name: "logo.jpg" } } as const;
    const options = { watermark_upload_id: "upl_x", watermark_size: 20, watermark_opacity: 0.5 };
    const task = { input: await white(200, 100), output, from: "png", to: "png", options, optionFiles } as const;
    await sharpEngine.convert(taskOf(task, scratch.folder));
    const { pixels } = await viewByMagick(output, "png");
    const center = [...pixels.subarray((50 * 200 + 100) * 3, (50 * 200 + 100) * 3 + 3)];
    expect(center.every((value, channel) => Math.abs(value - (color[channel] ?? 0)) <= 3)).toBe(true);
  });

  test("is gray on a picture in shades of gray", async () => {
    const { path } = await convert(await white(300, 200), "png", "webp", { ...base, grayscale: true, lossless: true });
    const { pixels } = await viewByMagick(path, "webp");
    expect(pixels.some((value) => value < 100)).toBe(true);
    expect(pixels.every((value, index) => value === pixels[index - (index % 3)])).toBe(true);
  });
});

/** @returns the number of frames of the animation, and their width and height, as counted by ImageMagick */
const framesIn = (path: string, to: FormatId): string[] =>
  execFileSync("identify", ["-format", "%w %h\n", `${to}:${path}`])
    .toString()
    .trim()
    .split("\n");

describe.skipIf(!withTool("identify"))("an animation", () => {
  const animated = (from: FormatId): string => sampleOf(from).replace(/sample\.\w+$/, `animated.${from}`);
  const options = { flip: "vertical", rotate: 90, crop: "0,0,50%,100%", blur: 0.5, watermark_text: "x" } as const;

  test.each([
    ["gif", "gif"],
    ["gif", "webp"],
    ["webp", "gif"],
    ["webp", "webp"],
  ] as const)("of %s keeps its frames as %s, each changed", async (from, to) => {
    const before = framesIn((await convert(animated(from), from, "gif", {})).path, "gif");
    const after = framesIn((await convert(animated(from), from, to, options)).path, to);
    const turned = before
      .map((size) => size.split(" ").map(Number))
      .map(([width = 0, height = 0]) => `${height >> 1} ${width}`);
    expect(after).toEqual(turned);
    expect(after.length).toBeGreaterThan(1);
  });

  test("keeps its frames from and to animated PNG", async () => {
    const apng = (await convert(animated("gif"), "gif", "apng", { rotate: 90 })).path;
    const gif = (await convert(apng, "apng", "gif", { rotate: 270 })).path;
    expect(framesIn(gif, "gif")).toEqual(framesIn(animated("gif"), "gif"));
    const [pixels, expected] = [await viewByMagick(gif, "gif"), await viewByMagick(animated("gif"), "gif")];
    expect(distance(pixels.pixels, expected.pixels)).toBeLessThan(2);
  });
});

test.skipIf(!withTool("identify"))("the pages of a TIFF are changed and stay in one file", async () => {
  const input = sampleOf("tiff").replace("sample.tiff", "pages.tiff");
  const { path } = await convert(input, "tiff", "tiff", { rotate: 90 });
  const turned = framesIn(input, "tiff").map((size) => size.split(" ").reverse().join(" "));
  expect(framesIn(path, "tiff")).toEqual(turned);
  expect(turned.length).toBeGreaterThan(1);
});

describe.each(["jpg", "webp", "avif"] as const)("target_size of %s", (to) => {
  test("is met with the best quality, or reported as missed", async () => {
    const gaussian = { type: "gaussian", mean: 128, sigma: 60 } as const;
    const create = { width: 200, height: 200, channels: 3, background: "#888", noise: gaussian } as const;
    const input = scratch.file(await sharp({ create }).png().toBuffer());
    const size = async (options: Options) => {
      const { path, warnings } = await convert(input, "png", to, options);
      expect((await viewByMagick(path, to)).width).toBe(200);
      return { bytes: statSync(path).size, warnings };
    };
    const half = (await size({ quality: 95 })).bytes / 2;
    const { bytes, warnings } = await size({ target_size: Math.round(half) });
    expect(bytes).toBeLessThanOrEqual(half);
    expect(bytes).toBeGreaterThan(half * 0.8);
    expect(warnings).toEqual([]);
    expect((await size({ target_size: 1_000 })).warnings).toEqual(["target_size_missed"]);
    expect((await size({ target_size: 1_000_000, quality: 30 })).bytes).toBe((await size({ quality: 30 })).bytes);
  });
});

test("several sizes become one file each, named by size", async () => {
  const folder = scratch.path("sizes");
  mkdirSync(folder);
  const options = { sizes: "24,60x60,12", fit: "cover", grayscale: true } as const;
  const task = { input: sampleOf("png"), output: scratch.fresh(), from: "png", to: "webp", options, folder } as const;
  const { parts = [] } = await sharpEngine.convert(taskOf(task, scratch.folder));
  const views = await Promise.all(parts.map(({ path }) => viewByMagick(path, "webp")));
  expect(views.map(({ width, height }, index) => [parts[index]?.name, width, height])).toEqual([
    ["24", 24, 16],
    ["60x60", 60, 60],
    ["12", 12, 8],
  ]);
});
