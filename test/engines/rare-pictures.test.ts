import { readFileSync, writeFileSync } from "node:fs";
import { ColorSpace, ImageMagick, MagickFormat } from "@imagemagick/magick-wasm";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { detectFormat } from "../../functions/domain/detect.ts";
import { magickEngine } from "../../functions/engines/magick.ts";
import { codeOf } from "./support/convert.ts";
import { sampleOf } from "./support/fixtures.ts";
import { picturePixels } from "./support/picture.ts";
import { scratchFolder } from "./support/scratch.ts";
import { taskOf } from "./support/task.ts";
import { distance, viewBySharp } from "./support/views.ts";

/** Pictures that only ImageMagick reads, when they are not whole, not small, or not pictures. */

const scratch = scratchFolder();
const rare = ["bmp", "jxl", "jp2", "psd", "qoi"] as const;

const toPng = (input: string, from: (typeof rare)[number]) => {
  const output = scratch.fresh();
  return magickEngine
    .convert(taskOf({ input, output, from, to: "png" }, scratch.folder))
    .then(() => sharp(output).metadata());
};

describe.each(rare)("a %s", (from) => {
  test("that breaks off half way fails as damaged, and gives no half picture", async () => {
    const bytes = readFileSync(sampleOf(from));
    expect(await codeOf(toPng(scratch.file(bytes.subarray(0, Math.floor(bytes.length / 2))), from))).toBe(
      "source_corrupt",
    );
  });

  test("of nothing but its first bytes is refused for what it is", async () => {
    const head = scratch.fresh();
    writeFileSync(head, readFileSync(sampleOf(from)).subarray(0, 24));
    expect(["source_corrupt", "unsupported_feature"]).toContain(await codeOf(toPng(head, from)));
  });
});

test("a BMP that promises 60,000 × 60,000 pixels is refused before memory is taken for them", async () => {
  const bytes = Buffer.from(readFileSync(sampleOf("bmp")));
  bytes.writeInt32LE(60_000, 18);
  bytes.writeInt32LE(60_000, 22);
  expect(await codeOf(toPng(scratch.file(bytes), "bmp"))).toBe("too_many_pixels");
});

test("a PSD made of inks comes out in its colours, and a warning tells of them", async () => {
  await magickEngine.version();
  const input = scratch.fresh();
  ImageMagick.read(readFileSync(sampleOf("png")), MagickFormat.Png, (image) => {
    image.colorSpace = ColorSpace.CMYK;
    image.write(MagickFormat.Psd, (bytes) => writeFileSync(input, bytes));
  });
  const output = scratch.fresh();
  const { warnings } = await magickEngine.convert(taskOf({ input, output, from: "psd", to: "png" }, scratch.folder));
  expect(warnings.map(({ code }) => code)).toEqual(["colours_converted"]);
  expect(distance((await viewBySharp(output)).pixels, picturePixels())).toBeLessThan(2);
});

test("a text that begins like a BMP is a text", () => {
  expect(detectFormat(Buffer.from("BMW and Audi, and others besides, make cars."))).toBe("txt");
});
