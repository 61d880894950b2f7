import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DOCX_PIECES_MAX } from "../../../functions/domain/conversions/conversion-limits.ts";
import { readZip } from "../../../functions/engines/archives/zip/reader.ts";
import { writeZip } from "../../../functions/engines/archives/zip/writer.ts";
import { spend, stateOf } from "../../../functions/engines/documents/docx/state.ts";
import { newElement } from "../../../functions/engines/documents/html/tree.ts";
import { wordParts } from "../../fixtures/word.ts";
import { codeOf } from "../support/convert.ts";
import { viewHtml } from "../support/documents/html.ts";
import { fixture } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, isInstalled } from "../support/task.ts";

const scratch = scratchFolder();

describe.skipIf(!isInstalled("pandoc"))("a Word document becomes HTML", () => {
  const convert = convertingBy("pandoc", scratch);
  const picture = readFileSync(fixture("sample.png"));

  /** The sample with some parts changed, added, or removed if empty. */
  const word = async (changes: Readonly<Record<string, (part: string) => string>>): Promise<string> => {
    const path = scratch.fresh();
    const known = wordParts(picture);
    const added = Object.keys(changes).filter((name) => known.every((part) => part.path !== name));
    const parts = [...known, ...added.map((name) => ({ path: name, bytes: "" }))].map((part) => {
      const change = changes[part.path];
      return change === undefined || !("bytes" in part) ? part : { ...part, bytes: change(String(part.bytes)) };
    });
    await writeZip(
      path,
      parts.filter((part) => !("bytes" in part) || part.bytes.length > 0),
    );
    return path;
  };
  const inBody =
    (xml: string) =>
    (part: string): string =>
      part.replace("<w:sectPr>", `${xml}<w:sectPr>`);
  const DOCUMENT = "word/document.xml";

  test("with warnings for what is left out: headers, comments, embedded files", async () => {
    const path = await word({
      "word/header1.xml": () => "<w:hdr><w:t>Head</w:t></w:hdr>",
      "word/comments.xml": () =>
        '<w:comments xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:comment w:id="1"/></w:comments>',
      "word/embeddings/book.xlsx": () => "PK",
    });
    const { codes } = await convert(path, ["docx", "html"]);
    expect(codes.toSorted()).toEqual(["attachments_dropped", "comments_dropped", "headers_dropped"]);
  });

  test("with its footnotes", async () => {
    const notes =
      '<w:footnotes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:footnote w:id="1"><w:p><w:r><w:t>Small print</w:t></w:r></w:p></w:footnote></w:footnotes>';
    const path = await word({
      "word/footnotes.xml": () => notes,
      [DOCUMENT]: inBody('<w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p>'),
    });
    const { path: output } = await convert(path, ["docx", "html"]);
    const view = viewHtml(readFileSync(output, "utf8"));
    expect(view.text).toContain("Small print");
    expect(view.unsafe).toEqual([]);
  });

  test("without loading external pictures or keeping unsafe links", async () => {
    const path = await word({
      "word/_rels/document.xml.rels": (part) =>
        part
          .replace('Target="media/flag.png"', 'Target="file:///etc/hostname" TargetMode="External"')
          .replace(/Target="https:[^"]+"/, 'Target="javascript:alert(1)"'),
      [DOCUMENT]: (part) => part.replace("r:embed", "r:link"),
    });
    const { path: output } = await convert(path, ["docx", "html"]);
    const view = viewHtml(readFileSync(output, "utf8"));
    expect(view.unsafe).toEqual([]);
    expect(view.pictures).toEqual([]);
  });

  test.each([
    [
      "that declares entities",
      (part: string) => part.replace("?>", '?><!DOCTYPE x [<!ENTITY a "b">]>'),
      "unsupported_feature",
    ],
    [
      "that is nested too deeply",
      (part: string) => part.replace("<w:sectPr>", `${"<w:p>".repeat(5_000)}<w:sectPr>`),
      "unsupported_feature",
    ],
    ["that is truncated", (part: string) => part.slice(0, -300), "source_corrupt"],
    ["that is missing", () => "", "source_corrupt"],
  ])("but is rejected if its text is one %s", async (_, change, code) => {
    expect(await codeOf(convert(await word({ [DOCUMENT]: change }), ["docx", "html"]))).toBe(code);
  });

  test.each([0.3, 0.9])("but is rejected if truncated to %d of its length", async (share) => {
    const bytes = readFileSync(fixture("sample.docx"));
    const input = scratch.file(bytes.subarray(0, bytes.length * share));
    expect(await codeOf(convert(input, ["docx", "html"]))).toBe("source_corrupt");
  });

  test("but is rejected if it decompresses to hundreds of megabytes", async () => {
    const path = await word({ [DOCUMENT]: () => " ".repeat(310_000_000) });
    expect(await codeOf(convert(path, ["docx", "html"]))).toBe("archive_unsafe");
  });
});

