import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { ffmpegEngine } from "../../../functions/engines/media/ffmpeg.ts";
import { scratchFolder } from "../support/scratch.ts";
import { isInstalled, taskOf } from "../support/task.ts";

/** ffmpeg reads images that other engines refuse. It writes no EXIF, so the pixels themselves must be upright. */

const scratch = scratchFolder();

const block = (background: string, left: number, top: number) => ({
  input: { create: { width: 16, height: 16, channels: 3, background } } as const,
  left,
  top,
});

const EXACT = { png: {}, tiff: { compression: "lzw" }, webp: { lossless: true } } as const;

/** Corners of different colors, so that each of the eight orientations differs from the others. */
const stored = (orientation: number, format: "png" | "tiff" | "webp") =>
  sharp({ create: { width: 64, height: 32, channels: 3, background: "#000" } })
    .composite([block("#f00", 0, 0), block("#0f0", 48, 0), block("#00f", 0, 16)])
    .withMetadata({ orientation })
    .toFormat(format, EXACT[format])
    .toBuffer();

const pixels = (picture: string | Buffer) =>
  sharp(picture).autoOrient().removeAlpha().raw().toBuffer({ resolveWithObject: true });

describe.skipIf(!isInstalled("ffmpeg")).each(["png", "tiff", "webp"] as const)("a turned %s by ffmpeg", (from) => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])("is upright with EXIF orientation %i", async (orientation) => {
    const input = scratch.file(await stored(orientation, from));
    const output = scratch.fresh();
    await ffmpegEngine.convert(taskOf({ input, output, from, to: "png" }, scratch.folder));
    const [made, source] = await Promise.all([pixels(output), pixels(input)]);
    expect((await sharp(output).metadata()).orientation ?? 1).toBe(1);
    expect([made.info.width, made.info.height]).toEqual(orientation > 4 ? [32, 64] : [64, 32]);
    expect(made.data.equals(source.data)).toBe(true);
  });
});
