import { readFileSync } from "node:fs";
import { PDFDocument, PDFName } from "@cantoo/pdf-lib";
import { read as readWorkbook, utils } from "@e965/xlsx";
import sharp, { type Sharp } from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { readZip } from "../../../functions/engines/archives/zip/reader.ts";
import { HelperNeeded } from "../../../functions/engines/core/engine.ts";
import { withMissedWords } from "../../../functions/engines/pdf/ocr/missed-words.ts";
import { withPictureReader } from "../../../functions/engines/pdf/ocr/ocr.ts";
import { ocrPicture } from "../../../functions/engines/pdf/ocr/picture.ts";
import { rotated, skewOf } from "../../../functions/engines/pdf/ocr/skew.ts";
import { withoutLines } from "../../../functions/engines/pdf/ocr/straight-lines.ts";
import { viewPdf } from "../support/documents/pdf.ts";
import { typeset } from "../support/documents/typeset.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, isInstalled } from "../support/task.ts";

/** Scanned pages in the conversions that read the text of a PDF, and pictures as documents. */

const scratch = scratchFolder();
const convert = convertingBy("pdfium", scratch);
const read = convertingBy("tesseract", scratch);
const toPdf = convertingBy("pdflib", scratch);
const describeInstalled = describe.skipIf(!isInstalled("tesseract"));

const DPI = 200;
const SENTENCE = "The quick brown fox jumps over the lazy dog near the river bank.";
const ROWS = [
  ["Product", "Units", "Revenue"],
  ["Apples", "1,234", "\\$5,678.90"],
  ["Pears", "987", "\\$432.10"],
  ["Plums", "365", "\\$1.05"],
];
const SOURCE = `#set page(width: 420pt, height: 400pt, margin: 40pt)
#set text(size: 12pt)
= Annual report 2025

${SENTENCE}

#table(columns: (120pt, 90pt, 110pt), stroke: 0.8pt, inset: 7pt, ${ROWS.flat()
  .map((cell) => `[${cell}]`)
  .join(", ")})

The table is followed by this sentence.`;

/** Noise of a cheap scanner: the same in each run. */
const withNoise = (pixels: Uint8Array): Uint8Array => {
  let seed = 1;
  return pixels.map((value) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return Math.max(0, Math.min(255, value + (seed / 0x7fffffff - 0.5) * 50));
  });
};

/** @returns a function that makes the first page as a scanner captures it: skewed pixels with noise */
const scannerOf = async (pdf: string): Promise<() => Sharp> => {
  const [view] = await viewPdf(pdf, { scale: DPI / 72 });
  const { pixels = new Uint8Array(), pixelWidth = 1, pixelHeight = 1 } = view ?? {};
  const page = sharp(pixels, { raw: { width: pixelWidth, height: pixelHeight, channels: 3 } });
  const skewed = page.rotate(1.5, { background: "#fff" }).removeAlpha();
  const { data, info } = await skewed.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return () => sharp(withNoise(data), { raw: { width, height, channels } }).withMetadata({ density: DPI });
};

let scan: () => Sharp;
let scanned: string;
let digital: string;
beforeAll(async () => {
  digital = scratch.file(typeset(SOURCE));
  scan = await scannerOf(digital);
  scanned = (await toPdf(await fileOf(scan().jpeg({ quality: 85 })), ["jpg", "pdf"])).path;
});

const fileOf = async (made: Sharp): Promise<string> => scratch.file(await made.toBuffer());

const documentXml = (path: string): Promise<string> =>
  readZip(path, async (zip) => (await zip.read("word/document.xml"))?.toString("utf8") ?? "");

const sheetsIn = (path: string) => {
  const { Sheets, SheetNames } = readWorkbook(readFileSync(path));
  return SheetNames.map((name) => utils.sheet_to_json<unknown[]>(Sheets[name] ?? {}, { header: 1, defval: null }));
};

const TABLE = [
  ["Product", "Units", "Revenue"],
  ["Apples", 1234, 5678.9],
  ["Pears", 987, 432.1],
  ["Plums", 365, 1.05],
];

/** @returns the PDF with a number at the bottom of its first page */
const stamped = async (pdf: string): Promise<string> => {
  const document = await PDFDocument.load(readFileSync(pdf));
  document.getPage(0).drawText("BATES 000123", { x: 20, y: 8, size: 9 });
  return scratch.file(await document.save());
};

