import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import { readZip } from "../../../functions/engines/archives/zip/reader.ts";
import { installedEngines } from "../../../local/engines/installed.ts";
import { withMember } from "../support/attacks/attack.ts";
import { codeOf } from "../support/convert.ts";
import { sampleOf } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, isInstalled } from "../support/task.ts";
import { PYTHON, withPython } from "../support/tools.ts";

const scratch = scratchFolder();
const convert = convertingBy("pandoc", scratch);
const textOf = (path: string): string => readFileSync(path, "utf8");
const memberOf = (path: string, member: string): Promise<string> =>
  readZip(path, async (zip) => (await zip.read(member))?.toString("utf8") ?? "");

const NOTES = "Words[^1] and $a^2 + b^2$.\n\n[^1]: A note.\n";

test("without pandoc, Markdown still converts to Word, but Word to Markdown only through its pages", () => {
  const engines = new Set(installedEngines().keys());
  engines.delete("pandoc");
  const routes = planRoutes(engines);
  expect(routes.find("docx", "md")?.steps.map(({ engine }) => engine)).not.toContain("pandoc");
  expect(routes.find("md", "docx")?.steps.map(({ engine }) => engine)).toEqual(["markup", "docx"]);
  expect(routes.find("rst", "html")).toBeUndefined();
});

