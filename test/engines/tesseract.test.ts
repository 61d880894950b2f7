import { readFileSync, writeFileSync } from "node:fs";
import { degrees, PDFDocument } from "@cantoo/pdf-lib";
import sharp, { type Sharp } from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { planRoutes } from "../../functions/domain/routes.ts";
import { codeOf } from "./support/convert.ts";
import { sampleOf } from "./support/fixtures.ts";
import { checkByQpdf, poppler, viewPdf } from "./support/pdf.ts";
import { scratchFolder } from "./support/scratch.ts";
import { convertingBy } from "./support/task.ts";
import { tiffOf } from "./support/tiff.ts";
import { typeset } from "./support/typeset.ts";

const scratch = scratchFolder();
const read = convertingBy("tesseract", scratch);
const toPdf = convertingBy("pdflib", scratch);
const toText = convertingBy("pdfium", scratch);

const LINES = ["The quick brown fox jumps over the lazy dog.", "Invoice 4711 of 28 February, total 1,234.50"];
const DPI = 200;

/** A page as a scanner sees it: pixels only. */
let scan: () => Sharp;
beforeAll(async () => {
  const page = scratch.file(typeset(`#set page(width: 300pt, height: 120pt, margin: 20pt)\n${LINES.join("\n\n")}`));
  const [view] = await viewPdf(page, { scale: DPI / 72 });
  const { pixels = new Uint8Array(), pixelWidth = 1, pixelHeight = 1 } = view ?? {};
  scan = () =>
    sharp(pixels, { raw: { width: pixelWidth, height: pixelHeight, channels: 3 } }).withMetadata({ density: DPI });
});

const fileOf = async (made: Sharp): Promise<string> => scratch.file(await made.toBuffer());

describe("the text of a picture", () => {
  const formats = [
    ["jpg", () => scan().jpeg()],
    ["png", () => scan().png()],
    ["webp", () => scan().webp()],
    ["tiff", () => scan().tiff({ compression: "lzw" })],
    ["gif", () => scan().gif()],
    ["avif", () => scan().avif()],
  ] as const;
  test.each(formats)("in %s is read", async (from, make) => {
    const { path, codes } = await read(await fileOf(make()), [from, "txt"]);
    expect(readFileSync(path, "utf8").split("\n").filter(Boolean)).toEqual(LINES);
    expect(codes).toEqual([]);
  });

  test("is read upright, though the picture lies on its side", async () => {
    const { data, info } = await scan().rotate(270).raw().toBuffer({ resolveWithObject: true });
    const input = await fileOf(sharp(data, { raw: info }).withMetadata({ orientation: 6, density: DPI }).jpeg());
    const { path } = await read(input, ["jpg", "txt"]);
    expect(readFileSync(path, "utf8")).toContain("quick brown fox");
  });

  test("is read on transparent ground", async () => {
    const input = await fileOf(
      (
        await scan()
          .toColourspace("b-w")
          .png()
          .toBuffer()
          .then((grey) =>
            sharp({ create: { width: 10, height: 10, channels: 4, background: "#0000" } })
              .resize(833, 333)
              .composite([{ input: grey, blend: "over" }]),
          )
      ).png(),
    );
    const { path } = await read(input, ["png", "txt"]);
    expect(readFileSync(path, "utf8")).toContain("quick brown fox");
  });

  test("where there is none is empty, and that is said", async () => {
    const { path, codes } = await read(sampleOf("png"), ["png", "txt"]);
    expect(readFileSync(path, "utf8").trim()).toBe("");
    expect(codes).toEqual(["no_text_found"]);
  });

  test.each(["jpg", "png", "webp", "tiff", "avif", "gif"] as const)(
    "in %s is read without a copy in between",
    (from) => {
      const route = planRoutes(new Set(["sharp", "tesseract"])).find(from, "txt");
      expect(route?.steps.map(({ engine }) => engine)).toEqual(["tesseract"]);
    },
  );

  test("cannot be had without reading", async () => {
    expect(await codeOf(read(sampleOf("png"), ["png", "txt"], { ocr: false }))).toBe("unsupported_feature");
  });

  test("of a TIFF of too many pages is refused before the first is read", async () => {
    const pages = scratch.file(tiffOf(Array.from({ length: 26 }, () => ({ width: 8, height: 8 }))));
    expect(await codeOf(read(pages, ["tiff", "txt"]))).toBe("too_many_pages");
  });

  test.each(["png", "webp", "tiff"] as const)("of half a %s is refused", async (from) => {
    const whole = readFileSync(sampleOf(from));
    const input = scratch.file(whole.subarray(0, whole.length / 2));
    expect(await codeOf(read(input, [from, "txt"]))).toBe("source_corrupt");
  });
});

