import { readFileSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { BROWSER_CELLS_MAX, DOCUMENT_PAGES_MAX } from "../../../../functions/domain/conversions/conversion-limits.ts";
import { planRoutes } from "../../../../functions/domain/conversions/plan.ts";
import { chromiumEngine } from "../../../../functions/engines/documents/chromium.ts";
import { installedEngines } from "../../../../local/engines/installed.ts";
import { codeOf } from "../../support/convert.ts";
import { checkByQpdf, poppler, viewPdf } from "../../support/documents/pdf.ts";
import { sampleOf } from "../../support/fixtures.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { convertingBy, convertingByRoute, isInstalled } from "../../support/task.ts";

/** HTML as PDF pages and as pictures, rendered by a browser. */

const scratch = scratchFolder();
const convert = convertingBy("chromium", scratch);
const byRoute = convertingByRoute(scratch);
const PDF = ["html", "pdf"] as const;
const PNG = ["html", "png"] as const;
const MILLIMETER = 72 / 25.4;

const html = (text: string): string => scratch.file(`<!DOCTYPE html><html lang="en"><body>${text}`);

const pagesOf = async (text: string, options = {}) => viewPdf((await convert(html(text), PDF, options)).path);

describe.skipIf(!isInstalled("chromium"))("chromium prints", () => {
  test("it reports its version", async () => {
    expect(await chromiumEngine.version()).toMatch(/Chrom\w+\/\d+/);
  });

  test.each(["md", "eml", "epub", "html"] as const)(
    "%s with a browser, not with an engine that ignores styles",
    (from) => {
      const route = planRoutes(new Set(installedEngines().keys())).find(from, "pdf");
      expect(route).toMatchObject({ lane: "documents" });
      expect(route?.steps.at(-1)).toMatchObject({ engine: "chromium", from: "html", to: "pdf" });
    },
  );

  test("text with its lines, columns and pages preserved", async () => {
    const text = "one\n    two  three\n\nfour\ta\tb\n\f\nsecond page";
    const { path: page } = await convertingBy("markup", scratch)(scratch.file(text), ["txt", "html"]);
    const { path } = await convert(page, PDF);
    expect(await viewPdf(path)).toHaveLength(2);
    const lines =
      poppler("pdftotext", "-layout", path, "-") ?? "one\n    two  three\n\nfour    a       b\n\fsecond page";
    expect(lines).toMatch(/^one\n {3,9}two {2,4}three\n\s*four {3,12}a {5,12}b\n+\f\s*second page/);
  });

  test("searchable text in all scripts, with embedded fonts", async () => {
    const words = ["Überfahrt", "中国", "日本語", "한국어", "नमस्ते", "Ελλάδα", "Україна", "E = mc²"];
    const { path } = await convert(
      html(`<p>${words.join("</p><p>")}</p><p dir="rtl">שלום</p><p dir="rtl">مرحبا</p><p>⛵`),
      PDF,
    );
    checkByQpdf(path);
    const text = poppler("pdftotext", path, "-") ?? words.join();
    for (const word of words) {
      expect(text).toContain(word);
    }
    const fonts = poppler("pdffonts", path)?.split("\n").slice(2).filter(Boolean) ?? [];
    expect(fonts.filter((line) => !/\byes (?:yes|no) +(?:yes|no) +\d/.test(line))).toEqual([]);
  });

  test.each([
    [{}, 210, 297],
    [{ page_size: "a5" }, 148, 210],
    [{ page_size: "letter", page_orientation: "landscape" }, 279.4, 215.9],
    [{ page_orientation: "landscape" }, 297, 210],
  ] as const)("with %j, pages of %d by %d millimeters", async (options, width, height) => {
    const [page] = await pagesOf("<p>words", options);
    expect(Math.abs((page?.width ?? 0) - width * MILLIMETER)).toBeLessThan(1);
    expect(Math.abs((page?.height ?? 0) - height * MILLIMETER)).toBeLessThan(1);
  });

  test("with the document's page size unless another is requested", async () => {
    const style = "<style>@page { size: 100mm 50mm; margin: 5mm }</style><p>words";
    const [own] = await pagesOf(style);
    expect(own?.width).toBeCloseTo(100 * MILLIMETER, -1);
    const [asked] = await pagesOf(style, { page_size: "a4" });
    expect(asked?.width).toBeCloseTo(210 * MILLIMETER, -1);
  });

  test("the requested margins", async () => {
    const red = "<style>html { background: #f00; height: 100vh } body { margin: 0 }</style>x";
    const cornerPixel = async (page_margin: number) => {
      const [page] = await pagesOf(`${red}`, { page_margin });
      const { pixels = new Uint8Array(), pixelWidth = 0 } = page ?? {};
      const at = (Math.round(12 * MILLIMETER) * pixelWidth + Math.round(12 * MILLIMETER)) * 3;
      return [...pixels.subarray(at, at + 3)];
    };
    expect(await cornerPixel(5)).toEqual([255, 0, 0]);
  });

  test("the requested page numbers, page range, backgrounds, media and scale", async () => {
    const three =
      "<style>@media print { .s { display: none } } p { break-after: page; background: #f00 }</style><p>one<p>two<p>three<b class=s>seen</b>";
    const numbered = await pagesOf(three, { page_numbers: true });
    expect(numbered[1]?.text).toMatch(/2 \/ 3/);
    const chosen = await pagesOf(three, { pages: "2-" });
    expect(chosen.map(({ text }) => text.trim())).toEqual(["two", "three"]);
    expect((await pagesOf(three, { css_media: "screen" })).at(-1)?.text).toContain("seen");
    const red = (pixels: Uint8Array | undefined) =>
      pixels?.some((value, at) => at % 3 === 0 && value === 255 && pixels[at + 1] === 0);
    expect(red((await pagesOf(three))[0]?.pixels)).toBe(true);
    expect(red((await pagesOf(three, { print_background: false }))[0]?.pixels)).toBe(false);
    const long = "<p>words ".repeat(50);
    expect([(await pagesOf(long)).length, (await pagesOf(long, { scale: 0.3 })).length]).toEqual([2, 1]);
    expect(await codeOf(convert(html("<p>x"), PDF, { pages: "7" }))).toBe("unsupported_feature");
  });

  test("wide content scaled down instead of clipped", async () => {
    const [page] = await pagesOf('<div style="width: 1400px">x<span style="float: right">the right end</span></div>');
    expect(page?.text).toContain("the right end");
    const { pixels = new Uint8Array(), pixelWidth = 1 } = page ?? {};
    const inked = [...pixels.keys()]
      .filter((at) => at % 3 === 0 && (pixels[at] ?? 255) < 128)
      .map((at) => (at / 3) % pixelWidth);
    expect(Math.max(...inked)).toBeLessThan(pixelWidth - 18 * MILLIMETER);
  });

  test("headings as the outline, and the title as the file's title", async () => {
    const { path } = await byRoute(sampleOf("md"), ["md", "pdf"]).then(({ output }) => ({ path: output }));
    expect(readFileSync(path, "latin1")).toMatch(/\/Outlines \d+ 0 R/);
    expect(poppler("pdfinfo", path) ?? "Title: Harbour report Tagged: yes").toMatch(
      /Title: +Harbour report[\s\S]*Tagged: +yes/,
    );
  });

  test("an Outlook email with named pages without extra page breaks", async () => {
    expect(
      await pagesOf("<style>div { page: WordSection1; color: #000 }</style><h1>a</h1><div>b</div><p>c"),
    ).toHaveLength(1);
  });
});

describe.skipIf(!isInstalled("chromium"))("chromium draws", () => {
  test.each([
    [{}, 1_280, 800],
    [{ width: 1_001, dpi: 150 }, 1_001, undefined],
    [{ width: 400, height: 300 }, 400, 300],
  ] as const)("a picture of the expected size with %j: %d by %s pixels", async (options, width, height) => {
    const { parts = [] } = await convert(html('<p style="height: 300px">words'), PNG, options);
    const size = await sharp(parts[0]?.path).metadata();
    expect(size.width).toBe(width);
    expect(height === undefined || size.height === height).toBe(true);
  });

  test("several pictures without a gap if the height limit is exceeded", async () => {
    const strips = Array.from(
      { length: 40 },
      (_, i) => `<div style="height:1000px;background:rgb(${i * 5},0,0)"></div>`,
    );
    const { parts = [] } = await convert(html(`<style>body{margin:0}</style>${strips.join("")}`), PNG, { width: 50 });
    const column = await Promise.all(
      parts.map(({ path }) => sharp(path).extract({ left: 9, top: 0, width: 1, height: 1 }).raw().toBuffer()),
    );
    const heights = await Promise.all(parts.map(async ({ path }) => (await sharp(path).metadata()).height ?? 0));
    expect(heights).toEqual([16_000, 16_000, 8_000]);
    expect(column.map(([red]) => red)).toEqual([0, 16 * 5, 32 * 5]);
  });

  test("no picture that exceeds the pixel limit", async () => {
    expect(await codeOf(convert(html('<p style="height: 900000px">x'), PNG))).toBe("too_many_pixels");
  });
});

const pngChunk = (name: string, data: Buffer): Buffer => {
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
};

/** A single-color PNG that declares this many pixels per side, and has them. */
const largePng = (side: number): string => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.writeUInt8(1, 8);
  const data = deflateSync(Buffer.alloc(Math.ceil(side / 8 + 1) * side), { level: 1 });
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  const chunks = [pngChunk("IHDR", header), pngChunk("IDAT", data), pngChunk("IEND", Buffer.alloc(0))];
  return `data:image/png;base64,${Buffer.concat([signature, ...chunks]).toString("base64")}`;
};

