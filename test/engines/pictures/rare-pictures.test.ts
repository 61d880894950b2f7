import { readFileSync, writeFileSync } from "node:fs";
import { ColorSpace, ImageMagick, MagickFormat } from "@imagemagick/magick-wasm";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { detectFormat } from "../../../functions/domain/formats/detect.ts";
import { magickEngine } from "../../../functions/engines/pictures/magick.ts";
import { codeOf } from "../support/convert.ts";
import { fixture, sampleOf } from "../support/fixtures.ts";
import { greenProfile } from "../support/pictures/cmyk.ts";
import { PICTURE_HEIGHT, PICTURE_WIDTH, picturePixels } from "../support/pictures/picture.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, taskOf } from "../support/task.ts";
import { distance, viewBySharp } from "../support/views.ts";

/** Formats that only ImageMagick reads: truncated, oversized and invalid files. */

const scratch = scratchFolder();
const rare = [
  ...([
    "bmp",
    "jxl",
    "jp2",
    "j2k",
    "psd",
    "psb",
    "qoi",
    "ico",
    "cur",
    "icns",
    "tga",
    "dds",
    "pbm",
    "pgm",
    "ppm",
  ] as const),
  ...(["pam", "pcx", "xbm", "xpm", "wbmp", "pict", "miff", "xcf", "sgi", "ras", "farbfeld"] as const),
];

const convertBy = (engine: "icons" | "magick") => convertingBy(engine, scratch);
const convert = convertBy("magick");

const toPng = (input: string, from: (typeof rare)[number]) => {
  const output = scratch.fresh();
  return magickEngine
    .convert(taskOf({ input, output, from, to: "png" }, scratch.folder))
    .then(() => sharp(output).metadata());
};

describe.each(rare)("a %s", (from) => {
  test("that is truncated halfway fails as corrupt, without a partial image", async () => {
    const bytes = readFileSync(sampleOf(from));
    expect(await codeOf(toPng(scratch.file(bytes.subarray(0, Math.floor(bytes.length / 2))), from))).toBe(
      "source_corrupt",
    );
  });

  test("with only its first bytes is rejected with the right code", async () => {
    const head = scratch.fresh();
    writeFileSync(head, readFileSync(sampleOf(from)).subarray(0, 24));
    expect(["source_corrupt", "unsupported_feature"]).toContain(await codeOf(toPng(head, from)));
  });
});

describe.each(["dng", "orf", "raf", "rw2"] as const)("a camera raw file in %s", (from) => {
  test("is developed with its colors, and reports that its metadata is dropped", async () => {
    const output = scratch.fresh();
    const { warnings } = await magickEngine.convert(
      taskOf({ input: sampleOf(from), output, from, to: "png" }, scratch.folder),
    );
    expect(distance((await viewBySharp(output)).pixels, picturePixels())).toBeLessThan(60);
    expect(warnings.map(({ code }) => code)).toEqual(["metadata_dropped"]);
  });

  test("that is truncated fails, without a partial image", async () => {
    const bytes = readFileSync(sampleOf(from));
    const input = scratch.file(bytes.subarray(0, bytes.length - 6_000));
    const running = magickEngine.convert(taskOf({ input, output: scratch.fresh(), from, to: "png" }, scratch.folder));
    expect(["source_corrupt", "unsupported_feature"]).toContain(await codeOf(running));
  });
});

test.each([1, 2, 3, 4, 5, 6, 7, 8] as const)(
  "orientation %d of a JPEG XL is applied to its pixels",
  async (orientation) => {
    const output = scratch.fresh();
    await magickEngine.version();
    const input = scratch.fresh();
    ImageMagick.read(readFileSync(sampleOf("png")), MagickFormat.Png, (image) => {
      image.orientation = orientation;
      image.quality = 100;
      image.write(MagickFormat.Jxl, (bytes) => writeFileSync(input, bytes));
    });
    await magickEngine.convert(taskOf({ input, output, from: "jxl", to: "png" }, scratch.folder));
    const { data } = await sharp(output).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const stored = sharp(picturePixels(), { raw: { width: PICTURE_WIDTH, height: PICTURE_HEIGHT, channels: 3 } });
    const upright = await sharp(await stored.jpeg({ quality: 100 }).withMetadata({ orientation }).toBuffer())
      .autoOrient()
      .raw()
      .toBuffer();
    expect(distance(data, upright)).toBeLessThan(4);
  },
);

test("a BMP that declares 60,000 × 60,000 pixels is rejected before memory is allocated", async () => {
  const bytes = Buffer.from(readFileSync(sampleOf("bmp")));
  bytes.writeInt32LE(60_000, 18);
  bytes.writeInt32LE(60_000, 22);
  expect(await codeOf(toPng(scratch.file(bytes), "bmp"))).toBe("too_many_pixels");
});