/** @returns where a word begins, in points from the left and from the top, as poppler sees it */
const placeOf = (path: string, word: string): number[] | undefined => {
  const boxes = poppler("pdftotext", "-bbox", path, "-");
  const found =
    boxes === undefined ? undefined : new RegExp(`xMin="([\\d.]+)" yMin="([\\d.]+)"[^>]*>${word}<`).exec(boxes);
  return boxes === undefined ? undefined : [Number(found?.[1]), Number(found?.[2])];
};

describe("a picture as PDF with its text", () => {
  test("shows the picture, and finds the words where they stand", async () => {
    const input = await fileOf(scan().jpeg());
    const { path } = await toPdf(input, ["jpg", "pdf"], { ocr: true });
    checkByQpdf(path);
    const [page] = await viewPdf(path);
    expect(page?.text).toContain("quick brown fox");
    expect(readFileSync(path).includes(readFileSync(input))).toBe(true);
    const [left = 0, top = 0] = placeOf(path, "The") ?? [20, 20];
    expect(Math.abs(left - 20) + Math.abs(top - 20)).toBeLessThan(8);
  });

  test("has no text when none is asked for", async () => {
    const { path } = await toPdf(await fileOf(scan().jpeg()), ["jpg", "pdf"]);
    expect((await viewPdf(path))[0]?.text).toBe("");
  });

  test("lays the text over the picture wherever it lies on the page", async () => {
    const options = { ocr: true, page_size: "a4", page_orientation: "portrait", page_margin: 10 } as const;
    const { path } = await toPdf(await fileOf(scan().png()), ["png", "pdf"], options);
    const scale = (595.28 - 2 * 28.35) / 300;
    const [left = 0, top = 0] = placeOf(path, "The") ?? [28.35 + 20 * scale, (841.89 - 120 * scale) / 2 + 20 * scale];
    expect(Math.abs(left - (28.35 + 20 * scale))).toBeLessThan(8);
    expect(Math.abs(top - ((841.89 - 120 * scale) / 2 + 20 * scale))).toBeLessThan(12);
  });
});

describe("a scanned PDF", () => {
  const scanned = async (turn = 0): Promise<string> => {
    const { data, info } = await scan()
      .rotate(360 - turn)
      .raw()
      .toBuffer({ resolveWithObject: true });
    const picture = await fileOf(sharp(data, { raw: info }).withMetadata({ density: DPI }).png());
    const { path } = await toPdf(picture, ["png", "pdf"]);
    const document = await PDFDocument.load(readFileSync(path));
    document.getPage(0).setRotation(degrees(turn));
    writeFileSync(path, await document.save());
    return path;
  };

  test("becomes text when that is asked for; else the warning says how", async () => {
    const input = await scanned();
    const asked = await toText(input, ["pdf", "txt"], { ocr: true });
    expect(readFileSync(asked.path, "utf8")).toContain("quick brown fox");
    expect(asked.codes).toEqual([]);
    const plain = await toText(input, ["pdf", "txt"]);
    expect(readFileSync(plain.path, "utf8").trim()).toBe("");
    expect(plain.codes).toEqual(["no_text"]);
  });

  test.each([0, 90, 180, 270])("turned by %i degrees can be searched, and looks as it did", async (turn) => {
    const input = await scanned(turn);
    const { path } = await toPdf(input, ["pdf", "pdf"], { ocr: true });
    checkByQpdf(path);
    const [before, after] = [await viewPdf(input), await viewPdf(path)];
    expect(before[0]?.text).toBe("");
    expect(after[0]?.text).toContain("quick brown fox");
    expect(Buffer.compare(Buffer.from(before[0]?.pixels ?? []), Buffer.from(after[0]?.pixels ?? [0]))).toBe(0);
    const [left = 0, top = 0] = placeOf(path, "The") ?? [20, 20];
    expect(Math.abs(left - 20) + Math.abs(top - 20)).toBeLessThan(8);
  });

  test("pages that have text are left alone", async () => {
    const input = scratch.file(typeset("Already here"));
    const { path } = await toPdf(input, ["pdf", "pdf"], { ocr: true });
    expect((await viewPdf(path))[0]?.text.match(/Already/g)).toHaveLength(1);
  });
});
