import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { codeOf } from "../support/convert.ts";
import { viewHtml } from "../support/documents/html.ts";
import { fixture } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";

const scratch = scratchFolder();
const convert = convertingBy("markup", scratch);

const converted = async (
  source: string | Uint8Array,
  pair: Parameters<typeof convert>[1],
  options: Parameters<typeof convert>[2] = {},
) => {
  const { path, codes } = await convert(scratch.file(source), pair, options);
  return { text: readFileSync(path, "utf8"), codes };
};

describe("Markdown becomes HTML", () => {
  const html = async (markdown: string) => viewHtml((await converted(markdown, ["md", "html"])).text);

  test("with its front matter as title, language and author, and its other fields not as text", async () => {
    const { text } = await converted("---\ntitle: 'A: B'\nlang: pl\nauthor: Łukasz\ntags: [x]\n---\nHello", [
      "md",
      "html",
    ]);
    expect(text).toContain("<title>A: B</title>");
    expect(text).toContain('<html lang="pl">');
    expect(text).toContain('<meta name="author" content="Łukasz">');
    expect(viewHtml(text).text.trim().split(/\n+/)).toEqual(["A: B", "Łukasz", "Hello"]);
  });

  test("without reading two horizontal rules as front matter", async () => {
    expect((await html("---\n\nHello\n\n---\n")).text.trim()).toBe("Hello");
  });

  test("with links to headings, even with duplicate titles", async () => {
    const { text } = await converted("# Über uns!\n## A b\n## A b\n[x](#a-b-1)", ["md", "html"]);
    expect([...text.matchAll(/id="([^"]+)"/g)].map(([, id]) => id)).toEqual(["über-uns", "a-b", "a-b-1"]);
  });

  test("with task lists, tables, strikethrough and autolinks", async () => {
    const { text } = await converted("- [x] a\n- [ ] b\n\n~~c~~ https://example.org\n\n|d|\n|:-:|\n|e|\n", [
      "md",
      "html",
    ]);
    expect(text.match(/<input type="checkbox" disabled=""(?: checked="")?>/g)).toHaveLength(2);
    expect(text).toMatch(/<s>c<\/s> <a href="https:\/\/example\.org">[\s\S]*<td style="text-align: center">e<\/td>/);
  });

  test("in which nothing runs and nothing is fetched", async () => {
    const { text, codes } = await converted(
      "<script>alert(1)</script>\n\n[a](javascript:alert(1)) ![b](https://example.org/b.png) ![c](c.png)",
      ["md", "html"],
    );
    expect(viewHtml(text).unsafe).toEqual(["img src=c.png"]);
    expect(viewHtml(text).links).toEqual(["https://example.org/b.png"]);
    expect(codes).toEqual(["remote_content_dropped", "scripts_dropped"]);
  });

  test("with 100,000 brackets", async () => {
    expect((await html("[".repeat(100_000))).text).toMatch(/^\s*\[{100000}\s*$/);
  });

  test.each([
    ["100,000 nested quotes", `${">".repeat(100_000)} x`],
    ["lists 2,000 deep", Array.from({ length: 2_000 }, (_, level) => `${" ".repeat(2 * level)}- x`).join("\n")],
  ])("but is rejected with %s", async (_, markdown) => {
    expect(await codeOf(convert(scratch.file(markdown), ["md", "html"]))).toBe("unsupported_feature");
  });
});

describe("HTML becomes Markdown", () => {
  const markdown = async (html: string) => (await converted(html, ["html", "md"])).text;

  test.each([
    [
      "marks in text are escaped",
      "<p>*a* _b_ snake_case [c] `d` &lt;e&gt; &amp;amp; \\</p>",
      "\\*a\\* \\_b\\_ snake_case \\[c\\] \\`d\\` \\<e> \\&amp; \\\\",
    ],
    [
      "text at the start of a line starts no block",
      "<p># a<br>- b<br>1. c<br>&gt; d<br>+ e</p>",
      "\\# a  \n\\- b  \n1\\. c  \n\\> d  \n\\+ e",
    ],
    ["bold text is separated from its spaces", "<p>a<b> b </b>c</p>", "a **b** c"],
    ["nested bold is merged", "<p><b>a <strong>b</strong></b></p>", "**a b**"],
    ["code has as many backticks as needed", "<p><code>a ` b</code></p>", "``a ` b``"],
    [
      "a fence is longer than those in its content",
      "<pre><code class='language-js'>```\nx</code></pre>",
      "````js\n```\nx\n````",
    ],
    ["lists are nested", "<ol start=3><li>a<ul><li>b</ul><li>c</ol>", "3. a\n   - b\n4. c"],
    ["items with several paragraphs make a list loose", "<ul><li><p>a</p><p>b</p><li>c</ul>", "- a\n\n  b\n\n- c"],
    ["quotes are nested", "<blockquote>a<blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"],
    [
      "pipes in cells are escaped",
      "<table><tr><th>a|b<th>c<tr><td>d<br>e<td><p>f</p><p>g</p></table>",
      "| a\\|b | c |\n| --- | --- |\n| d<br>e | f<br>g |",
    ],
    ["a table without a header has an empty one", "<table><tr><td>a<td>b</table>", "|  |  |\n| --- | --- |\n| a | b |"],
    [
      "a cell that spans two columns leaves one empty",
      "<table><tr><th colspan=2>a<tr><td>b<td>c</table>",
      "| a |  |\n| --- | --- |\n| b | c |",
    ],
    ["a layout table is removed", "<table><tr><td><h1>a</h1><tr><td>b</table>", "# a\n\nb"],
    [
      "links within words and addresses with brackets",
      "<p><a href='https://example.org/a_(b)'>x <b>y</b></a></p>",
      "[x **y**](<https://example.org/a_(b)>)",
    ],
    [
      "picture references are preserved",
      "<p><img src='a b.png' alt='x]'><img src='https://example.org/c.png'></p>",
      "![x\\]](a%20b.png)![](https://example.org/c.png)",
    ],
    ["formatting without a mark stays HTML", "<p>H<sub>2</sub>O <u>a</u></p>", "H<sub>2</sub>O <u>a</u>"],
    ["terms and definitions", "<dl><dt>a<dd>b</dl>", "**a**\n\nb"],
  ])("%s", async (_, html, expected) => {
    expect(await markdown(html)).toBe(`${expected}\n`);
  });

  test("with embedded pictures referenced in the text and defined once at the end", async () => {
    const picture = '<img src="data:image/png;base64,iVBORw0KGgo=" alt="a">';
    expect(await markdown(`<p>${picture} x ${picture}</p>`)).toBe(
      "![a][picture-1] x ![a][picture-1]\n\n[picture-1]: data:image/png;base64,iVBORw0KGgo=\n",
    );
  });

  test("and back, without a difference", async () => {
    const there = await markdown(readFileSync(fixture("sample.html"), "utf8"));
    const back = await converted(there, ["md", "html"]);
    const again = await markdown(back.text);
    expect(again).toBe(there);
  });

  test("with all rows of a long table and all items of a long list", async () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => `<tr><td>${row}<td>x</tr>`).join("");
    const items = Array.from({ length: 20_000 }, (_, item) => `<li>${item}`).join("");
    const text = await markdown(`<table>${rows}</table><ol>${items}</ol>`);
    expect(text).toContain("| 19999 | x |");
    expect(text).toContain("\n20000. 19999\n");
  });

  test("but is rejected if the result exceeds the limit", async () => {
    const source = `${"<blockquote>".repeat(190)}${"<p>a</p>".repeat(300_000)}`;
    expect(await codeOf(convert(scratch.file(source), ["html", "md"]))).toBe("output_too_large");
  });
});

