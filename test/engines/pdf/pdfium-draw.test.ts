import { readFileSync } from "node:fs";
import { join } from "node:path";
import { degrees, PDFDocument, rgb } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { codeOf } from "../support/convert.ts";
import { poppler } from "../support/documents/pdf.ts";
import { sampleOf } from "../support/fixtures.ts";
import { PICTURE_COLORS } from "../support/pictures/picture.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";
import { distance, viewByMagick, viewBySharp } from "../support/views.ts";

/** Rendered PDF pages. */

const scratch = scratchFolder();
const convert = convertingBy("pdfium", scratch);
const sample = sampleOf("pdf");

/** @returns a PDF with pages of these sizes in points, each with a red square in its upper left corner */
const pdfOf = async (sizes: readonly (readonly [number, number])[]): Promise<PDFDocument> => {
  const document = await PDFDocument.create();
  for (const [width, height] of sizes) {
    const page = document.addPage([width, height]);
    page.drawRectangle({ x: 0, y: height - 36, width: 36, height: 36, color: rgb(1, 0, 0) });
  }
  return document;
};

const fileOf = async (document: PDFDocument): Promise<string> => scratch.file(await document.save());

const partsOf = async (
  input: string,
  ...[to, options]: [Parameters<typeof convert>[1][1], Parameters<typeof convert>[2]?]
) => (await convert(input, ["pdf", to], options)).parts ?? [];

/** @returns red, green, blue (and alpha) of a pixel */
const pixelAt = async (path: string, left: number, top: number): Promise<number[]> => {
  const { data, info } = await sharp(path).toColourspace("srgb").raw().toBuffer({ resolveWithObject: true });
  const at = (top * info.width + left) * info.channels;
  return [...data.subarray(at, at + info.channels)];
};

test("renders every page as a separate picture at 150 dpi, named by page number", async () => {
  const parts = await partsOf(sample, "png");
  expect(parts.map(({ name }) => name)).toEqual(["page-01", "page-02"]);
  for (const { path } of parts) {
    expect(await sharp(path).metadata()).toMatchObject({ format: "png", width: 1240, height: 1754 });
  }
});

test("renders a page like poppler", async () => {
  const parts = await partsOf(sample, "png", { dpi: 72 });
  const other = scratch.path("poppler");
  if (poppler("pdftoppm", "-png", "-r", "72", sample, other) === undefined) {
    return;
  }
  for (const [index, { path }] of parts.entries()) {
    const [mine, theirs] = [await viewBySharp(path), await viewBySharp(`${other}-${index + 1}.png`)];
    const size = { width: 595, height: 842, fit: "fill" } as const;
    const pixels = await Promise.all(
      [mine, theirs].map(({ pixels: data, width, height }) =>
        sharp(data, { raw: { width, height, channels: 3 } })
          .resize(size)
          .blur(2)
          .raw()
          .toBuffer(),
      ),
    );
    expect(distance(pixels[0] ?? new Uint8Array(), pixels[1] ?? new Uint8Array())).toBeLessThan(1);
  }
});

test.each(["png", "jpg", "webp", "avif"] as const)(
  "keeps colors, and renders pages without color, as %s",
  async (to) => {
    const document = await pdfOf([
      [100, 80],
      [100, 80],
    ]);
    document.getPage(1).drawRectangle({ x: 0, y: 0, width: 100, height: 80, color: rgb(0.5, 0.5, 0.5) });
    const [red, gray] = await partsOf(await fileOf(document), to, { dpi: 72 });
    const near = async (path: string | undefined, color: readonly number[]) =>
      Math.max(
        ...(await pixelAt(path ?? "", 20, 20)).slice(0, 3).map((value, index) => Math.abs(value - (color[index] ?? 0))),
      );
    expect(await near(red?.path, [255, 0, 0])).toBeLessThan(12);
    expect(await near(gray?.path, [128, 128, 128])).toBeLessThan(6);
  },
);

test("keeps the four colors of the sample picture", async () => {
  const [first] = await partsOf(sample, "png", { dpi: 72, pages: "1" });
  const { data, info } = await sharp(first?.path).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const seen = new Set(
    Array.from({ length: info.width * info.height }, (_, at) => data.subarray(at * 3, at * 3 + 3).join()),
  );
  expect(PICTURE_COLORS.filter((color) => !seen.has(color.join()))).toEqual([]);
});

test("`pages` selects and orders the pages", async () => {
  const input = await fileOf(
    await pdfOf([
      [100, 50],
      [200, 50],
      [300, 50],
    ]),
  );
  const parts = await partsOf(input, "png", { pages: "3,1", dpi: 72 });
  const widths = await Promise.all(parts.map(async ({ path }) => (await sharp(path).metadata()).width));
  expect(widths).toEqual([300, 100]);
});

test.each([
  [{ dpi: 36 }, 100, 50],
  [{ width: 300 }, 300, 150],
  [{ height: 300 }, 600, 300],
  [{ width: 300, height: 300 }, 300, 150],
  [{ width: 300, dpi: 600 }, 300, 150],
])("renders a page of 200 × 100 points with %j at %i × %i pixels", async (options, width, height) => {
  const [part] = await partsOf(await fileOf(await pdfOf([[200, 100]])), "png", options);
  expect(await sharp(part?.path).metadata()).toMatchObject({ width, height });
});

test.each([
  ["png", "#00000000", [0, 0, 0, 0]],
  ["png", "#12345680", [18, 52, 86, 128]],
  ["png", "#123456", [18, 52, 86]],
  ["jpg", "#fff", [255, 255, 255]],
  ["jpg", "#00000000", [255, 255, 255]],
] as const)("renders a %s with background %s", async (to, background, color) => {
  const [part] = await partsOf(await fileOf(await pdfOf([[100, 100]])), to, { background, dpi: 72 });
  expect(await pixelAt(part?.path ?? "", 90, 90)).toEqual([...color]);
});

