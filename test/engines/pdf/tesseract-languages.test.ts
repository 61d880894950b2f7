import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import sharp, { type Sharp } from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { checkOptions } from "../../../functions/domain/conversions/options.ts";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import { languageCodes } from "../../../functions/engines/pdf/ocr/languages.ts";
import { withPictureReader } from "../../../functions/engines/pdf/ocr/ocr.ts";
import { ocrPicture } from "../../../functions/engines/pdf/ocr/picture.ts";
import { installedEngines } from "../../../local/engines/installed.ts";
import { codeOf } from "../support/convert.ts";
import { checkByQpdf, viewPdf } from "../support/documents/pdf.ts";
import { typeset } from "../support/documents/typeset.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, isInstalled } from "../support/task.ts";

/** Tesseract as a system program, if installed. */

const scratch = scratchFolder();
const convert = convertingBy("tesseract", scratch);
const toPdf = convertingBy("pdflib", scratch);

const LINES = ["The quick brown fox jumps over the lazy dog.", "Invoice 4711 of 28 February, total 1,234.50"];
const DPI = 200;

let scan: () => Sharp;
beforeAll(async () => {
  process.env.TMPDIR = scratch.folder;
  const page = scratch.file(typeset(`#set page(width: 300pt, height: 120pt, margin: 20pt)\n${LINES.join("\n\n")}`));
  const [view] = await viewPdf(page, { scale: DPI / 72 });
  const { pixels = new Uint8Array(), pixelWidth = 1, pixelHeight = 1 } = view ?? {};
  scan = () =>
    sharp(pixels, { raw: { width: pixelWidth, height: pixelHeight, channels: 3 } }).withMetadata({ density: DPI });
});

const fileOf = async (made: Sharp): Promise<string> => scratch.file(await made.toBuffer());

describe("a requested language", () => {
  const routes = planRoutes(new Set([...installedEngines().keys(), "tesseract"]));
  const enginesOf = (...pair: Parameters<typeof routes.find>) =>
    routes.find(...pair)?.steps.map(({ engine }) => engine);

  test("routes a job to the lane that has the program only if requested", () => {
    for (const [from, to] of [
      ["pdf", "pdf"],
      ["jpg", "pdf"],
      ["tiff", "pdf"],
    ] as const) {
      expect(routes.find(from, to)?.lane).toBe("fast");
      expect(routes.find(from, to, ["ocr"])?.lane).toBe("documents");
      expect(enginesOf(from, to, ["ocr", "ocr_language"])).toEqual(["tesseract"]);
      expect(routes.find(from, to, ["ocr_language"])?.lane).toBe("documents");
    }
    expect(enginesOf("png", "txt")).toEqual(["tesseract"]);
  });

  test("keeps all options that the pair supports without it", () => {
    for (const [from, to] of [
      ["pdf", "txt"],
      ["pdf", "pdf"],
      ["jpg", "pdf"],
      ["webp", "pdf"],
    ] as const) {
      const usual = routes.find(from, to);
      const asked = routes.find(from, to, ["ocr_language"]);
      expect(asked?.options).toEqual(expect.arrayContaining([...(usual?.options ?? []), "ocr", "ocr_language"]));
      expect(asked?.merges).toBe(usual?.merges);
    }
  });

  test("is listed among the options of the pair", () => {
    expect(routes.optionsOf("pdf", "txt").options).toEqual(["pages", "password", "ocr", "ocr_language"]);
  });

  test("is rejected if the program is missing", () => {
    const without = planRoutes(new Set(installedEngines().keys()).difference(new Set(["tesseract"])));
    const names = without.find("pdf", "txt", ["ocr_language"])?.options ?? [];
    expect(() => checkOptions({ options: names }, { ocr_language: "de" })).toThrow("Invalid options");
  });

  test.each([
    ["de", ["deu"]],
    ["en+fr", ["eng", "fra"]],
    ["pt-BR", ["por"]],
    ["zh-Hant", ["chi_tra"]],
    ["zh", ["chi_sim"]],
    ["chi_tra+DEU", ["chi_tra", "deu"]],
    ["no+nb", ["nor"]],
  ])("%s is Tesseract's %j", (asked, codes) => {
    expect(languageCodes(asked)).toEqual(codes);
  });

  test.each(["de;rm", "../deu", "-l", "de+", "+", "a", "de fr", "de+en+fr+it+es+pt"])("cannot be %j", (language) => {
    expect(() => checkOptions({ options: ["ocr_language"] }, { ocr_language: language })).toThrow("Invalid options");
  });
});

describe.skipIf(!isInstalled("tesseract"))("Tesseract as a program", () => {
  test.each([
    ["jpg", () => scan().jpeg()],
    ["png", () => scan().png()],
    ["webp", () => scan().webp()],
    ["tiff", () => scan().tiff()],
  ] as const)("reads a %s", async (from, make) => {
    const { path, codes } = await convert(await fileOf(make()), [from, "txt"], { ocr_language: "en" });
    expect(readFileSync(path, "utf8").split("\n").filter(Boolean)).toEqual(LINES);
    expect(codes).toEqual([]);
  });

  test("leaves no files", async () => {
    const picture = await ocrPicture(sharp(await scan().png().toBuffer()));
    const { words } = await withPictureReader((reader) => reader.readPicture(picture, DPI));
    expect(words.map(({ text }) => text).join(" ")).toBe(LINES.join(" "));
    expect(readdirSync(scratch.folder).filter((name) => name.startsWith("ocr-"))).toEqual([]);
  });

  test("lists the installed languages if one is missing", async () => {
    const reading = convert(await fileOf(scan().png()), ["png", "txt"], { ocr_language: "en+qxx" });
    await expect(reading).rejects.toThrow(/qxx.*\beng\b/);
    expect(await codeOf(reading)).toBe("unsupported_feature");
  });

  test("makes a scanned PDF searchable if only its language is given", async () => {
    const { path: input } = await toPdf(await fileOf(scan().png()), ["png", "pdf"]);
    const { path } = await convert(input, ["pdf", "pdf"], { ocr_language: "en" });
    checkByQpdf(path);
    const [before] = await viewPdf(input);
    const [after] = await viewPdf(path);
    expect([before?.text, after?.text.includes("quick brown fox")]).toEqual(["", true]);
    expect(Buffer.compare(Buffer.from(before?.pixels ?? []), Buffer.from(after?.pixels ?? [0]))).toBe(0);
    const album = await convert(await fileOf(scan().jpeg()), ["jpg", "pdf"], { ocr_language: "en" });
    expect((await viewPdf(album.path))[0]?.text).toContain("quick brown fox");
  });

  test("rejects a 26th page, and files that are not pictures", async () => {
    const { path } = await toPdf(await fileOf(scan().resize(40).png()), ["png", "pdf"]);
    const further = Array.from({ length: 25 }, () => ({ path, from: "pdf" }) as const);
    const { tesseractEngine } = await import("../../../functions/engines/pdf/tesseract.ts");
    const many = tesseractEngine.convert({
      input: path,
      further,
      optionFiles: {},
      output: scratch.fresh(),
      folder: scratch.folder,
      from: "pdf",
      to: "pdf",
      options: { ocr_language: "en" },
      progress: () => {},
    });
    expect(await codeOf(many)).toBe("too_many_pages");
    const text = scratch.fresh();
    writeFileSync(text, "no picture");
    expect(await codeOf(convert(text, ["png", "txt"]))).toBe("source_corrupt");
  });
});