describe("HTML becomes text", () => {
  const plain = async (html: string) => (await converted(html, ["html", "txt"])).text;

  test("with headings, list items, links, checkboxes and aligned tables", async () => {
    expect(
      await plain(
        "<h1>Title</h1><ul><li><input type=checkbox checked> a<li>b</ul><p><a href='https://example.org'>c</a></p><table><tr><th>Name<th>Crew<tr><td>Łukasz<td>7</table>",
      ),
    ).toBe("Title\n\n- [x] a\n- b\n\nc [https://example.org]\n\nName     Crew\nŁukasz   7\n");
  });

  test("without invisible content", async () => {
    expect(await plain("<title>t</title><style>p{}</style><script>x</script><p hidden>a</p><img src=x>")).toBe("a\n");
  });

  test("with a warning that scripts do not run, and none about pictures", async () => {
    const source = scratch.file("<p>a</p><img src=https://example.org/b.png><script>document.write('c')</script>");
    const { warnings } = await convert(source, ["html", "txt"]);
    expect(warnings.map(({ code }) => code)).toEqual(["scripts_dropped"]);
  });

  test("whatever span a cell declares", async () => {
    expect((await plain("<table><tr><td colspan=100000 rowspan=100000>x</table>")).trim()).toBe("x");
  });
});

describe("text becomes HTML", () => {
  test.each([
    ["Windows-1252", Buffer.from("caf\xe9 \x80", "latin1"), {}, "café €"],
    ["UTF-16 with a mark", Buffer.from("\ufeffŁódź", "utf16le"), {}, "Łódź"],
    ["Shift-JIS, as the client specifies", Buffer.from("93fa967b", "hex"), { encoding: "shift_jis" }, "日本"],
    ["markup, which is text", "<b>a</b> & b", {}, "<b>a</b> & b"],
    ["control characters, which are removed", "a\u0001b", {}, "ab"],
  ] as const)("from %s", async (_, bytes, options, expected) => {
    expect(viewHtml((await converted(bytes, ["txt", "html"], options)).text).text.trim()).toBe(expected);
  });

  test("with paragraphs and lines for any line ending, columns and directions", async () => {
    const { text } = await converted("a\r\nb\r\n\r\n\r\n  c   d\n\nשלום\r\rx\ty", ["txt", "html"]);
    expect([...text.matchAll(/<p.*<\/p>/g)].map(([paragraph]) => paragraph)).toEqual([
      "<p>a<br>b</p>",
      '<p style="white-space: pre-wrap; font-family: monospace">  c   d</p>',
      '<p dir="rtl">שלום</p>',
      '<p style="white-space: pre-wrap; font-family: monospace">x\ty</p>',
    ]);
  });

  test("with any number of lines", async () => {
    const { text } = await converted("line\n".repeat(600_000), ["txt", "html"]);
    expect(text.match(/line/g)).toHaveLength(600_000);
  });

  test("but is rejected if it is not in the specified encoding", async () => {
    const input = scratch.file(Buffer.from([0xff, 0xff]));
    expect(await codeOf(convert(input, ["txt", "html"], { encoding: "utf-8" }))).toBe("source_corrupt");
  });
});
