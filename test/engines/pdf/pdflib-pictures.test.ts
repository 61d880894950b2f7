import { readFileSync, statSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { pdflibEngine } from "../../../functions/engines/pdf/pdflib.ts";
import { codeOf } from "../support/convert.ts";
import { checkByQpdf, poppler, viewPdf } from "../support/documents/pdf.ts";
import { fixture, sampleOf } from "../support/fixtures.ts";
import { withGreenProfile } from "../support/pictures/cmyk.ts";
import { PICTURE_HEIGHT, PICTURE_WIDTH, picturePixels } from "../support/pictures/picture.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, taskOf } from "../support/task.ts";
import { distance } from "../support/views.ts";

const scratch = scratchFolder();
const convert = convertingBy("pdflib", scratch);
const toPdf = async (input: string, from: FormatId, options: Options = {}) => {
  const made = await convert(input, [from, "pdf"], options);
  checkByQpdf(made.path);
  return made;
};

const raw = { width: PICTURE_WIDTH, height: PICTURE_HEIGHT, channels: 3 } as const;
const picture = (): Sharp => sharp(picturePixels(), { raw });
const fileOf = async (made: Sharp): Promise<string> => scratch.file(await made.toBuffer());

/** A picture with sensor noise, which does not compress losslessly. */
const photograph = (width = 400, height = 300): Sharp => {
  const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
  return sharp({ create: { width, height, channels: 3, background: "#888", noise } }).blur(1);
};

/** @returns the first page, rendered at this size */
const drawn = async (path: string, width = PICTURE_WIDTH, height = PICTURE_HEIGHT): Promise<Uint8Array> => {
  const [page] = await viewPdf(path, { width, height });
  return page?.pixels ?? new Uint8Array();
};

/** @returns the JPEG from its first quantization table on */
const encodedData = (jpeg: Buffer): Buffer => jpeg.subarray(jpeg.lastIndexOf(Buffer.from("ffdb0043", "hex")));

describe("a JPEG", () => {
  test("is embedded without its metadata; its compressed data is the same, byte for byte", async () => {
    const { path } = await toPdf(sampleOf("jpg"), "jpg");
    expect(readFileSync(path).includes(encodedData(readFileSync(sampleOf("jpg"))))).toBe(true);
    expect(readFileSync(path).includes("Exif\0\0", 0, "latin1")).toBe(false);
  });

  test("is embedded without the images and videos after its end", async () => {
    const appended = Buffer.concat([readFileSync(sampleOf("jpg")), readFileSync(fixture("cmyk.jpg"))]);
    const [plain, result] = [await toPdf(sampleOf("jpg"), "jpg"), await toPdf(scratch.file(appended), "jpg")];
    expect(readFileSync(result.path).equals(readFileSync(plain.path))).toBe(true);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("with EXIF orientation %i is displayed upright", async (orientation) => {
    const input = await fileOf(picture().withMetadata({ orientation }).jpeg({ quality: 95 }));
    const upright = await sharp(input).autoOrient().raw().toBuffer({ resolveWithObject: true });
    const { path } = await toPdf(input, "jpg");
    expect(readFileSync(path).includes(encodedData(readFileSync(input)))).toBe(true);
    expect(distance(await drawn(path, upright.info.width, upright.info.height), upright.data)).toBeLessThan(3);
  });

  test("in CMYK keeps its inks and profile", async () => {
    const plain = await toPdf(fixture("cmyk.jpg"), "jpg");
    expect(readFileSync(plain.path).includes("/DeviceCMYK")).toBe(true);
    expect(distance(await drawn(plain.path), picturePixels())).toBeLessThan(40);
    const green = scratch.file(withGreenProfile(readFileSync(fixture("cmyk.jpg"))));
    const [red = 0, greenness = 0, blue = 0] = await drawn((await toPdf(green, "jpg")).path);
    expect(greenness).toBeGreaterThan(Math.max(red, blue) + 50);
  });

  test.each([
    ["grayscale", () => picture().greyscale().toColourspace("b-w").jpeg()],
    ["progressive", () => picture().jpeg({ progressive: true })],
  ])("that is %s is embedded too", async (_, make) => {
    const input = await fileOf(make());
    const { path } = await toPdf(input, "jpg");
    expect(readFileSync(path).includes(readFileSync(input))).toBe(true);
    expect(distance(await drawn(path), await sharp(input).toColourspace("srgb").raw().toBuffer())).toBeLessThan(4);
  });

  test.each([0.3, 0.6, 0.9])("truncated at %f of its length is rejected", async (share) => {
    const complete = await photograph().jpeg().toBuffer();
    const input = scratch.file(complete.subarray(0, Math.floor(complete.length * share)));
    expect(await codeOf(convert(input, ["jpg", "pdf"]))).toBe("source_corrupt");
  });
});

describe("a PNG", () => {
  const exactly: readonly [string, () => Sharp][] = [
    ["with colors", () => picture().png()],
    ["with a palette", () => picture().png({ palette: true })],
    ["with interlacing", () => picture().png({ progressive: true })],
    ["with gray levels", () => picture().greyscale().toColourspace("b-w").png()],
    ["without compression", () => photograph(96, 64).png({ compressionLevel: 0 })],
    ["with opacity", () => sharp(fixture("alpha.png")).png()],
    ["with opacity in a palette", () => sharp(fixture("alpha.png")).png({ palette: true })],
  ];
  test.each(exactly)("%s keeps every pixel", async (_, make) => {
    const input = await fileOf(make());
    const seen = await sharp(input).flatten({ background: "#fff" }).toColourspace("srgb").raw().toBuffer();
    const { path, codes } = await toPdf(input, "png");
    expect(distance(await drawn(path), seen)).toBeLessThan(1.5);
    expect(codes).toEqual([]);
    expect(readFileSync(path).includes("/DCTDecode")).toBe(false);
  });

  test("with 16 bits keeps them", async () => {
    const { path } = await toPdf(fixture("deep.png"), "png");
    expect(readFileSync(path).toString("latin1")).toMatch(/\/BitsPerComponent 16/);
  });

  test("of a photo stays lossless, with its compressed data unchanged", async () => {
    const input = await fileOf(photograph().png());
    const { path } = await toPdf(input, "png");
    expect(statSync(path).size).toBeLessThan(statSync(input).size + 2_000);
    expect(poppler("pdfimages", "-list", path) ?? "image").not.toContain("jpeg");
  });

  test("whose bytes were changed is rejected", async () => {
    const bytes = readFileSync(sampleOf("png"));
    bytes[bytes.length - 30] = (bytes[bytes.length - 30] ?? 0) ^ 0xff;
    expect(await codeOf(convert(scratch.file(bytes), ["png", "pdf"]))).toBe("source_corrupt");
  });

  test.each([
    ["has too few pixels", deflateSync(Buffer.alloc(10))],
    ["cannot be decompressed", Buffer.alloc(100, 7)],
    ["decompresses to more than its size", deflateSync(Buffer.alloc(50_000_000))],
  ])("whose content %s is rejected", async (_, data) => {
    expect(await codeOf(convert(scratch.file(pngOf(64, 64, data)), ["png", "pdf"]))).toBe("source_corrupt");
  });

  test("above the pixel limit is rejected before decoding", async () => {
    expect(await codeOf(convert(scratch.file(pngOf(20_000, 20_000, Buffer.alloc(10))), ["png", "pdf"]))).toBe(
      "too_many_pixels",
    );
  });
});

/** @returns a truecolor PNG with arbitrary data */
const pngOf = (width: number, height: number, data: Buffer): Buffer => {
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([signature, chunk("IHDR", size), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]);
};

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
};

describe("other pictures", () => {
  test.each(["webp", "gif", "tiff", "avif", "heic"] as const)("%s: a drawing is lossless", async (from) => {
    const { path } = await toPdf(sampleOf(from), from);
    expect(distance(await drawn(path), picturePixels())).toBeLessThan(3);
    expect(readFileSync(path).includes("/DCTDecode")).toBe(false);
  });

  test.each(["webp", "tiff"] as const)("%s: a photo becomes JPEG unless lossless is requested", async (from) => {
    const made = photograph();
    const input = await fileOf(from === "webp" ? made.webp({ lossless: true }) : made.tiff({ compression: "lzw" }));
    const lossy = await toPdf(input, from);
    const small = await toPdf(input, from, { quality: 40 });
    const exact = await toPdf(input, from, { lossless: true });
    expect(readFileSync(lossy.path).includes("/DCTDecode")).toBe(true);
    expect(statSync(small.path).size).toBeLessThan(statSync(lossy.path).size);
    expect(readFileSync(exact.path).includes("/DCTDecode")).toBe(false);
    expect(distance(await drawn(exact.path, 400, 300), await sharp(input).raw().toBuffer())).toBeLessThan(0.1);
  });

  test("every page of a TIFF becomes a page in its size", async () => {
    const { path } = await toPdf(fixture("pages.tiff"), "tiff", { dpi: 72 });
    const pages = await viewPdf(path);
    expect(pages.map(({ width, height }) => [width, height])).toEqual([
      [40, 30],
      [24, 18],
    ]);
  });

  test.each([{}, { lossless: true }])("a CMYK TIFF stays CMYK with %j", async (options) => {
    const input = await fileOf(picture().toColourspace("cmyk").tiff({ compression: "lzw" }));
    const { path } = await toPdf(input, "tiff", options);
    expect(readFileSync(path).toString("latin1")).toMatch(/\/DeviceCMYK|\/N 4/);
    expect(distance(await drawn(path), picturePixels())).toBeLessThan(40);
  });

  test("uses the first frame of an animation, with a warning", async () => {
    const { codes, path } = await toPdf(fixture("animated.gif"), "gif");
    expect(codes).toEqual(["frames_dropped"]);
    expect(await viewPdf(path)).toHaveLength(1);
  });

  test.each(["jpg", "png", "webp", "tiff", "avif", "heic", "gif"] as const)("%s converts directly to PDF", (from) => {
    const route = planRoutes(new Set(["sharp", "magick", "pdflib"])).find(from, "pdf");
    expect(route?.steps.map(({ engine }) => engine)).toEqual(["pdflib"]);
  });

  test.each(["webp", "tiff", "avif", "heic"] as const)("rejects a %s truncated at half its length", async (from) => {
    const complete = readFileSync(sampleOf(from));
    const input = scratch.file(complete.subarray(0, complete.length / 2));
    expect(await codeOf(convert(input, [from, "pdf"]))).toBe("source_corrupt");
  });

  test("rejects a file with another format than declared", async () => {
    expect(await codeOf(convert(sampleOf("png"), ["webp", "pdf"]))).toBe("source_mismatch");
  });
});

describe("the page", () => {
  /** The picture has 96 × 64 pixels. */
  const sizes: readonly [Options, width: number, height: number][] = [
    [{ dpi: 96 }, 72, 48],
    [{ dpi: 72, page_margin: 25.4 }, 240, 208],
    [{ dpi: 72, page_orientation: "portrait" }, 64, 96],
    [{ page_size: "a4" }, 841.89, 595.28],
    [{ page_size: "a4", page_orientation: "portrait" }, 595.28, 841.89],
    [{ page_size: "letter", page_orientation: "landscape" }, 792, 612],
    [{ page_size: "a3" }, 1190.55, 841.89],
    [{ page_size: "a5" }, 595.28, 419.53],
    [{ page_size: "legal" }, 1008, 612],
  ];
  test.each(sizes)("with %j has %d × %d points", async (options, width, height) => {
    const { path } = await toPdf(sampleOf("png"), "png", options);
    const [page] = await viewPdf(path);
    expect(page?.width).toBeCloseTo(width, 1);
    expect(page?.height).toBeCloseTo(height, 1);
  });

  test("uses the scanner's resolution, or 150 dpi if the file has none", async () => {
    const widthAt = async (density: number): Promise<number | undefined> => {
      const input = await fileOf(picture().withMetadata({ density }).jpeg());
      return (await viewPdf((await toPdf(input, "jpg")).path))[0]?.width;
    };
    expect(await widthAt(300)).toBeCloseTo((96 / 300) * 72, 1);
    expect(await widthAt(72)).toBeCloseTo((96 / 150) * 72, 1);
  });

  test("keeps the picture's aspect ratio and center", async () => {
    const options: Options = { page_size: "a4", page_orientation: "portrait", page_margin: 10 };
    const { path } = await toPdf(await fileOf(sharp({ create: { ...raw, background: "#000" } }).png()), "png", options);
    const [page] = await viewPdf(path);
    const { pixels = new Uint8Array(), pixelWidth = 0, pixelHeight = 0 } = page ?? {};
    const dark = (x: number, y: number) => (pixels[(Math.round(y) * pixelWidth + Math.round(x)) * 3] ?? 255) < 128;
    const shown = ((595 - 2 * 28.35) * 64) / 96;
    expect(dark(24, pixelHeight / 2)).toBe(false);
    expect(dark(33, pixelHeight / 2)).toBe(true);
    expect(dark(pixelWidth / 2, pixelHeight / 2 - shown / 2 + 4)).toBe(true);
    expect(dark(pixelWidth / 2, pixelHeight / 2 - shown / 2 - 4)).toBe(false);
  });

  test("never exceeds the maximum page size of PDF", async () => {
    const input = await fileOf(sharp({ create: { width: 40_000, height: 2, channels: 3, background: "#000" } }).png());
    const [page] = await viewPdf((await toPdf(input, "png", { dpi: 18 })).path, { width: 100, height: 1 });
    expect(page?.width).toBe(14_400);
  });
});

test("several pictures become one PDF, in order", async () => {
  const colors = ["#ff0000", "#00ff00", "#0000ff"];
  const files = await Promise.all(
    colors.map((background) => fileOf(sharp({ create: { ...raw, background } }).jpeg({ quality: 100 }))),
  );
  const [input = "", ...others] = files;
  const further = others.map((path) => ({ path, from: "jpg" }) as const);
  const output = `${scratch.fresh()}.pdf`;
  await pdflibEngine.convert(taskOf({ input, further, output, from: "jpg", to: "pdf" }, scratch.folder));
  checkByQpdf(output);
  const pages = await viewPdf(output);
  expect(pages.map(({ pixels }) => [...pixels.slice(0, 3)].map((value) => Math.round(value / 255)))).toEqual([
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ]);
});
