import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import { installedEngines } from "../../../local/engines/installed.ts";
import { codeOf } from "../support/convert.ts";
import { fixture, sampleOf } from "../support/fixtures.ts";
import { withRotation } from "../support/pictures/heic.ts";
import { PICTURE_HEIGHT, PICTURE_WIDTH, picturePixels } from "../support/pictures/picture.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, isInstalled } from "../support/task.ts";
import { withTool } from "../support/tools.ts";
import { distance, viewByMagick } from "../support/views.ts";

/** HEIC to JPEG with libheif's program, if installed. */

const scratch = scratchFolder();
const convert = convertingBy("heif", scratch);
const HEIC_TO_JPG = ["heic", "jpg"] as const;

/** A photo as created by phones, in 4:2:0, held sideways: rotated by property and by EXIF tag. */
const photo = (): string => scratch.file(withRotation(readFileSync(fixture("photo.heic")), 3));

test("WebAssembly is used without the program", () => {
  const engines = new Set(installedEngines().keys());
  engines.delete("heif");
  expect(
    planRoutes(engines)
      .find("heic", "jpg")
      ?.steps.map(({ engine }) => engine),
  ).toEqual(["magick", "sharp"]);
  engines.add("heif");
  expect(
    planRoutes(engines)
      .find("heic", "jpg")
      ?.steps.map(({ engine }) => engine),
  ).toEqual(["heif"]);
});

describe.skipIf(!withTool("heif-convert") || !isInstalled("heif"))("heif-convert", () => {
  test.each([{}, { quality: 95 }, { width: PICTURE_WIDTH }, { background: "#ffffff" }])(
    "rotates a photo once, and keeps profile and EXIF, with %j",
    async (options) => {
      const { path, codes } = await convert(photo(), HEIC_TO_JPG, options);
      const view = await viewByMagick(path, "jpg");
      expect(view).toMatchObject({ width: PICTURE_WIDTH, height: PICTURE_HEIGHT, orientation: 1, frames: 1 });
      expect(distance(view.pixels, picturePixels())).toBeLessThan(5);
      const { icc, exif, orientation } = await sharp(path).metadata();
      expect(icc).toEqual((await sharp(sampleOf("jpg")).metadata()).icc);
      expect(exif?.includes("Anyform")).toBe(true);
      expect({ orientation, codes }).toEqual({ orientation: 1, codes: ["location_kept"] });
    },
  );

  test("an EXIF tag alone rotates nothing", async () => {
    const { path } = await convert(fixture("photo.heic"), HEIC_TO_JPG);
    const view = await viewByMagick(path, "jpg");
    expect(view).toMatchObject({ width: PICTURE_HEIGHT, height: PICTURE_WIDTH, orientation: 1 });
  });

  test("the quality is 85 by default", async () => {
    const made = async (options: { quality?: number }) =>
      readFileSync((await convert(photo(), HEIC_TO_JPG, options)).path);
    expect((await made({})).equals(await made({ quality: 85 }))).toBe(true);
    expect((await made({})).equals(await made({ quality: 80 }))).toBe(false);
  });

  test("a higher quality makes a larger file", async () => {
    const bytes = async (quality: number) =>
      readFileSync((await convert(photo(), HEIC_TO_JPG, { quality })).path).length;
    expect(await bytes(20)).toBeLessThan(await bytes(98));
  });

  test("metadata is removed when requested, and colors stay the same", async () => {
    const { path } = await convert(photo(), HEIC_TO_JPG, { strip_metadata: "all" });
    const { icc, exif } = await sharp(path).metadata();
    expect({ icc, exif }).toEqual({ icc: undefined, exif: undefined });
    expect(distance((await viewByMagick(path, "jpg")).pixels, picturePixels())).toBeLessThan(5);
  });

  test("flattens transparency on white, or on the requested color", async () => {
    const corner = async (options: { background?: string }) => {
      const { path } = await convert(fixture("alpha.heic"), HEIC_TO_JPG, options);
      return (await viewByMagick(path, "jpg")).pixels.subarray(0, 3);
    };
    expect(distance(await corner({}), Uint8Array.from([255, 255, 255]))).toBeLessThan(4);
    expect(distance(await corner({ background: "#0000ff" }), Uint8Array.from([0, 0, 255]))).toBeLessThan(6);
  });

  test("ten bits and full-resolution chroma keep their appearance", async () => {
    const { path } = await convert(fixture("deep.heic"), HEIC_TO_JPG, { quality: 95 });
    const original = await sharp(fixture("deep.png")).toColourspace("srgb").raw().toBuffer();
    expect(distance((await viewByMagick(path, "jpg")).pixels, original)).toBeLessThan(4);
    const { path: full } = await convert(sampleOf("heic"), HEIC_TO_JPG, { quality: 95 });
    expect(distance((await viewByMagick(full, "jpg")).pixels, picturePixels())).toBeLessThan(4);
  });

  test("converts the primary image of several, with a warning about the others", async () => {
    const { path, codes } = await convert(fixture("pictures.heic"), HEIC_TO_JPG);
    const { channels } = await sharp(path).stats();
    // The first one, which is the primary one, is gray.
    expect(Math.abs((channels[0]?.mean ?? 0) - (channels[2]?.mean ?? 255))).toBeLessThan(3);
    expect(codes).toEqual(["frames_dropped"]);
  });

  test.each([0.1, 0.5, 0.9])("a HEIC truncated at %d of its length is corrupt", async (part) => {
    const bytes = readFileSync(fixture("photo.heic"));
    const input = scratch.file(bytes.subarray(0, Math.floor(bytes.length * part)));
    expect(await codeOf(convert(input, HEIC_TO_JPG))).toBe("source_corrupt");
  });

  test("a HEIC whose pixels are damaged, and a text, are corrupt", async () => {
    const bytes = Buffer.from(readFileSync(fixture("photo.heic")));
    bytes.fill(0xa5, bytes.indexOf("mdat", 0, "latin1") + 4);
    expect(await codeOf(convert(scratch.file(bytes), HEIC_TO_JPG))).toBe("source_corrupt");
    expect(await codeOf(convert(scratch.file("This is a text."), HEIC_TO_JPG))).toBe("source_corrupt");
  });

  test.each([12_000, 60_000, 2 ** 31 - 1])("a header that declares sides of %d pixels is rejected", async (side) => {
    const bytes = Buffer.from(readFileSync(fixture("photo.heic")));
    const size = bytes.indexOf("ispe") + 8;
    bytes.writeUInt32BE(side, size);
    bytes.writeUInt32BE(side, size + 4);
    expect(await codeOf(convert(scratch.file(bytes), HEIC_TO_JPG))).toBe("too_many_pixels");
  });
});
