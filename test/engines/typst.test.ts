import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Options } from "../../functions/domain/options.ts";
import { codeOf } from "./support/convert.ts";
import { fixture, sampleOf } from "./support/fixtures.ts";
import { checkByQpdf, type PageView, poppler, viewPdf } from "./support/pdf.ts";
import { picturePixels } from "./support/picture.ts";
import { scratchFolder } from "./support/scratch.ts";
import { convertingBy } from "./support/task.ts";
import { distance } from "./support/views.ts";

const scratch = scratchFolder();
const convert = convertingBy("typst", scratch);

interface Set {
  readonly path: string;
  readonly codes: readonly string[];
  readonly pages: readonly PageView[];
  readonly text: string;
}

const typeset = async (source: string, from: "html" | "txt" | "svg", options: Options = {}): Promise<Set> => {
  const { path, codes } = await convert(scratch.file(source), [from, "pdf"], options);
  checkByQpdf(path);
  const pages = await viewPdf(path);
  return { path, codes, pages, text: pages.map(({ text }) => text.replaceAll("\r", "")).join("\n") };
};

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

const PICTURE = `data:image/png;base64,${readFileSync(sampleOf("png")).toString("base64")}`;

describe("HTML", () => {
  test("keeps headings, lists, tables, code and links in their order", async () => {
    const { text, path } = await typeset(
      `<title>The title</title><h1>Head</h1><p>Some <b>bold</b>, <i>slanted</i> and <code>fixed  text</code>.<ul><li>one<ol start=3><li>three</ol><li>two</ul>
      <table><thead><tr><th>A<th>B</thead><tr><td rowspan=9>x<td>007<tr><td>12345678901234567890<tr><td colspan=5>wide</table>
      <pre>  set in\n    deeper</pre><blockquote>said</blockquote><dl><dt>term<dd>meaning</dl><p>see <a href="https://example.org/?a=1&amp;b=2">there</a>`,
      "html",
    );
    const order = [
      "Head",
      "bold",
      "one",
      "three",
      "two",
      "A",
      "B",
      "007",
      "12345678901234567890",
      "wide",
      "set in",
      "deeper",
      "said",
      "term",
      "meaning",
      "there",
    ];
    const places = order.map((word) => text.indexOf(word));
    expect(places).toEqual(places.toSorted((first, second) => first - second));
    expect(places).not.toContain(-1);
    expect(text).toContain("3.");
    expect(poppler("pdfinfo", path) ?? "The title").toContain("The title");
    expect(poppler("pdfinfo", "-url", path) ?? "https://example.org/?a=1&b=2").toContain(
      "https://example.org/?a=1&b=2",
    );
  });

  test("holds the pictures that are in it, and names those that are not", async () => {
    const { pages, codes, text } = await typeset(
      `<p><img src="${PICTURE}"><img src="https://example.org/a.png" alt="far away"><img src="near.png" alt="near by"><img src="file:///etc/passwd">`,
      "html",
    );
    expect(pages[0]?.objects.filter((type) => type === "image")).toHaveLength(1);
    expect(codes.toSorted()).toEqual(["pictures_dropped", "remote_content_dropped"]);
    expect(text).toMatch(/far away[\s\S]*near by/);
  });

  test.each(["jpg", "webp", "gif", "avif", "svg"] as const)("shows a picture in %s", async (format) => {
    const type = format === "svg" ? "svg+xml" : format === "jpg" ? "jpeg" : format;
    const { pages, codes } = await typeset(
      `<img src="data:image/${type};base64,${readFileSync(sampleOf(format)).toString("base64")}">`,
      "html",
    );
    expect(new Set(pages[0]?.pixels).size).toBeGreaterThan(4);
    expect(codes).toEqual([]);
  });

  test("with a picture that is damaged is set without it, and says so", async () => {
    const half = readFileSync(sampleOf("png")).subarray(0, 100).toString("base64");
    const { codes, text } = await typeset(
      `<p>before<img alt="lost" src="data:image/png;base64,${half}"><img src="data:image/svg+xml;base64,AAAA">after`,
      "html",
    );
    expect(new Set(codes)).toEqual(new Set(["pictures_dropped"]));
    expect(text).toMatch(/before.*lost.*after/);
  });

  test("with a picture of too many pixels is set without it", async () => {
    const huge = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`;
    const bomb = Buffer.from(readFileSync(sampleOf("png")));
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    const { codes } = await typeset(`<img src="data:image/png;base64,${bomb.toString("base64")}">${huge}`, "html");
    expect(codes).toEqual(["pictures_dropped"]);
  });

  test("runs nothing, and shows nothing that was hidden in it to be run", async () => {
    const { text } = await typeset(
      "<p>seen<script>document.write('unseen')</script><style>p{}</style><iframe srcdoc='unseen'></iframe>",
      "html",
    );
    expect(text).toContain("seen");
    expect(text).not.toContain("unseen");
  });

  test("goes to a new page where its style says so", async () => {
    const { pages } = await typeset(
      '<p>one<p style="page-break-before: always">two<div style="break-after:page">three</div><p>four',
      "html",
    );
    expect(pages.map(({ text }) => text.trim().replace(/\s+/g, " "))).toEqual(["one", "two three", "four"]);
  });

  test("that is nested very deep keeps its words", async () => {
    const deep = `${"<div><b><i><ul><li><blockquote>".repeat(150)}deepest${"<table><tr><td>".repeat(40)}innermost`;
    const { text } = await typeset(deep, "html");
    expect(text).toMatch(/deepest[\s\S]*innermost/);
  });

  test("with cells that overlap or reach out of their table is set", async () => {
    const { text } = await typeset(
      "<table><tr><td rowspan=3>a<td>b<tr><td colspan=4>c<td rowspan=0>d<tr><td colspan=9999>e</table><table></table><table><thead><tr><th rowspan=5>f</table>",
      "html",
    );
    for (const letter of "abcdef") {
      expect(text).toContain(letter);
    }
  });

  test("of too many cells is refused before it is set", async () => {
    const table = `<table>${`<tr>${"<td>x".repeat(100)}`.repeat(401)}</table>`;
    expect(await codeOf(convert(scratch.file(table), ["html", "pdf"]))).toBe("too_many_pages");
  });

  test("says the same whatever was set before it in the same process", async () => {
    const first = await typeset(`<p>first <img src="${PICTURE}">`, "html");
    const second = await typeset("<p>second", "html");
    expect(second.text.trim()).toBe("second");
    expect(second.pages[0]?.objects).not.toContain("image");
    expect(first.text).not.toContain("second");
  });
});

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
