import { mkdirSync, writeFileSync } from "node:fs";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { magickConversions } from "../../../functions/domain/conversions/by-engine/pictures/magick.ts";
import type { EngineId } from "../../../functions/domain/conversions/engines.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { converterPool } from "../../../functions/engines/core/run.ts";
import { declaredSize } from "../../../functions/engines/pictures/files/declared-size.ts";
import { magickEngine } from "../../../functions/engines/pictures/magick.ts";
import { codeOf } from "../support/convert.ts";
import { sampleOf } from "../support/fixtures.ts";
import { lyingPictures } from "../support/pictures/lying-pictures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { taskOf } from "../support/task.ts";

/** Headers that declare huge images, in files of a few hundred bytes. */

const scratch = scratchFolder();
const ENTRY = new URL("../../../functions/engines/core/converter.ts", import.meta.url).pathname;

/** HEIC is read by the `heif` engine's reader of boxes; camera raw files, by LibRaw, are in another row. */
const [pictures = [], cameras = []] = magickConversions.map(({ from }) => from);
const read: readonly FormatId[] = [...pictures, ...cameras];
const formats: readonly FormatId[] = pictures.filter((format) => format !== "heic");

const lie = (format: FormatId, width: number, height: number): string => {
  const make = lyingPictures[format];
  if (make === undefined) {
    throw new Error(`There is no file with a false size for ${format}.`);
  }
  return scratch.file(make({ width, height }));
};

describe("the declared size", () => {
  test.each(formats)("of %s is read from the header", async (format) => {
    expect(await declaredSize(lie(format, 12_345, 2_346), format)).toMatchObject({ width: 12_345, height: 2_346 });
  });

  test.each(formats.filter((format) => !["icns", "pict"].includes(format)))(
    "of %s is that of the decoded image",
    async (format) => {
      const input = sampleOf(format);
      const output = scratch.fresh();
      await magickEngine.convert(taskOf({ input, output, from: format, to: "png" }, scratch.folder));
      const { width, height } = await sharp(output).metadata();
      expect(await declaredSize(input, format)).toMatchObject({ width, height });
    },
  );

  test.each(formats)("of a truncated %s is missing, or read without an error", async (format) => {
    const { width = 0, height = 0 } = (await declaredSize(scratch.file(Buffer.alloc(3)), format)) ?? {};
    expect(width * height).toBeLessThanOrEqual(1);
  });
});

/** Loading ImageMagick takes 120 MB; allocating the pixels would take at least 3.6 GB. */
const MEMORY_BYTES_MAX = 300_000_000;
const engineOf = (format: FormatId): EngineId =>
  format === "exr" || format === "hdr" ? "hdr" : read.includes(format) ? "magick" : "sharp";

describe("an image that declares 900 megapixels", () => {
  const pool = converterPool({ size: 1, entry: ENTRY });
  afterAll(pool.stop);
  const codes = ["too_many_pixels", "source_corrupt", "source_mismatch", "unsupported_feature"];

  test.each(Object.keys(lyingPictures) as FormatId[])(
    "is rejected as %s, without memory for its pixels",
    async (from) => {
      const folder = scratch.fresh();
      mkdirSync(folder);
      const steps = [{ engine: engineOf(from), from, to: from === "png" ? "jpg" : "png", options: [] } as const];
      const task = { input: lie(from, 30_000, 30_000), folder, steps, options: {} };
      const code = await codeOf(pool.run(task, { timeoutMs: 60_000, memoryBytesMax: MEMORY_BYTES_MAX }));
      expect(codes).toContain(code);
      if (formats.includes(from)) {
        expect(code).toBe("too_many_pixels");
      }
    },
  );
});

describe("a JPEG 2000 without data", () => {
  /** The decoder takes zeros for an image: 120 bytes took 1.4 GB and 13 seconds. */
  const withZeros = (format: "j2k" | "jp2", zeros: number): string => {
    const bytes = lyingPictures[format]?.({ width: 8_900, height: 8_900 }) ?? Buffer.alloc(0);
    const end = bytes.subarray(-2);
    const start = bytes.subarray(0, -2);
    const at = start.indexOf(Buffer.from([0xff, 0x90])) + 6;
    start.writeUInt32BE(14 + zeros, at);
    return scratch.file(Buffer.concat([start, Buffer.alloc(zeros), end]));
  };

  test.each([
    ["j2k", 18],
    ["jp2", 18],
    ["j2k", 5_000],
  ] as const)("%s with %i zeros is rejected before it is decoded", async (from, zeros) => {
    const input = withZeros(from, zeros);
    const converting = magickEngine.convert(
      taskOf({ input, output: scratch.fresh(), from, to: "png" }, scratch.folder),
    );
    await expect(converting).rejects.toMatchObject({ code: "source_corrupt", message: /contain no image/ });
  });

  test("is rejected for its number of components", async () => {
    const bytes = lyingPictures.j2k?.({ width: 8_900, height: 8_900 }) ?? Buffer.alloc(0);
    bytes.writeUInt16BE(400, 40);
    const input = scratch.path("components");
    writeFileSync(input, bytes);
    const task = taskOf({ input, output: scratch.fresh(), from: "j2k", to: "png" }, scratch.folder);
    expect(await codeOf(magickEngine.convert(task))).toBe("too_many_pixels");
  });
});