describe.skipIf(!isInstalled("chromium"))("a document with excessive content", () => {
  test.each([
    ["pages", '<div style="height: 99999999px">x', "too_many_pages"],
    [
      "forced pages",
      '<p style="break-after: page; font-size: 1px; margin: 0">x'.repeat(DOCUMENT_PAGES_MAX + 2),
      "too_many_pages",
    ],
    ["cells", `<table>${"<tr><td>x<td>x".repeat(BROWSER_CELLS_MAX / 2 + 1)}`, "unsupported_feature"],
    ["depth", "<div>".repeat(3_000), "unsupported_feature"],
    ["length", `<p>${"x".repeat(80_000_000)}`, "output_too_large"],
  ])("(%s) is rejected", async (_, text, code) => {
    expect(await codeOf(convert(html(text), PDF))).toBe(code);
  });

  test("(pixels) loses the picture, with a warning", async () => {
    const { codes } = await convert(html(`<p>x<img src="${largePng(20_000)}">`), PDF);
    expect(codes).toEqual(["pictures_dropped"]);
  });

  test.each([
    ["columns", `<div style="columns: 100000">${"word ".repeat(2_000)}</div>`],
    ["nested boxes", '<div style="display: flex; flex-wrap: wrap">'.repeat(400)],
    ["nested tables", "<table><tr><td>".repeat(200)],
    ["an enormous page", "<style>@page { size: 100000in 100000in }</style>x"],
    ["counters", "<style>p { counter-reset: a 999999999 } p::before { content: counter(a, hebrew) }</style><p>x"],
    [
      "variables",
      `<style>p { --a: x; ${Array.from({ length: 30 }, (_, i) => `--b${i + 1}: ${`var(--b${i}, aaaa)`.repeat(9)};`).join("")} content: var(--b30) }</style><p>x`,
    ],
    ["a grid", '<div style="display: grid; grid-template-columns: repeat(100000, 1px)">x'],
    ["fonts", '<p style="font-size: 1e30px">x'],
    ["pictures in styles", `<p style="background: url(${largePng(20_000)})">x`],
  ])("(%s) terminates, and the next one is converted", async (_, text) => {
    await convert(html(text), PDF).catch((error: unknown) => expect(error).toHaveProperty("code"));
    expect((await pagesOf("<p>words"))[0]?.text).toContain("words");
  });
});
