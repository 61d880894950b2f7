import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Options } from "../../functions/domain/options.ts";
import { codeOf } from "./support/convert.ts";
import { sampleOf } from "./support/fixtures.ts";
import { poppler, viewPdf } from "./support/pdf.ts";
import { scratchFolder } from "./support/scratch.ts";
import { settingPages } from "./support/set-pages.ts";
import { convertingBy } from "./support/task.ts";

const scratch = scratchFolder();
const typeset = settingPages(scratch);
const convert = convertingBy("typst", scratch);

/** Lines of code that would do something, were they taken for it. */
const CODE = [
  '#import "@preview/cetz:0.3.0": *',
  '#read("/etc/passwd")',
  '#panic("x")',
  '"; read("/etc/passwd"); "',
  '\\"; read("/etc/passwd"); \\"',
  "$x^2$ *b* _i_ `r` <label> @reference // comment",
  "} ] ) { [ (",
  "\\u{41}\\n",
];

describe("what looks like code is text", () => {
  test.each(CODE)("in plain text: %s", async (code) => {
    expect((await typeset(code, "txt")).text).toContain(code);
  });

  test.each(CODE)("in HTML: %s", async (code) => {
    const escaped = code.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
    const html = `<title>${escaped}</title><meta name="author" content="${escaped}"><p lang="${escaped}">${escaped}</p><code>${escaped}</code><pre>${escaped}</pre><a href="https://example.org/${escaped}">a</a><img src="data:image/png;base64,${readFileSync(sampleOf("png")).toString("base64")}" alt="${escaped}" width="${escaped}"><ol start="${escaped}"><li>x</ol><table><td colspan="${escaped}" align="${escaped}" style="text-align:${escaped}">y</table>`;
    const { text } = await typeset(html, "html");
    expect(text.split(code).length - 1).toBeGreaterThanOrEqual(3);
  });
});

describe("plain text", () => {
  test("keeps its lines, its spaces, its stops and its pages", async () => {
    const { pages } = await typeset("one\n    two  three\n\nfour\ta\tb\n\f\nsecond page", "txt");
    expect(pages).toHaveLength(2);
    const words = poppler("pdftotext", "-layout", (await typeset("ab\n    cd  ef\n\tg", "txt")).path, "-");
    expect(words ?? "ab\n    cd  ef\n        g").toMatch(/^ab\n {4,6}cd {2,3}ef\n {8,11}g/);
  });

  test("breaks lines that are too long, and goes on to further pages", async () => {
    const { pages, text } = await typeset(`${"word ".repeat(200)}\n${"line\n".repeat(100)}`, "txt");
    expect(pages.length).toBeGreaterThan(1);
    expect(text.match(/word/g)).toHaveLength(200);
    expect(text.match(/line/g)).toHaveLength(100);
  });

  test.each([
    ["Windows-1252", Buffer.from("na\xefve \x80 5", "latin1"), "naïve € 5"],
    ["UTF-16", Buffer.from("\ufeffÜber Żółć", "utf16le"), "Über Żółć"],
  ])("in %s is read", async (_, bytes, expected) => {
    const { path } = await convert(scratch.file(bytes), ["txt", "pdf"]);
    expect((await viewPdf(path))[0]?.text).toContain(expected);
  });

  test("of scripts that one font of ours has is all there", async () => {
    const text = "Größe Ελληνικά Кириллица Հայերեն ქართული ∑∞≠ ☃ ✓";
    const made = await typeset(text, "txt");
    expect(made.text).toContain(text);
    expect(made.codes).toEqual([]);
  });

  test("from right to left stands at the right", async () => {
    const { pages } = await typeset("שלום עולם", "txt");
    const { pixels = new Uint8Array(), pixelWidth = 0 } = pages[0] ?? {};
    const columns = [...pixels.keys()]
      .filter((at) => at % 3 === 0 && (pixels[at] ?? 255) < 128)
      .map((at) => (at / 3) % pixelWidth);
    expect(Math.min(...columns)).toBeGreaterThan(pixelWidth / 2);
    expect(pages[0]?.text).toMatch(/שלום|םולש/);
  });

  test("says which characters no font here has", async () => {
    const { codes, text } = await typeset("before \u{10fffd} after", "txt");
    expect(codes).toEqual(["glyphs_missing"]);
    expect(text).toContain("before");
  });

  test("of no characters at all is an empty page", async () => {
    expect((await typeset("\n", "txt")).pages).toHaveLength(1);
  });

  test.each([
    ["lines", "x\n".repeat(100_001)],
    ["characters", "x".repeat(4_000_001)],
    ["pages", "x\n\f".repeat(2_001)],
  ])("of too many %s is refused", async (_, text) => {
    expect(await codeOf(convert(scratch.file(text), ["txt", "pdf"]))).toBe("too_many_pages");
  });
});

describe("the page of a text", () => {
  const sizes: readonly [Options, width: number, height: number][] = [
    [{}, 595.28, 841.89],
    [{ page_orientation: "landscape" }, 841.89, 595.28],
    [{ page_size: "letter" }, 612, 792],
    [{ page_size: "a5", page_margin: 100 }, 419.53, 595.28],
  ];
  test.each(sizes)("with %j has %d × %d points", async (options, width, height) => {
    for (const from of ["txt", "html"] as const) {
      const [page] = (await typeset("some text", from, options)).pages;
      expect(page?.width).toBeCloseTo(width, 0);
      expect(page?.height).toBeCloseTo(height, 0);
    }
  });

  test("lies on its side for a wide table, unless it is asked to stand", async () => {
    const table = `<table><tr>${"<td>cell</td>".repeat(12)}</tr></table>`;
    const sides = async (options: Options) =>
      (await typeset(table, "html", options)).pages.map(({ width, height }) => width > height);
    expect(await sides({})).toEqual([true]);
    expect(await sides({ page_orientation: "portrait" })).toEqual([false]);
  });
});