test("a lossless WebP equals the PNG, and a lower quality makes smaller files", async () => {
  const [png] = await partsOf(sample, "png", { pages: "1" });
  const [webp] = await partsOf(sample, "webp", { pages: "1", lossless: true });
  const [mine, other] = [await viewBySharp(webp?.path ?? ""), await viewBySharp(png?.path ?? "")];
  expect(distance(mine.pixels, other.pixels)).toBe(0);
  const [poor] = await partsOf(sample, "jpg", { pages: "1", quality: 10 });
  const [fine] = await partsOf(sample, "jpg", { pages: "1", quality: 95 });
  expect(readFileSync(poor?.path ?? "").length).toBeLessThan(readFileSync(fine?.path ?? "").length);
});

test("writes pages of any size into one TIFF, for two readers", async () => {
  const { path } = await convert(
    await fileOf(
      await pdfOf([
        [100, 50],
        [60, 90],
        [100, 50],
      ]),
    ),
    ["pdf", "tiff"],
    { dpi: 72 },
  );
  const sizes = await Promise.all(
    [0, 1, 2].map(async (page) => {
      const { width, height } = await sharp(path, { page }).metadata();
      expect((await sharp(path, { page }).raw().toBuffer()).subarray(0, 3)).toEqual(Buffer.from([255, 0, 0]));
      return [width, height];
    }),
  );
  expect(sizes).toEqual([
    [100, 50],
    [60, 90],
    [100, 50],
  ]);
  expect(await viewByMagick(path, "tiff")).toMatchObject({ width: 100, height: 50, frames: 3 });
});

test("renders form fields and annotations", async () => {
  const document = await pdfOf([[300, 100]]);
  const field = document.getForm().createTextField("name");
  field.setText("WWWWWWWW");
  field.addToPage(document.getPage(0), { x: 50, y: 20, width: 200, height: 30, borderWidth: 0 });
  const [part] = await partsOf(await fileOf(document), "png", { dpi: 72 });
  const { channels } = await sharp(part?.path)
    .extract({ left: 50, top: 50, width: 200, height: 30 })
    .greyscale()
    .stats();
  expect(channels[0]?.min).toBeLessThan(80);
});

test("renders a rotated page as displayed", async () => {
  const document = await pdfOf([[200, 100]]);
  document.getPage(0).setRotation(degrees(90));
  const [part] = await partsOf(await fileOf(document), "png", { dpi: 72 });
  expect(await sharp(part?.path).metadata()).toMatchObject({ width: 100, height: 200 });
  expect(await pixelAt(part?.path ?? "", 90, 10)).toEqual([255, 0, 0]);
});

describe("limits", () => {
  test.each([
    ["png", [14_400, 14_400], {}],
    ["png", [200_000, 200_000], { dpi: 18 }],
    ["avif", [3_000, 3_000], {}],
  ] as const)("rejects a %s of a page of %j points as too large, before rendering", async (to, size, options) => {
    const input = await fileOf(await pdfOf([size]));
    const before = process.memoryUsage.rss();
    expect(await codeOf(convert(input, ["pdf", to], options))).toBe("too_many_pixels");
    expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000);
  });

  test("rejects a document of 2,001 pages for any page selection", async () => {
    const input = await fileOf(await pdfOf(Array.from({ length: 2_001 }, () => [10, 10] as const)));
    expect(await codeOf(convert(input, ["pdf", "png"], { pages: "1" }))).toBe("too_many_pages");
  });
});

describe("unreadable PDFs", () => {
  const locked = async () => {
    const document = await pdfOf([[100, 100]]);
    document.encrypt({ userPassword: "dünn €", ownerPassword: "owner" });
    return fileOf(document);
  };

  test("an encrypted PDF requires its password", async () => {
    const input = await locked();
    expect(await codeOf(convert(input, ["pdf", "png"]))).toBe("password_required");
    expect(await codeOf(convert(input, ["pdf", "txt"], { password: "wrong" }))).toBe("password_required");
    for (const password of ["owner", "dünn €"]) {
      expect(await partsOf(input, "png", { password })).toHaveLength(1);
    }
  });

  test.each([
    ["only its first line", (bytes: Buffer) => bytes.subarray(0, 9)],
    ["its first half", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ["only zeros after its first line", (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 9), Buffer.alloc(5_000)])],
  ])("a PDF reduced to %s is rejected as damaged or converted with a warning", async (_, cut) => {
    const input = scratch.file(cut(readFileSync(sample)));
    const run = convert(input, ["pdf", "png"]);
    const ended = await run.then(
      ({ codes }) => codes,
      () => codeOf(run),
    );
    expect([["source_repaired"], "source_corrupt"]).toContainEqual(ended);
  });

  test("reads a PDF without its cross-reference table, with a warning", async () => {
    const text = readFileSync(sample, "latin1");
    const input = scratch.file(Buffer.from(text.slice(0, text.lastIndexOf("startxref")), "latin1"));
    const { parts = [], codes } = await convert(input, ["pdf", "png"]);
    expect(parts).toHaveLength(2);
    expect(codes).toEqual(["source_repaired"]);
  });
});

test("writes output parts into the folder of the step", async () => {
  const parts = await partsOf(sample, "png", { pages: "2" });
  expect(parts.map(({ path, name }) => path.endsWith(join("/", `${name}.png`)))).toEqual([true]);
});
