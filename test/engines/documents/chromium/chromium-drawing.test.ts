import { existsSync, readFileSync } from "node:fs";
import { PDFDocument } from "@cantoo/pdf-lib";
import { describe, expect, test } from "vitest";
import type { Options } from "../../../../functions/domain/conversions/options.ts";
import { codeOf } from "../../support/convert.ts";
import { checkByQpdf, poppler, viewPdf } from "../../support/documents/pdf.ts";
import { fixture, sampleOf } from "../../support/fixtures.ts";
import { picturePixels } from "../../support/pictures/picture.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { convertingBy, isInstalled } from "../../support/task.ts";
import { distance } from "../../support/views.ts";

const scratch = scratchFolder();
const convert = convertingBy("chromium", scratch);

/** @returns the printed drawing, as read by another program */
const printed = async (svg: string, options: Options = {}) => {
  const { path, codes } = await convert(scratch.file(svg), ["svg", "pdf"], options);
  checkByQpdf(path);
  const pages = await viewPdf(path);
  return { path, codes, pages, text: pages.map(({ text }) => text).join("\n") };
};

const PICTURE = `data:image/png;base64,${readFileSync(sampleOf("png")).toString("base64")}`;
const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="96" height="64"';

describe.skipIf(!isInstalled("chromium"))("a drawing", () => {
  test("consists of shapes and text, not pixels", async () => {
    const { pages, path, text } = await printed(
      `<svg ${SVG}><rect width="50" height="50" fill="red"/><text x="5" y="60" font-family="Arial">Words</text></svg>`,
    );
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatchObject({ width: 72, height: 48 });
    expect(text).toContain("Words");
    expect(readFileSync(path).includes("/Subtype /Image")).toBe(false);
    expect(poppler("pdffonts", path)?.split("\n").slice(2).filter(Boolean) ?? ["one"]).toHaveLength(1);
  });

  test("has the same appearance as the source", async () => {
    const { path } = await convert(sampleOf("svg"), ["svg", "pdf"]);
    const [page] = await viewPdf(path, { width: 96, height: 64 });
    expect(distance(page?.pixels ?? new Uint8Array(), picturePixels())).toBeLessThan(1);
  });

  test.each([
    [{ page_size: "a4", page_orientation: "landscape" }, 841.89, 595.28],
    [{ page_size: "a4" }, 841.89, 595.28],
    [{ page_size: "a4", page_orientation: "portrait" }, 595.28, 841.89],
    [{ page_margin: 10 }, 72 + 56.7, 48 + 56.7],
  ] as const)("with %j is on a page of %d × %d points", async (options, width, height) => {
    const [page] = (await printed(`<svg ${SVG}><circle cx="30" cy="30" r="20"/></svg>`, options)).pages;
    expect(page?.width).toBeCloseTo(width, 0);
    expect(page?.height).toBeCloseTo(height, 0);
  });

  test.each([
    ['width="10cm" height="50mm"', 283.46, 141.73],
    ['width="1in" height="36pt"', 72, 36],
    ['viewBox="0 0 200 100"', 150, 75],
    ['width="100%" height="100%" viewBox="0 0 40 80"', 30, 60],
    ['width="16" height="16"', 12, 12],
    ['width="40000" height="20000"', 14_400, 7_200],
  ])("with %s has a single page of %d × %d points", async (attributes, width, height) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><rect width="9" height="9"/></svg>`;
    const { path } = await convert(scratch.file(svg), ["svg", "pdf"]);
    const pages = (await PDFDocument.load(readFileSync(path))).getPages();
    expect(pages).toHaveLength(1);
    expect(Math.abs((pages[0]?.getWidth() ?? 0) - width)).toBeLessThan(1);
    expect(Math.abs((pages[0]?.getHeight() ?? 0) - height)).toBeLessThan(1);
  });

  test.each([
    `<image href="${fixture("sample.png")}" width="90" height="60"/>`,
    `<image xlink:href='file://${fixture("sample.png")}' width="90" height="60"/>`,
    '<image width="90" xlink:href="text:/etc/passwd" height="60"/>',
    '<image href="https://example.org/x.png" width="90" height="60"/>',
  ])("does not follow %s, and reports it", async (image) => {
    expect(existsSync(fixture("sample.png"))).toBe(true);
    const { pages, codes } = await printed(`<svg ${SVG}><rect width="9" height="9"/>${image}</svg>`);
    expect(codes).toEqual(["remote_content_dropped"]);
    expect(pages[0]?.pixels.filter((value) => value < 250).length).toBeLessThan(1_000);
  });

  test("shows an embedded picture", async () => {
    const { path, codes } = await printed(`<svg ${SVG}><image href="${PICTURE}" width="96" height="64"/></svg>`);
    const [page] = await viewPdf(path, { width: 96, height: 64 });
    expect(codes).toEqual([]);
    expect(distance(page?.pixels ?? new Uint8Array(), picturePixels())).toBeLessThan(6);
  });

  test.each([
    ["is not closed", `<svg ${SVG}><rect`],
    ["is not a drawing", "<svg"],
  ])("that %s is rejected", async (_, svg) => {
    expect(await codeOf(convert(scratch.file(svg), ["svg", "pdf"]))).toBe("source_corrupt");
  });

  test.each([
    ["refers to itself", `<svg ${SVG}><g id="a"><use href="#a"/></g></svg>`],
    [
      "expands to a million copies",
      `<!DOCTYPE svg [<!ENTITY a "${"x".repeat(100)}">${["b", "c", "d", "e", "f"].map((name, index) => `<!ENTITY ${name} "${`&${"abcde"[index]};`.repeat(100)}">`).join("")}]><svg ${SVG}><text>&f;</text></svg>`,
    ],
  ])("that %s terminates with a drawing or an error", async (_, svg) => {
    const ended = await convert(scratch.file(svg), ["svg", "pdf"]).then(
      () => "drawn",
      (error: { code?: string }) => error.code,
    );
    expect(["drawn", "source_corrupt", "unsupported_feature"]).toContain(ended);
  });
});