test("a CMYK PSD keeps its colors, with a warning", async () => {
  await magickEngine.version();
  const input = scratch.fresh();
  ImageMagick.read(readFileSync(sampleOf("png")), MagickFormat.Png, (image) => {
    image.colorSpace = ColorSpace.CMYK;
    image.write(MagickFormat.Psd, (bytes) => writeFileSync(input, bytes));
  });
  const output = scratch.fresh();
  const { warnings } = await magickEngine.convert(taskOf({ input, output, from: "psd", to: "png" }, scratch.folder));
  expect(warnings.map(({ code }) => code)).toEqual(["colors_converted"]);
  expect(distance((await viewBySharp(output)).pixels, picturePixels())).toBeLessThan(2);
});

test("a CMYK PSD has the colors of its profile", async () => {
  await magickEngine.version();
  const input = scratch.fresh();
  ImageMagick.read(readFileSync(sampleOf("png")), MagickFormat.Png, (image) => {
    image.colorSpace = ColorSpace.CMYK;
    image.setProfile("icc", greenProfile());
    image.write(MagickFormat.Psd, (bytes) => writeFileSync(input, bytes));
  });
  const { path, codes } = await convert(input, ["psd", "png"]);
  const { channels } = await sharp(path).stats();
  const [red = 0, green = 0, blue = 0] = channels.map(({ mean }) => mean);
  expect(Math.min(green - red, green - blue)).toBeGreaterThan(60);
  expect(codes).toEqual([]);
});

test("converts the largest size of an icon", async () => {
  const { path } = await convertBy("icons")(sampleOf("png"), ["png", "ico"]);
  const { path: png } = await convert(path, ["ico", "png"]);
  expect(await sharp(png).metadata()).toMatchObject({ width: 128, height: 128, hasAlpha: true });
});

test("converts the first frame of an animated JPEG XL, with a warning", async () => {
  await magickEngine.version();
  const input = scratch.fresh();
  ImageMagick.readCollection(readFileSync(fixture("animated.gif")), MagickFormat.Gif, (images) =>
    images.write(MagickFormat.Jxl, (bytes) => writeFileSync(input, bytes)),
  );
  const { path, codes } = await convert(input, ["jxl", "png"]);
  expect(codes).toEqual(["frames_dropped"]);
  expect(await sharp(path).metadata()).toMatchObject({ width: 32, height: 24 });
});

test("warns about more than eight bits per channel", async () => {
  const { codes } = await convert(sampleOf("farbfeld"), ["farbfeld", "png"]);
  expect(codes).toEqual(["depth_reduced"]);
});

describe("an Apple icon", () => {
  const icns = (...parts: readonly (readonly [string, Buffer])[]): string => {
    const bodies = parts.map(([type, bytes]) => {
      const head = Buffer.alloc(8);
      head.write(type, "latin1");
      head.writeUInt32BE(bytes.length + 8, 4);
      return Buffer.concat([head, bytes]);
    });
    const head = Buffer.from("icns\0\0\0\0", "latin1");
    head.writeUInt32BE(8 + bodies.reduce((sum, { length }) => sum + length, 0), 4);
    return scratch.file(Buffer.concat([head, ...bodies]));
  };
  const SIDE = 16;
  /** Runs of up to 130 equal values: red, then green, then blue of all pixels. */
  const plane = (value: number): number[] => [0xff, value, 0xfb, value].slice(0, 4);
  const packed = Buffer.from([...plane(208), ...plane(48), ...plane(32)]);

  test("with packed pixels keeps them and its mask", async () => {
    const mask = Buffer.alloc(SIDE * SIDE, 128);
    const { path } = await convert(icns(["is32", packed], ["s8mk", mask]), ["icns", "png"]);
    const { data, info } = await sharp(path).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: SIDE, height: SIDE, channels: 4 });
    expect([...data.subarray(0, 4)]).toEqual([208, 48, 32, 128]);
    expect([...data.subarray(-4)]).toEqual([208, 48, 32, 128]);
  });

  test("with JPEG 2000 is read, and the largest part is used", async () => {
    const input = icns(["is32", packed], ["ic08", readFileSync(sampleOf("jp2"))]);
    const { path } = await convert(input, ["icns", "png"]);
    expect(distance((await viewBySharp(path)).pixels, picturePixels())).toBeLessThan(0.5);
  });

  test.each([
    ["no parts", icns, "source_corrupt"],
    ["only other parts", () => icns(["TOC ", Buffer.alloc(4)]), "unsupported_feature"],
    ["too few packed pixels", () => icns(["is32", packed.subarray(0, 6)]), "source_corrupt"],
    ["an invalid PNG", () => icns(["ic07", Buffer.from("89504e470d0a1a0a00", "hex")]), "source_corrupt"],
  ] as const)("with %s is rejected", async (_, input, code) => {
    expect(await codeOf(convert(input(), ["icns", "png"]))).toBe(code);
  });
});

test("a text that starts like a BMP is detected as text", () => {
  expect(detectFormat(Buffer.from("BMW and Audi, and others, too, make cars."))).toBe("txt");
});
