import { readFileSync } from "node:fs";
import sharp from "sharp";
import { expect } from "vitest";
import { type FormatId, formats } from "../../../functions/domain/formats/formats.ts";
import { distanceMax, expectedPixels, isComparable } from "../support/expected.ts";
import { largestPng } from "../support/pictures/icns.ts";
import { PICTURE_COLORS, PICTURE_HEIGHT, PICTURE_WIDTH } from "../support/pictures/picture.ts";
import { pixelsByDebian } from "../support/processes/debian-view.ts";
import { distance, onWhite, type View, viewByMagick, viewBySharp } from "../support/views.ts";
import { type Check, contract, type Result } from "./contract.ts";

/** Formats that sharp reads. */
const SHARP: readonly FormatId[] = ["jpg", "png", "apng", "webp", "gif", "tiff", "avif"];

/** Formats whose layers ImageMagick reports as additional frames. */
const LAYERED: readonly FormatId[] = ["psd", "psb"];

/** Engines that encode with sharp. */
const BY_SHARP = ["sharp", "heif"];

const viewOf = ({ path, to, engine }: Result): Promise<View> =>
  SHARP.includes(to) && !BY_SHARP.includes(engine) ? viewBySharp(path) : viewByMagick(path, to);

const samePicture: Check = async (result) => {
  const { from, to, fidelity, bundled, path } = result;
  if (bundled || !isComparable(from, to)) {
    await somePicture(result);
    return;
  }
  const { pixels, frames, ...view } = await viewOf(result);
  expect(view).toEqual({ width: PICTURE_WIDTH, height: PICTURE_HEIGHT, orientation: 1 });
  expect(frames === 1 || LAYERED.includes(to)).toBe(true);
  expect(distance(pixels, expectedPixels(from, to))).toBeLessThan(distanceMax(from, to, fidelity));
  // The encoder is the same for all sources, so one source is enough for the second check.
  const second = from === "png" ? pixelsByDebian(path, to) : undefined;
  if (second !== undefined) {
    expect(distance(second, expectedPixels(from, to))).toBeLessThan(distanceMax(from, to, fidelity));
  }
};

/** Fails if a picture other than the standard picture has no size or is blank. */
const somePicture = async (result: Result): Promise<void> => {
  if (result.bundled) {
    expect(readFileSync(result.path).length).toBeGreaterThan(100);
    return;
  }
  const { width, height, pixels } = await viewOf(result);
  expect(Math.min(width, height)).toBeGreaterThan(15);
  expect(Math.max(width, height)).toBeLessThan(5_000);
  expect(new Set(pixels).size).toBeGreaterThan(1);
};

/** The largest picture of an icon: square, with the four quadrants of the sample in its center. */
const icon: Check = async (result) => {
  const { from, to, path } = result;
  const { width, height, pixels } = to === "icns" ? await viewOfIcns(path) : await viewByMagick(path, "ico", "largest");
  expect(width).toBe(height);
  expect(width).toBeGreaterThan(15);
  if (result.bundled || !isComparable(from, to)) {
    return;
  }
  for (const [index, expected] of PICTURE_COLORS.entries()) {
    const [x, y] = [index % 2 === 0 ? 0.25 : 0.75, index < 2 ? 0.35 : 0.65].map((share) => Math.floor(share * width));
    const at = ((y ?? 0) * width + (x ?? 0)) * 3;
    const color = [...expectedPixels(from, to).subarray(INDEXES[index], (INDEXES[index] ?? 0) + 3)];
    expect(distance(pixels.subarray(at, at + 3), Uint8Array.from(color.length === 3 ? color : expected))).toBeLessThan(
      distanceMax(from, to, "lossy") + 4,
    );
  }
};

/** Offset of one pixel of each quadrant. */
const INDEXES = [0, PICTURE_WIDTH - 1, (PICTURE_HEIGHT - 1) * PICTURE_WIDTH, PICTURE_HEIGHT * PICTURE_WIDTH - 1].map(
  (pixel) => pixel * 3,
);

const viewOfIcns = async (path: string): Promise<Pick<View, "width" | "height" | "pixels">> => {
  const { data, info } = await sharp(largestPng(readFileSync(path)))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: onWhite(data) };
};

const targets = formats.filter(({ family }) => family === "image").map(({ id }) => id);
const checks = Object.fromEntries(targets.map((id) => [id, samePicture]));
contract("image", { ...checks, ico: icon, icns: icon });
