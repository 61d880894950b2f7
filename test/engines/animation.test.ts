import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { FormatId } from "../../functions/domain/formats.ts";
import { animationControl, hugePng } from "../support/png.ts";
import { convertingBySharp } from "./support/convert.ts";
import { fixture } from "./support/fixtures.ts";
import { scratchFolder } from "./support/scratch.ts";
import { tiffOf } from "./support/tiff.ts";
import { distance, viewByMagick } from "./support/views.ts";

const scratch = scratchFolder();
const convert = convertingBySharp(scratch);

const ANIMATED = ["gif", "webp"] as const satisfies readonly FormatId[];
const STILL = ["jpg", "png", "tiff", "avif"] as const satisfies readonly FormatId[];

describe.each(ANIMATED)("animated %s", (from) => {
  test.each(ANIMATED)("keeps its frames, their lengths and how often it runs in %s", async (to) => {
    const { path, warnings } = await convert(fixture(`animated.${from}`), from, to);
    expect(await sharp(path).metadata()).toMatchObject({ pages: 3, delay: [100, 200, 300], loop: 2, height: 24 });
    expect(await viewByMagick(path, to)).toMatchObject({ width: 32, height: 24, frames: 3 });
    expect(warnings).toEqual([]);
  });

  test.each(ANIMATED)("has each frame resized in %s", async (to) => {
    const { path } = await convert(fixture(`animated.${from}`), from, to, { width: 16 });
    expect(await viewByMagick(path, to)).toMatchObject({ width: 16, height: 12, frames: 3 });
  });

  test.each(STILL)("gives %s its first frame, and says so", async (to) => {
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
    "of different size: %s gets the first one, and says so",
    async (to) => {
      const { path, warnings } = await convert(fixture("pages.tiff"), "tiff", to);
      expect(await viewByMagick(path, to)).toMatchObject({ width: 40, height: 30, frames: 1 });
      expect(warnings).toEqual(["pages_dropped"]);
    },
  );

  test("of one size all stay when a TIFF becomes a TIFF", async () => {
    const size = { width: 20, height: 10 };
    const { path, warnings } = await convert(scratch.file(tiffOf([size, size, size])), "tiff", "tiff");
    expect(await viewByMagick(path, "tiff")).toMatchObject({ ...size, frames: 3 });
    expect(warnings).toEqual([]);
  });
});

test("an animated PNG gives its first frame, and says so", async () => {
  const input = scratch.file(hugePng(8, 8, 8, [animationControl(2)]));
  const { path, warnings } = await convert(input, "png", "webp");
  expect(await viewByMagick(path, "webp")).toMatchObject({ width: 8, height: 8, frames: 1 });
  expect(warnings).toEqual(["frames_dropped"]);
});

test("frames that would have to be turned are dropped but the first, which is turned", async () => {
  const turned = await sharp(fixture("animated.webp"), { animated: true })
    .withMetadata({ orientation: 6 })
    .webp({ lossless: true })
    .toBuffer();
  const { path, warnings } = await convert(scratch.file(turned), "webp", "webp");
  expect(await viewByMagick(path, "webp")).toMatchObject({ width: 24, height: 32, frames: 1, orientation: 1 });
  expect(warnings).toEqual(["frames_dropped"]);
});

test("a GIF without its end mark is whole", async () => {
  const whole = readFileSync(fixture("animated.gif"));
  const { path } = await convert(scratch.file(whole.subarray(0, -1)), "gif", "webp");
  expect(await viewByMagick(path, "webp")).toMatchObject({ frames: 3 });
});
