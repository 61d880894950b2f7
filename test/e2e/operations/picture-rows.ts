import { readFileSync, statSync } from "node:fs";
import sharp from "sharp";
import { expect } from "vitest";
import { zipNames } from "../../support/zip.ts";
import type { Row } from "./table.ts";

/** Operations of images. */

const sizeOf = async (path: string): Promise<readonly number[]> => {
  const { width, height } = await sharp(path).metadata();
  return [width, height];
};

/** @returns red, green and blue of a pixel */
const pixel = async (path: string, left: number, top: number): Promise<number[]> => {
  const area = sharp(path).extract({ left, top, width: 1, height: 1 });
  return [...(await area.removeAlpha().toColorspace("srgb").raw().toBuffer())];
};

const contrast = async (path: string): Promise<number> => (await sharp(path).stats()).channels[0]?.stdev ?? 0;

const ofAreas = { from: "areas.png", to: "png" } as const;

export const pictureRows: readonly Row[] = [
  {
    name: "crop an image",
    ...ofAreas,
    options: { crop: "150,0,100,100" },
    check: async (path) => expect(await sizeOf(path)).toEqual([100, 100]),
  },
  {
    name: "rotate an image",
    ...ofAreas,
    options: { rotate: 90 },
    check: async (path) =>
      expect([await sizeOf(path), await pixel(path, 10, 10)]).toEqual([
        [200, 400],
        [255, 0, 0],
      ]),
  },
  {
    name: "mirror an image",
    ...ofAreas,
    options: { flip: "horizontal" },
    check: async (path) => expect(await pixel(path, 10, 10)).toEqual([0, 0, 255]),
  },
  {
    name: "remove the colors of an image",
    ...ofAreas,
    options: { grayscale: true },
    check: async (path) => {
      const [red, green, blue] = await pixel(path, 10, 10);
      expect([red === green, green === blue]).toEqual([true, true]);
    },
  },
  {
    name: "blur an image",
    ...ofAreas,
    options: { blur: 5 },
    check: async (path) => expect((await pixel(path, 199, 100))[2]).toBeGreaterThan(80),
  },
  {
    name: "sharpen an image",
    from: "noise.png",
    to: "png",
    options: { sharpen: 1 },
    check: async (path) => expect(await contrast(path)).toBeGreaterThan(40),
  },
  {
    name: "resize an image",
    ...ofAreas,
    options: { width: 50 },
    isQuick: true,
    check: async (path) => expect(await sizeOf(path)).toEqual([50, 25]),
  },
  {
    name: "draw a text over an image",
    ...ofAreas,
    options: { watermark_text: "DRAFT", watermark_opacity: 1, watermark_color: "#00ff00", watermark_size: 90 },
    check: async (path) => expect((await sharp(path).stats()).channels[1]?.max).toBeGreaterThan(200),
  },
  {
    name: "draw an image over an image",
    ...ofAreas,
    options: { watermark_opacity: 1, watermark_size: 50 },
    files: { watermark_upload_id: "noise.png" },
    check: async (path) => expect((await sharp(path).stats()).channels[1]?.mean).toBeGreaterThan(10),
  },
  {
    name: "compress an image to a size",
    from: "noise.png",
    to: "jpg",
    options: { target_size: 30_000 },
    check: (path) => expect(statSync(path).size).toBeLessThanOrEqual(30_000),
  },
  {
    name: "write several sizes of an image",
    from: "areas.png",
    to: "webp",
    options: { sizes: "64,32x32" },
    check: (path) => expect(zipNames(path)).toHaveLength(2),
  },
  {
    name: "fill transparent areas",
    from: "clear.png",
    to: "png",
    options: { background: "#00ff00" },
    check: async (path) => expect(await pixel(path, 5, 5)).toEqual([0, 255, 0]),
  },
  {
    name: "describe an image",
    from: "located.jpg",
    to: "json",
    check: (path) => expect(readFileSync(path, "utf8")).toContain("Ada"),
  },
  {
    name: "remove the metadata of an image",
    from: "located.jpg",
    to: "jpg",
    options: { strip_metadata: "all" },
    check: async (path) => expect((await sharp(path).metadata()).exif).toBeUndefined(),
  },
  {
    name: "arrange images on a contact sheet",
    from: ["areas.png", "noise.png"],
    to: "png",
    options: { columns: 2, width: 100 },
    check: async (path) => expect((await sizeOf(path))[0]).toBeGreaterThanOrEqual(200),
  },
];