describeInstalled("a scanned page", () => {
  test("becomes text, straightened and in order, with a warning that it was recognized", async () => {
    const { path, codes } = await convert(scanned, ["pdf", "txt"], {}, "here");
    const text = readFileSync(path, "utf8");
    expect(text).toContain(SENTENCE);
    expect(text.indexOf("Annual report 2025")).toBeLessThan(text.indexOf(SENTENCE));
    expect(text.indexOf("$5,678.90")).toBeLessThan(text.indexOf("The table is followed"));
    expect(codes).toEqual(["text_recognized"]);
  });

  test("becomes a table with numbers, found by its lines", async () => {
    const { path, codes } = await convert(scanned, ["pdf", "xlsx"], {}, "here");
    expect(sheetsIn(path)).toEqual([TABLE]);
    expect(codes).toEqual(["text_recognized", "text_dropped"]);
  });

  const turned = async (degrees: number): Promise<string> => {
    const { data, info } = await scan().rotate(degrees).raw().toBuffer({ resolveWithObject: true });
    const picture = await fileOf(sharp(data, { raw: info }).withMetadata({ density: DPI }).png());
    return (await toPdf(picture, ["png", "pdf"])).path;
  };

  test("has the words that the first reading left out, such as a column of short numbers", async () => {
    const page = await ocrPicture(sharp(await scan().png().toBuffer()));
    const { picture } = withoutLines(await rotated(page, await skewOf(page)), DPI);
    await withPictureReader(async (reader) => {
      const all = await reader.readPicture(picture, DPI);
      expect(await withMissedWords(reader, picture, all, DPI)).toBe(all);
      const numbers = ["1,234", "987", "365"];
      const words = all.words.filter(({ text }) => !numbers.includes(text));
      const found = await withMissedWords(reader, picture, { ...all, words }, DPI);
      expect(words).toHaveLength(all.words.length - numbers.length);
      expect(found.words.slice(words.length).map(({ text }) => text)).toEqual(numbers);
      expect(found.text).toMatch(/1,234\n987\n365\n$/);
      // Boxes of words can be off: what is left of a letter is not another word.
      const shifted = all.words.map((word) => (word.text === "987" ? { ...word, right: word.left + 2 } : word));
      expect((await withMissedWords(reader, picture, { ...all, words: shifted }, DPI)).words).toBe(shifted);
    });
  });

  test.each([90, 180, 270])("turned by %i degrees is read upright", async (degrees) => {
    const { path } = await convert(await turned(degrees), ["pdf", "xlsx"], {}, "here");
    expect(sheetsIn(path)).toEqual([TABLE]);
  });

  test("turned by 90 degrees becomes searchable", async () => {
    const { path } = await read(await turned(90), ["pdf", "pdf"], { ocr: "auto" });
    expect((await viewPdf(path))[0]?.text).toContain("quick brown fox");
  });

  test("becomes a heading, paragraphs and a table of HTML", async () => {
    const { path } = await convert(scanned, ["pdf", "html"], {}, "here");
    const html = readFileSync(path, "utf8");
    expect(html).toMatch(/<h1[^>]*>.*Annual report 2025/);
    expect(html.match(/<td|<th/g)).toHaveLength(TABLE.flat().length);
  });

  test("stays without text where recognition is off or not available; the warning says which", async () => {
    const off = await convert(scanned, ["pdf", "txt"], { ocr: "off" }, "here");
    const missing = await convert(scanned, ["pdf", "txt"]);
    for (const { path, warnings } of [off, missing]) {
      expect(readFileSync(path, "utf8").trim()).toBe("");
      expect(warnings.map(({ code }) => code)).toEqual(["no_text"]);
    }
    expect(off.warnings[0]?.detail).toContain("is off (`ocr`)");
    expect(missing.warnings[0]?.detail).not.toContain("`ocr`");
  });

  test("becomes a Word document of text, not of a picture", async () => {
    const { path } = await convert(scanned, ["pdf", "docx"], {}, "here");
    const xml = await documentXml(path);
    expect(xml.match(/<w:tbl>/g)).toHaveLength(1);
    expect(xml.replaceAll(/<[^>]*>/g, "")).toContain(SENTENCE);
    expect(xml).not.toContain("<pic:pic");
  });

  test.each(["txt", "html", "xlsx", "csv", "pptx", "docx"] as const)(
    "needs another lane for %s if text recognition is only there; other files do not",
    async (to) => {
      await expect(convert(scanned, ["pdf", to], {}, "elsewhere")).rejects.toBeInstanceOf(HelperNeeded);
      expect((await convert(digital, ["pdf", to], {}, "elsewhere")).codes).not.toContain("text_recognized");
      expect((await convert(scanned, ["pdf", "txt"], { ocr: "off" }, "elsewhere")).codes).toEqual(["no_text"]);
    },
  );

  test("a page with text is only recognized if requested", async () => {
    const plain = await convert(digital, ["pdf", "txt"], {}, "here");
    expect(plain.codes).toEqual([]);
    const forced = await convert(digital, ["pdf", "txt"], { ocr: "force" }, "here");
    expect(forced.codes).toEqual(["text_recognized"]);
    expect(readFileSync(forced.path, "utf8")).toContain(SENTENCE);
  });

  test("a page whose fonts do not say which characters they have is recognized", async () => {
    const document = await PDFDocument.load(readFileSync(digital));
    for (const [, object] of document.context.enumerateIndirectObjects()) {
      "delete" in object && typeof object.delete === "function" && object.delete(PDFName.of("ToUnicode"));
    }
    const { path, codes } = await convert(scratch.file(await document.save()), ["pdf", "txt"], {}, "here");
    expect(codes).toEqual(["text_recognized"]);
    expect(readFileSync(path, "utf8")).toContain(SENTENCE);
  });

  test("with a digital stamp has the text of both", async () => {
    const { path, codes } = await convert(await stamped(scanned), ["pdf", "txt"], {}, "here");
    expect(codes).toEqual(["text_recognized"]);
    const text = readFileSync(path, "utf8");
    expect(text).toContain(SENTENCE);
    expect(text.match(/BATES 000123/g)).toHaveLength(1);
    const off = await convert(await stamped(scanned), ["pdf", "txt"], { ocr: "off" }, "here");
    expect(readFileSync(off.path, "utf8").trim()).toBe("BATES 000123");
  });

  test("a title on a light picture is only that title", async () => {
    const paper = sharp({ create: { width: 400, height: 300, channels: 3, background: "#fed" } });
    const { path } = await toPdf(await fileOf(paper.jpeg()), ["jpg", "pdf"]);
    const title = await convert(await stamped(path), ["pdf", "txt"], {}, "here");
    expect(readFileSync(title.path, "utf8").trim()).toBe("BATES 000123");
    expect(title.codes).toEqual([]);
  });

  test("that is a photo without text is reported", async () => {
    const photo = sharp({ create: { width: 400, height: 300, channels: 3, background: "#4a7" } });
    const { path } = await toPdf(await fileOf(photo.jpeg()), ["jpg", "pdf"]);
    expect((await convert(path, ["pdf", "txt"], {}, "here")).codes).toEqual(["no_text_found"]);
  });
});

describeInstalled("a picture", () => {
  const formats = [
    ["jpg", () => scan().jpeg({ quality: 85 })],
    ["png", () => scan().png()],
    ["tiff", () => scan().tiff({ compression: "lzw" })],
  ] as const;
  test.each(formats)("of a table in %s becomes a workbook", async (from, make) => {
    const { path } = await read(await fileOf(make()), [from, "xlsx"]);
    expect(sheetsIn(path)).toEqual([TABLE]);
  });

  test.each(formats)("in %s becomes a Word document", async (from, make) => {
    const { path, codes } = await read(await fileOf(make()), [from, "docx"]);
    const xml = await documentXml(path);
    expect(xml.match(/<w:tbl>/g)).toHaveLength(1);
    expect(xml.replaceAll(/<[^>]*>/g, "")).toContain(SENTENCE);
    expect(codes).toContain("text_recognized");
  });

  test("without a resolution becomes a workbook", async () => {
    const { data, info } = await scan().raw().toBuffer({ resolveWithObject: true });
    const { path } = await read(await fileOf(sharp(data, { raw: info }).png()), ["png", "xlsx"]);
    expect(sheetsIn(path)).toEqual([TABLE]);
  });
});
