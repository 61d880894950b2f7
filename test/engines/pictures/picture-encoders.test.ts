import { readFileSync, statSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { fixture, sampleOf } from "../support/fixtures.ts";
import { PICTURE_HEIGHT, PICTURE_WIDTH, picturePixels } from "../support/pictures/picture.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";
import { distance, viewByMagick } from "../support/views.ts";

/** The output of ImageMagick and the icon writers, prepared by sharp. */

const scratch = scratchFolder();
const convert = convertingBy("magick", scratch);
const icons = convertingBy("icons", scratch);

const TARGETS = ["bmp", "tga", "jxl", "jp2", "psd", "qoi", "ppm", "pam", "pcx", "miff", "sgi", "dds"] as const;
const OPAQUE = ["ppm", "pcx", "pict", "j2k"] as const satisfies readonly FormatId[];
const CLEAR = ["bmp", "tga", "jxl", "jp2", "psd", "qoi", "pam", "miff", "sgi"] as const satisfies readonly FormatId[];

describe.each(TARGETS)("%s", (to) => {
  test("is rotated upright and has the colors of a Display P3 photo", async () => {
    const view = await viewByMagick((await convert(sampleOf("jpg"), ["jpg", to])).path, to);
    expect(view).toMatchObject({ width: PICTURE_WIDTH, height: PICTURE_HEIGHT, orientation: 1 });
    expect(distance(view.pixels, picturePixels())).toBeLessThan(4);
  });

  test("is resized and padded", async () => {
    const { path } = await convert(sampleOf("png"), ["png", to], { width: 48, height: 48, fit: "contain" });
    expect(await viewByMagick(path, to)).toMatchObject({ width: 48, height: 48 });
  });
});

test.each(OPAQUE)("transparency becomes white in %s, or the requested color", async (to) => {
  const corner = async (options: { background?: string }) =>
    (await viewByMagick((await convert(fixture("alpha.png"), ["png", to], options)).path, to)).pixels.subarray(0, 3);
  expect(distance(await corner({}), Uint8Array.from([255, 255, 255]))).toBeLessThan(6);
  expect(distance(await corner({ background: "#0000ff" }), Uint8Array.from([0, 0, 255]))).toBeLessThan(6);
});

test.each(CLEAR)("transparency is kept in %s", async (to) => {
  const { path } = await convert(fixture("alpha.png"), ["png", to]);
  const { path: png } = await convert(path, [to, "png"]);
  const { channels } = await sharp(png).stats();
  expect(channels[3]).toMatchObject({ min: 0, max: 255 });
});

describe.each(["jxl", "jp2"] as const)("%s", (to) => {
  test("is larger with a higher quality", async () => {
    const input = scratch.file(await noise());
    const bytes = async (quality: number) => statSync((await convert(input, ["png", to], { quality })).path).size;
    expect(await bytes(20)).toBeLessThan(await bytes(90));
  });

  test("lossless keeps every pixel", async () => {
    const input = scratch.file(await noise());
    const { path } = await convert(input, ["png", to], { lossless: true, quality: 1 });
    const original = await sharp(input).raw().toBuffer();
    expect(distance((await viewByMagick(path, to)).pixels, original)).toBe(0);
  });
});

/** Noise, which makes quality differences visible. */
const noise = (): Promise<Buffer> => {
  const gaussian = { type: "gaussian", mean: 128, sigma: 60 } as const;
  return sharp({ create: { width: 100, height: 100, channels: 3, background: "#888", noise: gaussian } })
    .png()
    .toBuffer();
};

describe("icons", () => {
  const sides = (path: string): number[] => {
    const bytes = readFileSync(path);
    return Array.from({ length: bytes.readUInt16LE(4) }, (_, index) => bytes[6 + index * 16] || 256);
  };

  test("for Windows have all sizes up to the first that contains the image", async () => {
    const { path } = await icons(sampleOf("png"), ["png", "ico"]);
    expect(sides(path)).toEqual([16, 24, 32, 48, 64, 128]);
    const { path: drawn } = await icons(sampleOf("svg"), ["svg", "ico"]);
    expect(sides(drawn)).toEqual([16, 24, 32, 48, 64, 128, 256]);
  });

  test("have no size above the requested width", async () => {
    const { path } = await icons(sampleOf("svg"), ["svg", "ico"], { width: 48 });
    expect(sides(path)).toEqual([16, 24, 32, 48]);
  });

  test("are square, with the image centered on transparency or on the requested color", async () => {
    const corner = async (options: { background?: string; fit?: "cover" }) => {
      const { path } = await icons(sampleOf("png"), ["png", "ico"], options);
      const { path: png } = await convert(path, ["ico", "png"]);
      return [...(await sharp(png).ensureAlpha().raw().toBuffer()).subarray(0, 4)];
    };
    expect((await corner({}))[3]).toBe(0);
    expect(await corner({ background: "#0000ff" })).toEqual([0, 0, 255, 255]);
    expect((await corner({ fit: "cover" })).slice(0, 3)).toEqual([208, 48, 32]);
  });

  test("for Apple contain PNGs of the sizes that their names declare", async () => {
    const bytes = readFileSync((await icons(sampleOf("svg"), ["svg", "icns"])).path);
    const parts: Record<string, number> = {};
    for (let at = 8; at < bytes.length; at += bytes.readUInt32BE(at + 4)) {
      parts[bytes.toString("latin1", at, at + 4)] = bytes.readUInt32BE(at + 8 + 16);
    }
    expect(parts).toMatchObject({ icp4: 16, ic11: 32, icp6: 64, ic07: 128, ic08: 256, ic14: 512, ic10: 1_024 });
  });

  test("can be created from a much larger image", async () => {
    const large = scratch.file(await sharp(sampleOf("png")).resize(6_000, 4_000).png().toBuffer());
    expect(sides((await icons(large, ["png", "ico"])).path).at(-1)).toBe(256);
  });
});
