import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { readAnimatedPng } from "../../../functions/engines/pictures/sharp/apng.ts";
import { writeAnimatedPng } from "../../../functions/engines/pictures/sharp/apng-writer.ts";
import { codeOf } from "../support/convert.ts";
import { fixture, sampleOf } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, isInstalled } from "../support/task.ts";
import { withTool } from "../support/tools.ts";
import { distance } from "../support/views.ts";

/** Animated AVIF with transparency, by ffmpeg. */

const scratch = scratchFolder();
const convert = convertingBy("avif", scratch);
const [WIDTH, HEIGHT] = [32, 24];
const DELAY = [100, 200, 300];

/** Three frames: a square that moves right, half of it translucent, on a transparent ground. */
const moving = async (): Promise<{ path: string; pixels: Buffer }> => {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3 * 4);
  for (const frame of DELAY.keys()) {
    for (let y = 8; y < 16; y += 1) {
      for (let x = 4 + frame * 8; x < 12 + frame * 8; x += 1) {
        pixels.set([208, 48, 32, y < 12 ? 255 : 128], ((frame * HEIGHT + y) * WIDTH + x) * 4);
      }
    }
  }
  const path = `${scratch.fresh()}.png`;
  await writeAnimatedPng(path, { pixels, width: WIDTH, pageHeight: HEIGHT, delay: DELAY, loop: 0 });
  return { path, pixels };
};

/** @returns the durations of the frames in seconds, by libavif's program; undefined without it */
const durationsByLibavif = (path: string): string[] | undefined =>
  withTool("avifdec")
    ? [...execFileSync("avifdec", ["--info", path], { encoding: "utf8" }).matchAll(/\[duration ([\d.]+)/g)].map(
        ([, seconds = ""]) => seconds,
      )
    : undefined;

describe.skipIf(!isInstalled("avif"))("an animated AVIF", () => {
  test.each([{}, { lossless: true }])(
    "keeps frames, durations and transparency, there and back, with %j",
    async (options) => {
      const { path, pixels } = await moving();
      const avif = await convert(path, ["apng", "avif"], options);
      expect(avif.codes).toEqual([]);
      expect(durationsByLibavif(avif.path) ?? ["0.10", "0.20", "0.30"]).toEqual(["0.10", "0.20", "0.30"]);
      const back = await convert(avif.path, ["avif", "apng"]);
      const frames = await readAnimatedPng(back.path);
      expect(frames).toMatchObject({ width: WIDTH, pageHeight: HEIGHT, delay: DELAY });
      const alpha = (from: Uint8Array) => from.filter((_, index) => index % 4 === 3);
      expect(distance(alpha(frames?.pixels ?? new Uint8Array()), alpha(pixels))).toBeLessThan(
        options.lossless ? 0.1 : 4,
      );
      const at = ((HEIGHT + 10) * WIDTH + 16) * 4;
      expect(
        distance(frames?.pixels.subarray(at, at + 3) ?? new Uint8Array(), Uint8Array.of(208, 48, 32)),
      ).toBeLessThan(8);
    },
  );

  test("is resized, and made from a GIF", async () => {
    const { path } = await convert(fixture("animated.gif"), ["gif", "avif"], { width: 16 });
    const frames = await readAnimatedPng((await convert(path, ["avif", "apng"])).path);
    expect(frames).toMatchObject({ width: 16, delay: DELAY });
  });

  test("a GIF with one frame becomes a still AVIF", async () => {
    const { path } = await convert(sampleOf("gif"), ["gif", "avif"]);
    expect(await sharp(path).metadata()).toMatchObject({ format: "heif", compression: "av1", pages: 1 });
  });

  test("that is truncated fails as corrupt", async () => {
    const { path } = await convert((await moving()).path, ["apng", "avif"]);
    const bytes = readFileSync(path);
    const half = scratch.file(bytes.subarray(0, bytes.length - 100));
    expect(await codeOf(convert(half, ["avif", "apng"]))).toBe("source_corrupt");
  });
});

describe.skipIf(!isInstalled("avif"))("a JPEG-LS", () => {
  test("has the pixels of the picture", async () => {
    const { path } = await convert(sampleOf("jls"), ["jls", "png"]);
    const [view, expected] = await Promise.all([path, sampleOf("png")].map((file) => sharp(file).raw().toBuffer()));
    expect(distance(view ?? new Uint8Array(), expected ?? new Uint8Array())).toBeLessThan(0.5);
  });

  test("that is truncated fails as corrupt", async () => {
    const half = scratch.file(readFileSync(sampleOf("jls")).subarray(0, 400));
    expect(await codeOf(convert(half, ["jls", "png"]))).toBe("source_corrupt");
  });
});
