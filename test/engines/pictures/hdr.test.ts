import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { writeExr } from "../../../functions/engines/pictures/hdr/exr-writer.ts";
import { writeHdr } from "../../../functions/engines/pictures/hdr/hdr-writer.ts";
import { codeOf } from "../support/convert.ts";
import { fixture, sampleOf } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";

/** Images with linear light: OpenEXR and Radiance. */

const scratch = scratchFolder();
const convert = convertingBy("hdr", scratch);
const FORMATS = ["exr", "hdr"] as const;
const WRITERS = { exr: writeExr, hdr: writeHdr } as const;

const deep = (path: string): Promise<Uint16Array> =>
  sharp(path)
    .toColourspace("rgb16")
    .removeAlpha()
    .raw({ depth: "ushort" })
    .toBuffer()
    .then((bytes) => new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2));

test("a 16-bit ramp survives OpenEXR within the precision of a half float", async () => {
  const { path } = await convert(fixture("deep.png"), ["png", "exr"]);
  const { path: back } = await convert(path, ["exr", "png"]);
  const [before, after] = [await deep(fixture("deep.png")), await deep(back)];
  const furthest = before.reduce((most, value, index) => Math.max(most, Math.abs(value - (after[index] ?? 0))), 0);
  // A half has 11 bits: 65,536 / 2,048 = 32 at the top of light, which is half of that in sRGB.
  expect(furthest).toBeLessThan(32);
});

test("transparency is kept in OpenEXR, and flattened on white in Radiance, which has none", async () => {
  const { path: exr } = await convert(fixture("alpha.png"), ["png", "exr"]);
  const { channels } = await sharp((await convert(exr, ["exr", "png"])).path).stats();
  expect(channels[3]).toMatchObject({ min: 0, max: 65_535 });
  const { path: hdr } = await convert(fixture("alpha.png"), ["png", "hdr"]);
  const corner = (await deep((await convert(hdr, ["hdr", "png"])).path)).subarray(0, 3);
  expect([...corner].every((value) => value > 64_000)).toBe(true);
});

describe.each(FORMATS)("%s", (format) => {
  const written = (values: readonly number[], height = 1): string => {
    const data = Float32Array.from(values);
    return scratch.file(WRITERS[format]({ width: values.length / 4 / height, height, data, bottomUp: false }));
  };

  test("clips values brighter than white, with a warning", async () => {
    const { path, codes } = await convert(written([40, 40, 40, 1, 0.5, 0.5, 0.5, 1]), [format, "png"]);
    const [first, , , second] = await deep(path);
    expect(codes).toEqual(["highlights_clipped"]);
    expect(first).toBe(65_535);
    // Half of the light is 188 of 255 in sRGB.
    expect(Math.abs((second ?? 0) / 257 - 188)).toBeLessThan(2);
  });

  test("has its first row at the top", async () => {
    const { path } = await convert(written([1, 1, 1, 1, 0, 0, 0, 1], 2), [format, "png"]);
    expect([...(await deep(path))].map((value) => value > 32_768)).toEqual([true, true, true, false, false, false]);
  });

  test("is corrupt when truncated, or when only the magic bytes exist", async () => {
    const bytes = readFileSync(sampleOf(format));
    for (const length of [10, Math.floor(bytes.length / 2), bytes.length - 20]) {
      expect(await codeOf(convert(scratch.file(bytes.subarray(0, length)), [format, "png"]))).toBe("source_corrupt");
    }
  });

  test("that declares 60,000 × 60,000 pixels is rejected before memory is allocated", async () => {
    const bytes = Buffer.from(readFileSync(sampleOf(format)));
    const at = bytes.indexOf("dataWindow\0box2i\0") + "dataWindow\0box2i\0".length + 4;
    const huge =
      format === "hdr"
        ? Buffer.from(bytes.toString("latin1").replace("-Y 64 +X 96", "-Y 60000 +X 60000"), "latin1")
        : Buffer.concat([bytes.subarray(0, at + 8), Buffer.from("5fea00005fea0000", "hex"), bytes.subarray(at + 16)]);
    expect(await codeOf(convert(scratch.file(huge), [format, "png"]))).toBe("too_many_pixels");
  });
});
