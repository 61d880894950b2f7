import { readFileSync } from "node:fs";
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { plainHeader } from "../../../functions/engines/pictures/sharp/plain-header.ts";

/** Headers that are read without sharp must say what sharp says. */

const picture = (channels: 3 | 4 = 3): Sharp =>
  sharp({ create: { width: 40, height: 30, channels, background: { r: 200, g: 30, b: 60, alpha: 0.5 } } });
const fixture = (name: string): Buffer => readFileSync(new URL(`../../fixtures/${name}`, import.meta.url));

const plain: readonly (readonly [string, FormatId, () => Promise<Buffer> | Buffer])[] = [
  ["an RGB PNG", "png", () => picture().png().toBuffer()],
  ["an RGBA PNG", "png", () => picture(4).png().toBuffer()],
  ["a baseline JPEG", "jpg", () => picture().jpeg().toBuffer()],
  ["a progressive JPEG", "jpg", () => picture().jpeg({ progressive: true }).toBuffer()],
];

const others: readonly (readonly [string, FormatId, () => Promise<Buffer> | Buffer])[] = [
  ["a PNG with a palette", "png", () => picture().png({ palette: true }).toBuffer()],
  ["an interlaced PNG", "png", () => picture().png({ progressive: true }).toBuffer()],
  ["a gray PNG", "png", () => fixture("grey.png")],
  ["a PNG of 16 bits", "png", () => fixture("deep.png")],
  ["a PNG with a color profile", "png", () => picture().withIccProfile("p3").png().toBuffer()],
  ["a PNG with an orientation", "png", () => picture().withMetadata({ orientation: 6 }).png().toBuffer()],
  ["a JPEG with EXIF", "jpg", () => picture().withMetadata({ orientation: 6 }).jpeg().toBuffer()],
  ["a JPEG with a color profile", "jpg", () => picture().withIccProfile("p3").jpeg().toBuffer()],
  ["a gray JPEG", "jpg", () => picture().toColourspace("b-w").jpeg().toBuffer()],
  ["a CMYK JPEG", "jpg", () => fixture("cmyk.jpg")],
  ["a JPEG that ends in its header", "jpg", async () => (await picture().jpeg().toBuffer()).subarray(0, 100)],
  ["a PNG that ends in its header", "png", async () => (await picture().png().toBuffer()).subarray(0, 36)],
  ["a PNG that is a JPEG", "png", () => picture().jpeg().toBuffer()],
  ["a PNG that ends in its resolution", "png", async () => (await picture().png().toBuffer()).subarray(0, 48)],
];

describe("the header of a plain image", () => {
  it.each(plain)("is what sharp reads: %s", async (_, from, make) => {
    const bytes = await make();
    const header = plainHeader(bytes, from, "webp");
    expect(header).toBeDefined();
    const { orientation, exif, pages, ...rest } = await sharp(bytes).metadata();
    const read = { ...rest, isBare: undefined, resolution: undefined };
    expect(read).toMatchObject({ ...header, isBare: undefined, resolution: undefined });
    expect([orientation, exif, pages ?? 1]).toEqual([undefined, undefined, 1]);
  });

  it.each(others)("is left to sharp: %s", async (_, from, make) => {
    expect(plainHeader(await make(), from, "webp")).toBeUndefined();
  });

  it("is left to sharp for TIFF, which keeps the resolution", async () => {
    expect(plainHeader(await picture().png().toBuffer(), "png", "tiff")).toBeUndefined();
  });
});