describe.skipIf(!isInstalled("pandoc"))("pandoc", () => {
  test("Markdown notes and formulas become native in Word, and survive a round trip", async () => {
    const word = await convert(scratch.file(NOTES), ["md", "docx"]);
    expect(await memberOf(word.path, "word/footnotes.xml")).toContain("A note.");
    expect(await memberOf(word.path, "word/document.xml")).toMatch(/<w:footnoteReference[\s\S]*<m:oMath>/);
    const back = await convert(word.path, ["docx", "md"]);
    expect(textOf(back.path)).toMatch(/^Words\[\^1\] and \$a\^\{2\} \+ b\^\{2\}\$\.\n\n\[\^1\]: +A note\.\n$/);
  });

  test("Word to HTML says that colors, borders and alignment are lost; to Markdown, which has none, it does not", async () => {
    const properties = '<w:pPr><w:pBdr><w:top w:val="single"/></w:pBdr><w:jc w:val="center"/></w:pPr>';
    const styled = await withMember("docx", "word/document.xml", (xml) =>
      xml.replace(
        "<w:body>",
        `<w:body><w:p>${properties}<w:r><w:rPr><w:color w:val="C00000"/></w:rPr><w:t>Red</w:t></w:r></w:p>`,
      ),
    );
    const input = scratch.file(styled);
    const { warnings } = await convert(input, ["docx", "html"]);
    const detail = "The HTML does not have the document's colors, borders, alignment. Convert to PDF to keep them.";
    expect(warnings).toContainEqual({ code: "styles_dropped", detail });
    expect((await convert(input, ["docx", "md"])).codes).not.toContain("styles_dropped");
    expect((await convert(sampleOf("docx"), ["docx", "html"])).codes).not.toContain("styles_dropped");
  });

  test("a Word document and a page preserve the metadata of the text", async () => {
    const text = "---\ntitle: A title\nauthor: [Ana, Łukasz]\nlang: pl\n---\n\nWords.\n";
    const word = await convert(scratch.file(text), ["md", "docx"]);
    if (withPython("docx")) {
      const script = "import docx,sys;p=docx.Document(sys.argv[1]).core_properties;print(p.title+'|'+p.author)";
      expect(execFileSync(PYTHON, ["-c", script, word.path], { encoding: "utf8" })).toBe("A title|Ana; Łukasz\n");
    }
    const page = await convert(scratch.file("#+TITLE: A title\n#+AUTHOR: Ana\n#+LANGUAGE: pl\n\nWords.\n"), [
      "org",
      "html",
    ]);
    expect(textOf(page.path)).toMatch(
      /<title>A title<\/title>[\s\S]*<meta name="author" content="Ana">[\s\S]*<h1[^>]*>A title/,
    );
  });

  test("HTML within Markdown is converted", async () => {
    const text =
      'A <b>bold</b> H<sub>2</sub>O<br>and <a href="https://example.org">link</a>.\n\n<table><tr><th>Name</th></tr><tr><td>Ana</td></tr></table>\n\n<!-- not this -->\n\n<script>alert(1)</script>\n';
    const { path } = await convert(scratch.file(text), ["md", "org"]);
    const written = textOf(path);
    expect(written).toMatch(/^A \*bold\* H_\{2\}O\\\\\s+and \[\[https:\/\/example\.org\]\[link\]\]\.\n/);
    expect(written).toMatch(/\| Name \|\n(?:\|-+\|\n)?\| Ana {2}\|\n$/);
    expect(written).not.toMatch(/not this|alert/);
  });

  test("the requested Markdown variant is read and written", async () => {
    const text = "H~2~O and ~~gone~~\n";
    const [plain, rich] = [{}, { markdown: "pandoc" as const }];
    expect(textOf((await convert(scratch.file(text), ["md", "mediawiki"], rich)).path)).toContain("H<sub>2</sub>O");
    expect(textOf((await convert(scratch.file(text), ["md", "mediawiki"], plain)).path)).not.toContain("<sub>");
    const source = scratch.file("Water is H\\ :sub:`2`\\ O.\n");
    expect(textOf((await convert(source, ["rst", "md"], rich)).path)).toContain("H~2~O");
    expect(textOf((await convert(source, ["rst", "md"], plain)).path)).toContain("H<sub>2</sub>O");
  });

  test("text in a legacy encoding is decoded", async () => {
    const { path } = await convert(scratch.file(Buffer.from("Café déjà vu, à bientôt\n", "latin1")), ["rst", "md"]);
    expect(textOf(path)).toBe("Café déjà vu, à bientôt\n");
  });

  test("notebook outputs are preserved: pictures, and tables as tables", async () => {
    const { path } = await convert(sampleOf("ipynb"), ["ipynb", "docx"]);
    const media = await readZip(path, async (zip) => zip.paths.filter((name) => name.startsWith("word/media/")));
    expect(media).toHaveLength(1);
    expect(await memberOf(path, "word/document.xml")).toMatch(/<w:tbl>[\s\S]*Łukasz/);
  });

  test("included files are left out with a warning", async () => {
    const csv = ".. csv-table:: Names\n   :header-rows: 1\n   :file: names.csv\n\nWords.\n\n.. include:: other.rst\n";
    const { path, codes } = await convert(scratch.file(csv), ["rst", "md"]);
    expect(codes).toContain("includes_dropped");
    expect(textOf(path)).toContain("Words.");
  });

  test("remote pictures are left out of documents with a warning, and stay links in text", async () => {
    const file = scratch.file("![Ship](https://example.org/ship.png)\n");
    const word = await convert(file, ["md", "docx"]);
    expect(word.codes).toEqual(["remote_content_dropped"]);
    expect(await memberOf(word.path, "word/_rels/document.xml.rels")).toMatch(
      /Target="https:\/\/example\.org\/ship\.png" TargetMode="External"/,
    );
    const text = await convert(file, ["md", "rst"]);
    expect([text.codes, textOf(text.path)]).toEqual([[], expect.stringContaining("https://example.org/ship.png")]);
  });

  test("an outline preserves text before the first heading", async () => {
    const { path } = await convert(scratch.file("First words.\n\n# Later\n\nMore.\n"), ["md", "opml"]);
    expect(textOf(path)).toMatch(/_note="First words\."[\s\S]*text="Later"/);
  });

  test("an invalid document is rejected with the right code", async () => {
    const broken = readFileSync(sampleOf("docx")).subarray(0, 800);
    expect(await codeOf(convert(scratch.file(broken), ["docx", "md"]))).toBe("source_corrupt");
    expect(await codeOf(convert(scratch.file("{"), ["ipynb", "md"]))).toBe("source_corrupt");
    expect(await codeOf(convert(scratch.file('{"worksheets":[],"nbformat":3}'), ["ipynb", "md"]))).toBe(
      "unsupported_feature",
    );
    expect(await codeOf(convert(scratch.file("<article><para>"), ["docbook", "md"]))).toBe("source_corrupt");
  });
});
