import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { codeOf } from "./support/convert.ts";
import { fixture, sampleOf } from "./support/fixtures.ts";
import { poppler, viewPdf } from "./support/pdf.ts";
import { picturePixels } from "./support/picture.ts";
import { scratchFolder } from "./support/scratch.ts";
import { settingPages } from "./support/set-pages.ts";
import { convertingBy } from "./support/task.ts";
import { distance } from "./support/views.ts";

const scratch = scratchFolder();
const typeset = settingPages(scratch);
const convert = convertingBy("typst", scratch);

const PICTURE = `data:image/png;base64,${readFileSync(sampleOf("png")).toString("base64")}`;
const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="96" height="64"';

describe("a drawing", () => {
  test("becomes shapes and text, not pixels", async () => {
    const { pages, path, text } = await typeset(
      `<svg ${SVG}><rect width="50" height="50" fill="red"/><text x="5" y="60" font-family="Arial">Words</text></svg>`,
      "svg",
    );
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatchObject({ width: 72, height: 48 });
    expect(text).toContain("Words");
    expect(readFileSync(path).includes("/Subtype /Image")).toBe(false);
    expect(poppler("pdffonts", path) ?? "DejaVuSans").toContain("DejaVuSans");
  });

  test("looks as it did", async () => {
    const { path } = await convert(sampleOf("svg"), ["svg", "pdf"]);
    const [page] = await viewPdf(path, { width: 96, height: 64 });
    expect(distance(page?.pixels ?? new Uint8Array(), picturePixels())).toBeLessThan(1);
  });

  test.each([
    [{ page_size: "a4", page_orientation: "landscape" }, 841.89, 595.28],
    [{ page_margin: 10 }, 72 + 56.7, 48 + 56.7],
  ] as const)("with %j lies on a page of %d × %d points", async (options, width, height) => {
    const [page] = (await typeset(`<svg ${SVG}><circle cx="30" cy="30" r="20"/></svg>`, "svg", options)).pages;
    expect(page?.width).toBeCloseTo(width, 0);
    expect(page?.height).toBeCloseTo(height, 0);
  });

  test.each([
    `<image href="${fixture("sample.png")}" width="90" height="60"/>`,
    `<image xlink:href='file://${fixture("sample.png")}' width="90" height="60"/>`,
    '<image width="90" xlink:href="text:/etc/passwd" height="60"/>',
    '<image href="https://example.org/x.png" width="90" height="60"/>',
  ])("does not follow %s, and says so", async (image) => {
    expect(existsSync(fixture("sample.png"))).toBe(true);
    const { pages, codes } = await typeset(`<svg ${SVG}><rect width="9" height="9"/>${image}</svg>`, "svg");
    expect(codes).toEqual(["remote_content_dropped"]);
    expect(pages[0]?.pixels.filter((value) => value < 250).length).toBeLessThan(1_000);
  });

  test("shows a picture that is in it", async () => {
    const { path, codes } = await typeset(`<svg ${SVG}><image href="${PICTURE}" width="96" height="64"/></svg>`, "svg");
    const [page] = await viewPdf(path, { width: 96, height: 64 });
    expect(codes).toEqual([]);
    expect(distance(page?.pixels ?? new Uint8Array(), picturePixels())).toBeLessThan(6);
  });

  test.each([
    ["is not closed", `<svg ${SVG}><rect`],
    ["is no drawing", "<svg"],
  ])("that %s is refused", async (_, svg) => {
    expect(await codeOf(convert(scratch.file(svg), ["svg", "pdf"]))).toBe("source_corrupt");
  });

  test.each([
    ["refers to itself", `<svg ${SVG}><g id="a"><use href="#a"/></g></svg>`],
    [
      "is a million times itself",
      `<!DOCTYPE svg [<!ENTITY a "${"x".repeat(100)}">${["b", "c", "d", "e", "f"].map((name, index) => `<!ENTITY ${name} "${`&${"abcde"[index]};`.repeat(100)}">`).join("")}]><svg ${SVG}><text>&f;</text></svg>`,
    ],
  ])("that %s ends with a drawing or an error", async (_, svg) => {
    const ended = await convert(scratch.file(svg), ["svg", "pdf"]).then(
      () => "drawn",
      (error: { code?: string }) => error.code,
    );
    expect(["drawn", "source_corrupt", "unsupported_feature"]).toContain(ended);
  });
});
