import { readFileSync } from "node:fs";
import sharp, { type Metadata, type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { convertingBySharp } from "../support/convert.ts";
import { fixture, sampleOf } from "../support/fixtures.ts";
import { withGreenProfile } from "../support/pictures/cmyk.ts";
import { PICTURE_COLORS, PICTURE_HEIGHT, PICTURE_WIDTH, picturePixels } from "../support/pictures/picture.ts";
import { scratchFolder } from "../support/scratch.ts";
import { distance, viewByMagick } from "../support/views.ts";

const scratch = scratchFolder();
const convert = convertingBySharp(scratch);

const TARGETS = ["jpg", "png", "webp", "gif", "tiff", "avif"] as const satisfies readonly FormatId[];
const WITH_PROFILE = ["jpg", "png", "webp", "tiff", "avif"] as const;
const WITH_EXIF = ["jpg", "png", "webp", "avif"] as const;

/** The image as stored by a camera that was held in one of the eight orientations (EXIF 2.32). */
const held = async (orientation: number): Promise<string> => {
  const raw = { width: PICTURE_WIDTH, height: PICTURE_HEIGHT, channels: 3 } as const;
  const upright = sharp(picturePixels(), { raw });
  const turns: Readonly<Record<number, (picture: Sharp) => Sharp>> = {
    1: (picture) => picture,
    2: (picture) => picture.flop(),
    3: (picture) => picture.rotate(180),
    4: (picture) => picture.flip(),
    5: (picture) => picture.rotate(270).flop(),
    6: (picture) => picture.rotate(270),
    7: (picture) => picture.rotate(90).flop(),
    8: (picture) => picture.rotate(90),
  };
  const stored = await turns[orientation]?.(upright).png().toBuffer();
  return scratch.file(await sharp(stored).jpeg({ quality: 95 }).withMetadata({ orientation }).toBuffer());
};

describe.each([1, 2, 3, 4, 5, 6, 7, 8])("orientation %d", (orientation) => {
  test.each(TARGETS)("is applied to the pixels of %s, once", async (to) => {
    const { path } = await convert(await held(orientation), "jpg", to);
    const view = await viewByMagick(path, to);
    expect(view).toMatchObject({ width: PICTURE_WIDTH, height: PICTURE_HEIGHT, orientation: 1 });
    expect(distance(view.pixels, picturePixels())).toBeLessThan(6);
    const again = await convert(path, to, "png");
    expect(distance((await viewByMagick(again.path, "png")).pixels, view.pixels)).toBeLessThan(1);
  });
});

const metadataOf = async (path: string): Promise<Metadata> => sharp(path).metadata();
const GPS_TAG = Buffer.from("25880400", "hex");

describe("metadata", () => {
  test.each(WITH_PROFILE)("the color profile is kept in %s, byte by byte", async (to) => {
    const { icc } = await metadataOf(sampleOf("jpg"));
    const { path } = await convert(sampleOf("jpg"), "jpg", to);
    expect((await metadataOf(path)).icc).toEqual(icc);
  });

  test.each(TARGETS)("without the profile, the colors of %s are converted, so they look the same", async (to) => {
    const { path } = await convert(sampleOf("jpg"), "jpg", to, { strip_metadata: "all" });
    expect((await metadataOf(path)).icc).toBeUndefined();
    expect(distance((await viewByMagick(path, to)).pixels, picturePixels())).toBeLessThan(4);
  });

  test.each(WITH_EXIF)("EXIF with its location is kept in %s", async (to) => {
    const { path } = await convert(sampleOf("jpg"), "jpg", to);
    const { exif } = await metadataOf(path);
    expect(exif?.includes("Anyform")).toBe(true);
    expect(exif?.includes(GPS_TAG)).toBe(true);
  });

  test("warns that EXIF is not written to TIFF", async () => {
    const { path, warnings } = await convert(sampleOf("jpg"), "jpg", "tiff");
    expect((await metadataOf(path)).exif).toBeUndefined();
    expect(warnings).toEqual(["metadata_dropped"]);
  });

  test.each(["jpg", "png", "tiff"] as const)("the resolution is kept in %s", async (to) => {
    const input = scratch.file(await sharp(sampleOf("png")).jpeg().withDensity(300).toBuffer());
    const { path } = await convert(input, "jpg", to);
    expect((await metadataOf(path)).density).toBe(300);
  });

  test.each(TARGETS)("strip_metadata removes EXIF, XMP and location from %s", async (to) => {
    const { path, warnings } = await convert(await withXmp(), "jpg", to, { strip_metadata: "all" });
    const { exif, xmp } = await metadataOf(path);
    expect({ exif, xmp, warnings }).toEqual({ exif: undefined, xmp: undefined, warnings: [] });
  });

  test.each(["jpg", "png", "webp", "tiff", "avif"] as const)("XMP is kept in %s", async (to) => {
    const { path } = await convert(await withXmp(), "jpg", to);
    expect((await metadataOf(path)).xmp?.includes("photographer")).toBe(true);
  });
});

const withXmp = async (): Promise<string> => {
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- photographer --></x:xmpmeta>`;
  return scratch.file(await sharp(sampleOf("jpg")).keepMetadata().withXmp(xmp).toBuffer());
};

describe("color", () => {
  test.each(TARGETS)("a CMYK JPEG without a profile becomes %s in RGB with similar colors", async (to) => {
    const { path } = await convert(fixture("cmyk.jpg"), "jpg", to);
    const view = await viewByMagick(path, to);
    // CMYK cannot represent these colors, so they are paler; swapped or inverted ones would be off by 60.
    expect(distance(view.pixels, picturePixels())).toBeLessThan(40);
    expect((await metadataOf(path)).space).toBe("srgb");
  });

  test.each(TARGETS)("the profile of a CMYK JPEG determines its colors in %s", async (to) => {
    const input = scratch.file(withGreenProfile(readFileSync(fixture("cmyk.jpg"))));
    const { path } = await convert(input, "jpg", to);
    const { channels } = await sharp(path).stats();
    const [red = 0, green = 0, blue = 0] = channels.map(({ mean }) => mean);
    expect(green).toBeGreaterThan(red + 60);
    expect(green).toBeGreaterThan(blue + 60);
  });

  test.each(["jpg", "png", "tiff"] as const)("a gray image stays gray in %s, with one channel", async (to) => {
    const { path } = await convert(fixture("grey.png"), "png", to);
    expect(await metadataOf(path)).toMatchObject({ space: "b-w", channels: 1 });
  });

  test.each(["webp", "gif", "avif"] as const)("a gray image keeps its grays in %s", async (to) => {
    const { path } = await convert(fixture("grey.png"), "png", to);
    const expected = await convert(fixture("grey.png"), "png", "png");
    const [view, original] = [await viewByMagick(path, to), await viewByMagick(expected.path, "png")];
    expect(distance(view.pixels, original.pixels)).toBeLessThan(3);
  });
});

describe("16 bits per channel", () => {
  test.each(["png", "tiff"] as const)("are kept in %s, value by value", async (to) => {
    const { path } = await convert(fixture("deep.png"), "png", to);
    const pixels = (of: string) => sharp(of).toColourspace("rgb16").raw({ depth: "ushort" }).toBuffer();
    expect(await metadataOf(path)).toMatchObject({ space: "rgb16", depth: "ushort" });
    expect((await pixels(path)).equals(await pixels(fixture("deep.png")))).toBe(true);
  });

  test.each(["jpg", "webp", "gif", "avif"] as const)("are rounded to 8 in %s", async (to) => {
    const { path } = await convert(fixture("deep.png"), "png", to);
    expect(await metadataOf(path)).toMatchObject({ depth: "uchar", width: 256, height: 16 });
  });

  test("in Display P3 become sRGB when the profile is removed", async () => {
    const [red = []] = PICTURE_COLORS;
    const create = { width: 8, height: 8, channels: 3, background: { r: red[0], g: red[1], b: red[2] } } as const;
    const p3 = sharp({ create }).toColourspace("rgb16").withIccProfile("p3").png();
    const input = scratch.file(await p3.toBuffer());
    const { path } = await convert(input, "png", "png", { strip_metadata: "all" });
    const { pixels } = await viewByMagick(path, "png");
    expect(distance(pixels.subarray(0, 3), Uint8Array.from(red))).toBeLessThan(3);
  });
});
