import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import sharp, { type Sharp } from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { checkOptions } from "../../functions/domain/options.ts";
import { planRoutes } from "../../functions/domain/routes.ts";
import { withPictureReader } from "../../functions/engines/io/ocr.ts";
import { languageCodes } from "../../functions/engines/io/ocr-languages.ts";
import { installedEngines } from "../../local/engines.ts";
import { codeOf } from "./support/convert.ts";
import { checkByQpdf, viewPdf } from "./support/pdf.ts";
import { scratchFolder } from "./support/scratch.ts";
import { convertingBy, isInstalled } from "./support/task.ts";
import { typeset } from "./support/typeset.ts";

/** Tesseract as a program of the system, where it is installed. */

const scratch = scratchFolder();
const convert = convertingBy("tesseract-cli", scratch);
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

describe("a language that is asked for", () => {
  const routes = planRoutes(new Set([...installedEngines().keys(), "tesseract-cli"]));
  const enginesOf = (...pair: Parameters<typeof routes.find>) =>
    routes.find(...pair)?.steps.map(({ engine }) => engine);

  test("leads to the lane that has the program, and only for those who ask", () => {
    for (const [from, to] of [
      ["pdf", "txt"],
      ["pdf", "pdf"],
      ["jpg", "pdf"],
      ["tiff", "pdf"],
    ] as const) {
      expect(routes.find(from, to, ["ocr"])?.lane).toBe("fast");
      expect(enginesOf(from, to, ["ocr", "ocr_language"])).toEqual(["tesseract-cli"]);
      expect(routes.find(from, to, ["ocr_language"])?.lane).toBe("documents");
    }
    expect(enginesOf("png", "txt")).toEqual(["tesseract-cli"]);
  });

  test("takes no option away that the pair honours without it", () => {
    for (const [from, to] of [
      ["pdf", "txt"],
      ["pdf", "pdf"],
      ["jpg", "pdf"],
      ["webp", "pdf"],
    ] as const) {
      const usual = routes.find(from, to);
      const asked = routes.find(from, to, ["ocr_language"]);
      expect(asked?.options.toSorted()).toEqual([...(usual?.options ?? []), "ocr_language"].toSorted());
      expect(asked?.merges).toBe(usual?.merges);
    }
  });

  test("is refused where there is no program", () => {
    const without = planRoutes(new Set(installedEngines().keys()).difference(new Set(["tesseract-cli"])));
    const names = without.find("pdf", "txt", ["ocr_language"])?.options ?? [];
    expect(() => checkOptions(names, { ocr_language: "de" })).toThrow("do not fit");
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
    expect(() => checkOptions(["ocr_language"], { ocr_language: language })).toThrow("do not fit");
  });
});

describe.skipIf(!isInstalled("tesseract-cli"))("Tesseract as a program", () => {
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

  test("finds words where WebAssembly finds them, and leaves nothing behind", async () => {
    const picture = await scan().png().toBuffer();
    const read = () => withPictureReader((reader) => reader.readPicture(picture, DPI));
    const byProgram = await read();
    const { PATH } = process.env;
    try {
      process.env.PATH = "/nowhere";
      const byWorker = await read();
      expect(byProgram.words.map(({ text }) => text)).toEqual(byWorker.words.map(({ text }) => text));
      for (const [index, { left, right, top, bottom, baseline }] of byProgram.words.entries()) {
        const other = byWorker.words[index];
        for (const [one, two] of [
          [left, other?.left],
          [right, other?.right],
          [top, other?.top],
          [bottom, other?.bottom],
          [baseline, other?.baseline],
        ] as const) {
          expect(Math.abs(one - (two ?? 0))).toBeLessThan(8);
        }
      }
      expect(await codeOf(withPictureReader((reader) => reader.readPicture(picture), "de"))).toBe(
        "unsupported_feature",
      );
    } finally {
      process.env.PATH = PATH;
    }
    expect(readdirSync(scratch.folder).filter((name) => name.startsWith("ocr-"))).toEqual([]);
  });

  test("says which languages there are, when one is not", async () => {
    const reading = convert(await fileOf(scan().png()), ["png", "txt"], { ocr_language: "en+qxx" });
    await expect(reading).rejects.toThrow(/qxx is not installed.*\beng\b/);
    expect(await codeOf(reading)).toBe("unsupported_feature");
  });

  test("makes a scanned PDF searchable, and text of it, though only its language was named", async () => {
    const { path: input } = await toPdf(await fileOf(scan().png()), ["png", "pdf"]);
    const { path } = await convert(input, ["pdf", "pdf"], { ocr_language: "en" });
    checkByQpdf(path);
    const [before] = await viewPdf(input);
    const [after] = await viewPdf(path);
    expect([before?.text, after?.text.includes("quick brown fox")]).toEqual(["", true]);
    expect(Buffer.compare(Buffer.from(before?.pixels ?? []), Buffer.from(after?.pixels ?? [0]))).toBe(0);
    const text = await convert(input, ["pdf", "txt"], { ocr_language: "en" });
    expect(readFileSync(text.path, "utf8")).toContain("Invoice 4711");
    const album = await convert(await fileOf(scan().jpeg()), ["jpg", "pdf"], { ocr_language: "en" });
    expect((await viewPdf(album.path))[0]?.text).toContain("quick brown fox");
  });

  test("refuses a 26th page, and what is no picture", async () => {
    const { path } = await toPdf(await fileOf(scan().resize(40).png()), ["png", "pdf"]);
    const further = Array.from({ length: 25 }, () => ({ path, from: "pdf" }) as const);
    const { tesseractCliEngine } = await import("../../functions/engines/tesseract-cli.ts");
    const many = tesseractCliEngine.convert({
      input: path,
      further,
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
