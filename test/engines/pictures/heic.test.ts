import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { convert } from "../../../functions/engines/core/convert.ts";
import { magickEngine } from "../../../functions/engines/pictures/magick.ts";
import { codeOf } from "../support/convert.ts";
import { fixture, sampleOf } from "../support/fixtures.ts";
import { withRotation } from "../support/pictures/heic.ts";
import { PICTURE_HEIGHT, PICTURE_WIDTH, picturePixels } from "../support/pictures/picture.ts";
import { scratchFolder } from "../support/scratch.ts";
import { taskOf } from "../support/task.ts";
import { distance, viewByMagick } from "../support/views.ts";

/** HEIC takes two steps: ImageMagick decodes, sharp encodes. */

const scratch = scratchFolder();
const routes = planRoutes(new Set(["sharp", "magick"]));
const TARGETS = ["jpg", "png", "webp", "gif", "tiff", "avif"] as const satisfies readonly FormatId[];

const convertHeic = async (input: string, to: FormatId, options: Options = {}): Promise<string> => {
  const folder = scratch.fresh();
  await mkdir(folder);
  const steps = routes.find("heic", to)?.steps ?? [];
  const { output, timings } = await convert({ input, folder, steps, options }, () => {});
  expect(timings.map(({ engine }) => engine)).toEqual(["magick", "sharp"]);
  return output;
};

/** As written by phones: rotated by a property of the file, and also by the EXIF tag. */
const turned = (): string => scratch.file(withRotation(readFileSync(fixture("sideways.heic")), 3));

test.each(TARGETS)("a photo with rotation in both property and EXIF tag is rotated once, in %s", async (to) => {
  const view = await viewByMagick(await convertHeic(turned(), to), to);
  expect(view).toMatchObject({ width: PICTURE_WIDTH, height: PICTURE_HEIGHT, orientation: 1 });
  expect(distance(view.pixels, picturePixels())).toBeLessThan(4);
});

test("an EXIF tag alone rotates nothing: in HEIC it only repeats the properties (ISO/IEC 23008-12)", async () => {
  const view = await viewByMagick(await convertHeic(fixture("sideways.heic"), "png"), "png");
  expect(view).toMatchObject({ width: PICTURE_HEIGHT, height: PICTURE_WIDTH, orientation: 1 });
});

describe("metadata", () => {
  test.each(["jpg", "png", "webp", "avif"] as const)("profile and EXIF stay in %s through both steps", async (to) => {
    const { icc, exif, orientation } = await sharp(await convertHeic(turned(), to)).metadata();
    const { icc: original } = await sharp(sampleOf("jpg")).metadata();
    expect(icc).toEqual(original);
    expect(exif?.includes("Anyform")).toBe(true);
    expect(orientation ?? 1).toBe(1);
  });

  test.each(TARGETS)("is removed from %s when requested, and colors stay the same", async (to) => {
    const output = await convertHeic(turned(), to, { strip_metadata: "all" });
    const { icc, exif } = await sharp(output).metadata();
    expect({ icc, exif }).toEqual({ icc: undefined, exif: undefined });
    expect(distance((await viewByMagick(output, to)).pixels, picturePixels())).toBeLessThan(4);
  });
});

test("transparency is kept", async () => {
  const { channels } = await sharp(await convertHeic(fixture("alpha.heic"), "png")).stats();
  expect(channels).toHaveLength(4);
  expect(channels[3]).toMatchObject({ min: 0, max: 255 });
});

test("options are applied by the step that supports them", async () => {
  const output = await convertHeic(sampleOf("heic"), "jpg", { width: 48, quality: 90 });
  expect(await sharp(output).metadata()).toMatchObject({ format: "jpeg", width: 48, height: 32 });
});

test.each([12_000, 60_000, 2 ** 31 - 1])("a header that declares sides of %d pixels is rejected", async (side) => {
  const bytes = Buffer.from(readFileSync(sampleOf("heic")));
  const size = bytes.indexOf("ispe") + 8;
  bytes.writeUInt32BE(side, size);
  bytes.writeUInt32BE(side, size + 4);
  const task = { input: scratch.file(bytes), output: scratch.fresh(), from: "heic", to: "png", options: {} } as const;
  expect(await codeOf(magickEngine.convert(taskOf(task)))).toBe("too_many_pixels");
});

test("the engine reports its version", async () => {
  expect(await magickEngine.version()).toMatch(/^ImageMagick 7/);
});