describe("HTML becomes a Word document", () => {
  const convert = convertingBy("docx", scratch);
  const converted = async (html: string) => {
    const { path, codes } = await convert(scratch.file(html), ["html", "docx"]);
    return readZip(path, async (zip) => ({
      codes,
      paths: zip.paths,
      xml: (await zip.read("word/document.xml"))?.toString("utf8") ?? "",
      numbering: (await zip.read("word/numbering.xml"))?.toString("utf8") ?? "",
      core: (await zip.read("docProps/core.xml"))?.toString("utf8") ?? "",
      links: (await zip.read("word/_rels/document.xml.rels"))?.toString("utf8") ?? "",
    }));
  };

  test("whose numbered lists restart, or start at the given number", async () => {
    const { xml, numbering } = await converted(
      "<ol><li>a<li>b</ol><p>x</p><ol><li>c</ol><ol start=5 type=a><li>d</ol>",
    );
    const lists = [...xml.matchAll(/<w:numId w:val="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(lists).size).toBe(3);
    expect(lists[0]).toBe(lists[1]);
    expect(numbering).toMatch(/<w:start w:val="5"\/><w:numFmt w:val="lowerLetter"\/>/);
  });

  test("whose list items keep their level and their further paragraphs", async () => {
    const { xml } = await converted("<ul><li><p>a</p><p>b</p><ul><li>c</ul></ul>");
    expect([...xml.matchAll(/<w:ilvl w:val="(\d)"/g)].map(([, level]) => level)).toEqual(["0", "1"]);
    expect(xml).toMatch(/<w:ind w:left="720"\/>(?:(?!<w:p>).)*<w:t[^>]*>b</);
  });

  test("with row and column spans, and a repeated header row", async () => {
    const { xml } = await converted(
      "<table><thead><tr><th colspan=2>a</thead><tr><td rowspan=2>b<td>c<tr><td>d</table>",
    );
    expect(xml).toContain('<w:gridSpan w:val="2"/>');
    expect(xml).toMatch(/<w:vMerge w:val="restart"\/>[\s\S]*<w:vMerge w:val="continue"\/>/);
    expect(xml.match(/<w:tblHeader\/>/g)).toHaveLength(1);
  });

  test("with external and internal links, and no others", async () => {
    const { xml, links } = await converted(
      '<p><a href="https://example.org/?a=1&amp;b=2">out</a> <a href="#b">in</a> <a href="javascript:x">no</a></p><h2 id="b">B</h2>',
    );
    expect(links).toContain('Target="https://example.org/?a=1&amp;b=2"');
    const anchor = /<w:hyperlink [^>]*w:anchor="(\w+)"/.exec(xml)?.[1];
    expect(xml).toMatch(new RegExp(`<w:bookmarkStart [^>]*w:name="${anchor}"[\\s\\S]*>B<`));
    expect(xml.match(/<w:hyperlink /g)).toHaveLength(2);
  });

  test("with formatting, line breaks and spaces as in a browser", async () => {
    const { xml } = await converted(
      "<p> a  <b>b</b><i> c</i><br>d <span style='color:#f00;font-weight:700'>e</span><sub>f</sub> </p><pre>  g\n  h</pre>",
    );
    const texts = [...xml.matchAll(/<w:t [^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(texts.filter((text) => text !== "").join("|")).toBe("a |b| c|d |e|f|  g|  h");
    expect(xml).toMatch(/<w:b\/>[^/]*\/>?[\s\S]*<w:color w:val="ff0000"\/>/i);
    expect(xml).toContain('<w:vertAlign w:val="subscript"/>');
  });

  test("with right-to-left paragraphs for right-to-left text", async () => {
    const { xml } = await converted('<p dir="rtl">שלום</p><p>a</p>');
    expect(xml.match(/<w:bidi\/>/g)).toHaveLength(1);
    expect(xml.match(/<w:rtl\/>/g)).toHaveLength(1);
  });

  test("with title and author, and no default author", async () => {
    expect((await converted("<title>T</title><meta name=author content=A><p>x")).core).toMatch(
      /T<\/dc:title>[\s\S]*A<\/dc:creator>/,
    );
    expect((await converted("<p>x")).core).not.toMatch(/Un-named/);
  });

  test("with the alternative text of unsupported pictures, and a warning", async () => {
    const { codes, paths, xml } = await converted(
      `<p><img alt="Drawing" src="data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg"/>')}"></p>`,
    );
    expect(codes).toEqual(["pictures_dropped"]);
    expect(paths.filter((path) => path.startsWith("word/media/"))).toEqual([]);
    expect(xml).toContain("Drawing");
  });

  test("without characters that XML does not allow", async () => {
    expect((await converted("<p>a&#1;b\ufffe\ud800c</p>")).xml).toMatch(/>ab\ufffd?c</);
  });

  test("but is rejected if the result exceeds the limit", async () => {
    const state = stateOf(newElement("body"));
    spend(state, DOCX_PIECES_MAX);
    expect(await codeOf((async () => spend(state, 1))())).toBe("output_too_large");
  });
});
