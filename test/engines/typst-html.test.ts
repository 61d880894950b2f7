import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { codeOf } from "./support/convert.ts";
import { sampleOf } from "./support/fixtures.ts";
import { poppler } from "./support/pdf.ts";
import { scratchFolder } from "./support/scratch.ts";
import { settingPages } from "./support/set-pages.ts";
import { convertingBy } from "./support/task.ts";

const scratch = scratchFolder();
const typeset = settingPages(scratch);
const convert = convertingBy("typst", scratch);

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
