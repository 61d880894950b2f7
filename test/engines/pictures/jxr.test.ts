import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { declaredSize } from "../../../functions/engines/pictures/files/declared-size.ts";
import { codeOf } from "../support/convert.ts";
import { sampleOf } from "../support/fixtures.ts";
import { PICTURE_HEIGHT, PICTURE_WIDTH, picturePixels } from "../support/pictures/picture.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, isInstalled } from "../support/task.ts";
import { distance } from "../support/views.ts";

const scratch = scratchFolder();
const convert = convertingBy("jxr", scratch);
const PAIR = ["jxr", "png"] as const;

test("the declared size of a JPEG XR is that of its image", async () => {
  expect(await declaredSize(sampleOf("jxr"), "jxr")).toMatchObject({ width: PICTURE_WIDTH, height: PICTURE_HEIGHT });
});

describe.skipIf(!isInstalled("jxr"))("a JPEG XR", () => {
  test("has the pixels of the picture", async () => {
    // An upload has no extension.
    const { path } = await convert(scratch.file(readFileSync(sampleOf("jxr"))), PAIR);
    const { data, info } = await sharp(path).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: PICTURE_WIDTH, height: PICTURE_HEIGHT });
    expect(distance(data, picturePixels())).toBeLessThan(0.5);
  });

  test("that is truncated fails as corrupt", async () => {
    const bytes = readFileSync(sampleOf("jxr"));
    expect(await codeOf(convert(scratch.file(bytes.subarray(0, bytes.length - 100)), PAIR))).toBe("source_corrupt");
  });

  test("that declares 900 megapixels is rejected before it is decoded", async () => {
    const bytes = Buffer.from(readFileSync(sampleOf("jxr")));
    const directory = bytes.readUInt32LE(4);
    for (let at = directory + 2; at < directory + 2 + bytes.readUInt16LE(directory) * 12; at += 12) {
      if ([0xbc80, 0xbc81].includes(bytes.readUInt16LE(at))) {
        bytes.writeUInt32LE(30_000, at + 8);
      }
    }
    expect(await codeOf(convert(scratch.file(bytes), PAIR))).toBe("too_many_pixels");
  });
});
