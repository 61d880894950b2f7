import { readFileSync } from "node:fs";
import {
  concatTransformationMatrix,
  drawObject,
  PDFDocument,
  PDFName,
  popGraphicsState,
  pushGraphicsState,
} from "@cantoo/pdf-lib";
import { parse } from "parse5";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { readZip } from "../../../functions/engines/archives/zip/reader.ts";
import { cleanHtml } from "../../../functions/engines/documents/html/html.ts";
import { pageContent } from "../support/documents/page-content.ts";
import { paragraph, readingPdf, WORDS } from "../support/documents/read-pdf.ts";
import { typeset } from "../support/documents/typeset.ts";
import { fixture, sampleOf } from "../support/fixtures.ts";
import { greenProfile } from "../support/pictures/cmyk.ts";
import { PICTURE_HEIGHT, PICTURE_WIDTH, picturePixels } from "../support/pictures/picture.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, convertingByRoute, isInstalled } from "../support/task.ts";
import { distance } from "../support/views.ts";

/** HTML from PDFs: headings, lists, tables, pictures and links. */

const scratch = scratchFolder();
const read = readingPdf(scratch);

/** @returns the body of the HTML for a PDF typeset from the markup, without the formatting of the page */
const htmlOf = async (source: string): Promise<string> => {
  const { text } = await read(scratch.file(typeset(source)), "html", { layout: "text" });
  expect(parse(text).childNodes.length).toBeGreaterThan(0);
  return /<body>\n(.*)<\/body>/s.exec(text)?.[1] ?? "";
};

describe("HTML", () => {
  test("detects headings by size, paragraphs, bold, italic, monospace and superscript", async () => {
    const html = await htmlOf(
      `= First\n${WORDS} with *bold*, _slanted_ and \`code\` and E = mc#super(typographic: false)[2].\n\n== Second\n${WORDS}.\n\n== Third\n${WORDS}.`,
    );
    expect(html.match(/<h\d>.*?<\/h\d>/g)).toEqual(["<h1>First</h1>", "<h2>Second</h2>", "<h2>Third</h2>"]);
    expect(html).toContain(
      "with <strong>bold</strong>, <em>slanted</em> and <code>code</code> and E = mc<sup>2</sup>.</p>",
    );
    expect(html.match(/<p>/g)).toHaveLength(3);
  });

  test("detects nested lists and their start numbers", async () => {
    const long = `${WORDS} ${WORDS}`;
    const html = await htmlOf(
      `+ ${long}\n+ Two\n  - inner\n  - other\n+ Three\n\nBetween.\n\n#enum(start: 7)[seven][eight]`,
    );
    expect(html.replaceAll("\n", "")).toBe(
      `<ol><li>${long}</li><li>Two<ul><li>inner</li><li>other</li></ul></li><li>Three</li></ol>` +
        '<p>Between.</p><ol start="7"><li>seven</li><li>eight</li></ol>',
    );
  });

  test("detects tables without ruling lines, with multi-line and empty cells", async () => {
    const html = await htmlOf(
      `${WORDS}.\n\n#table(columns: (140pt, 80pt, 80pt), stroke: none, inset: 6pt, align: (left, right, right), [*Item*], [*2023*], [*2024*],` +
        " [Ropes and lines of every kind that was sold], [1,200.50], [7], [Sails], [], [12], [Total], [1,200.50], [19])\n\nAfterwards.",
    );
    expect(
      [...html.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = ""]) =>
        row
          .replace(/<\/t[hd]>$/, "")
          .split(/<\/?t[hd]>/)
          .filter((_, index) => index % 2 === 1),
      ),
    ).toEqual([
      ["Item", "2023", "2024"],
      ["Ropes and lines of every kind that was sold", "1,200.50", "7"],
      ["Sails", "", "12"],
      ["Total", "1,200.50", "19"],
    ]);
    expect(html).toContain("<th>Item</th>");
    expect(html).toContain("<p>Afterwards.</p>");
  });

  test("detects tables with ruling lines, with narrow gaps and multi-line cells", async () => {
    const rows = [
      ["Port", "Master of it", "Depth"],
      ["Ålesund", "A remark that takes three lines in its narrow cell here", "12"],
      ["Cuxhaven an der Elbe", "", "9"],
    ];
    const numbers = Array.from({ length: 12 }, (_, index) => String((index * 7919) % 1000));
    const cells = (values: readonly string[]) => values.map((value) => `[${value}]`).join(", ");
    const html = await htmlOf(
      `${WORDS}.\n\n#table(columns: (80pt, 90pt, 40pt), inset: 3pt, align: horizon, ${cells(rows.flat())})\n` +
        `${WORDS}.\n\n#table(columns: 4, inset: 2pt, align: right, ${cells(numbers)})`,
    );
    const tables = html.split("<table>").slice(1);
    expect(tables.map((table) => [...table.matchAll(/<t[hd]>(.*?)<\/t[hd]>/g)].map(([, cell]) => cell))).toEqual([
      rows.flat(),
      numbers,
    ]);
    expect(html.match(/<p>/g)).toHaveLength(2);
  });

  test("keeps pictures pixel by pixel", async () => {
    const { text } = await read(sampleOf("pdf"), "html");
    const [, type, data = ""] = /<img src="data:(image\/\w+);base64,([^"]+)"/.exec(text) ?? [];
    const { data: pixels, info } = await sharp(Buffer.from(data, "base64"))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect({ type, ...info }).toMatchObject({ type: "image/png", width: PICTURE_WIDTH, height: PICTURE_HEIGHT });
    expect(distance(pixels, picturePixels())).toBe(0);
  });

  test("keeps embedded JPEG files byte for byte", async () => {
    const jpeg = await sharp({ create: { width: 60, height: 40, channels: 3, background: "#369" } })
      .jpeg()
      .toBuffer();
    const document = await PDFDocument.create();
    document.addPage([200, 200]).drawImage(await document.embedJpg(jpeg), { x: 20, y: 20, width: 120, height: 80 });
    const { text } = await read(scratch.file(await document.save()), "html");
    expect(text).toContain(`src="data:image/jpeg;base64,${jpeg.toString("base64")}"`);
  });

  test("draws JPEG files of four inks with a profile as a viewer shows them", async () => {
    const document = await PDFDocument.create();
    const { context } = document;
    const profile = context.register(context.stream(greenProfile(), { N: 4 }));
    const jpeg = readFileSync(fixture("cmyk.jpg"));
    const { width, height } = await sharp(jpeg).metadata();
    const settings = { Type: "XObject", Subtype: "Image", Width: width, Height: height, BitsPerComponent: 8 };
    const image = context.register(
      context.stream(jpeg, { ...settings, ColorSpace: ["ICCBased", profile], Filter: "DCTDecode" }),
    );
    const page = document.addPage([200, 200]);
    page.node.setXObject(PDFName.of("Photo"), image);
    page.pushOperators(
      pushGraphicsState(),
      concatTransformationMatrix(120, 0, 0, 80, 20, 20),
      drawObject("Photo"),
      popGraphicsState(),
    );
    const { text } = await read(scratch.file(await document.save()), "html");
    expect(text).toContain('src="data:image/png;base64,');
    expect(text).not.toContain("data:image/jpeg");
  });

  test("keeps only web and mail links", async () => {
    const html = await htmlOf(
      '#link("https://example.org/a?b=1&c=2")[web] #link("mailto:ana@example.org")[mail] #link("javascript:alert(1)")[script] #link("file:///etc/passwd")[file]',
    );
    expect(html).toBe(
      '<p><a href="https://example.org/a?b=1&amp;c=2">web</a> <a href="mailto:ana@example.org">mail</a> script file</p>\n',
    );
  });

  test("escapes markup in the text", async () => {
    const html = await htmlOf('#"<script>alert(1)</script> & <b>"');
    expect(html).toBe("<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;b&gt;</p>\n");
  });

  test("leaves out repeated headers and footers with a warning; plain text keeps them", async () => {
    const input = scratch.file(
      typeset(
        `#set page(header: [Annual report], footer: context align(center)[Page #counter(page).display()])\n${["One", "Two", "Three"].map((name) => paragraph(name)).join("\n#pagebreak()\n")}`,
      ),
    );
    const html = await read(input, "html");
    expect(html.text).not.toMatch(/Annual report|Page \d/);
    expect(html.codes).toEqual(["running_lines_dropped"]);
    const plain = await read(input, "txt");
    expect(plain.text.match(/Annual report|Page \d/g)).toHaveLength(6);
    expect(plain.codes).toEqual([]);
  });

  test("leaves out the scan in the background of its recognized text, with a warning", async () => {
    const document = await PDFDocument.create();
    const scan = await sharp({ create: { width: 100, height: 100, channels: 3, background: "#eee" } })
      .png()
      .toBuffer();
    const page = document.addPage([300, 300]);
    page.drawImage(await document.embedPng(scan), { x: 0, y: 0, width: 300, height: 300 });
    page.drawText("What the scan says", { x: 40, y: 200, size: 12 });
    const { text, codes } = await read(scratch.file(await document.save()), "html");
    expect(text).toContain("<p>What the scan says</p>");
    expect(text).not.toContain("<img");
    expect(codes).toEqual(["pictures_dropped"]);
  });
});

/** @returns the HTML for a PDF typeset from the markup */
const pageOf = async (source: string, layout?: "flow" | "exact") =>
  (await read(scratch.file(typeset(source)), "html", layout === undefined ? {} : { layout })).text;

describe("HTML that resembles the page", () => {
  test("has the sizes, fonts, colors and alignment of the page in a style sheet, each style once", async () => {
    const html = await pageOf(
      `#set text(font: "Liberation Serif")\n#align(center)[= Centered]\n${WORDS} with #text(fill: rgb("#cc0000"))[red] words.\n\n` +
        `${WORDS} with #text(fill: rgb("#cc0000"))[other red] words.`,
    );
    const [, sheet = ""] = /<style>(.*)<\/style>/s.exec(html) ?? [];
    expect(sheet).toMatch(/body\{[^}]*font:10pt\/[\d.]+ "Times New Roman",serif;color:#000000/);
    expect(sheet).toMatch(/\bh1\{[^}]*font-weight:bold;text-align:center/);
    const [, red = ""] = /\.(c\d+)\{color:#cc0000\}/.exec(sheet) ?? [];
    expect(html.match(/#cc0000/g)).toHaveLength(1);
    expect(html).toContain(`<span class="${red}">red</span>`);
    expect(html).toContain(`<span class="${red}">other red</span>`);
  });

  test("has the columns of the page, and the size of the page only where readers do not reflow it", async () => {
    const html = await pageOf(
      `#set page(width: 500pt, height: 400pt)\n#columns(2)[${["Alpha", "Beta"].map((name) => paragraph(name, 9)).join("\n\n")}]`,
    );
    expect(html).toContain('<div class="columns-2">');
    expect(html).toMatch(/@layer page\{[^@]*max-width:500pt[^@]*@media[^@]*\.columns-2\{columns:2/);
    expect(cleanHtml(html).html).not.toMatch(/500pt|columns:/);
  });

  test("keeps cells that span rows and columns, with their fills and borders", async () => {
    const html = await pageOf(
      '#table(columns: (80pt, 80pt, 80pt), stroke: 1pt + rgb("#336699"), table.cell(colspan: 2, fill: rgb("#ffeeaa"))[Wide], [C],' +
        " table.cell(rowspan: 2)[Tall], [one], [two], [three], [four])",
    );
    expect(html.match(/<td colspan="2"|<th colspan="2"/g)).toHaveLength(1);
    expect(html.match(/rowspan="2"/g)).toHaveLength(1);
    expect(html).toContain("background-color:#ffeeaa");
    expect(html).toContain("border:1pt solid #336699");
  });

  test.skipIf(!isInstalled("chromium"))(
    "`exact` has lines in Latin letters at their position on an Arabic page",
    async () => {
      const print = convertingBy("chromium", scratch);
      const page =
        '<html dir="rtl"><meta charset="utf-8"><p>هذا كتاب جديد عن السفن والبحر</p><p dir="ltr">Jeremy is here</p>';
      const source = (await print(scratch.file(page), ["html", "pdf"])).path;
      const exact = await read(source, "html", { layout: "exact" });
      const { path } = await print(scratch.file(exact.text), ["html", "pdf"]);
      const [before, after] = await Promise.all(
        [source, path].map(async (pdf) => (await pageContent(pdf)).words.find(({ text }) => text === "Jeremy")?.left),
      );
      expect(after).toBeCloseTo(before ?? 0, 0);
    },
  );

  test("`exact` has each line at its position, and the drawings of the page under them", async () => {
    const html = await pageOf(
      "#set page(width: 300pt, height: 200pt, margin: 40pt)\n#rect(fill: blue, width: 50pt, height: 50pt)\n#place(top + left, dx: 100pt, dy: 30pt)[Placed words]\n" +
        "#place(bottom + right, rotate(90deg, reflow: true)[Sideways])",
      "exact",
    );
    expect(html).toContain('<svg width="300pt" height="200pt" viewBox="0 0 300 200">');
    expect(html).toMatch(/<image x="0" y="0" width="300" height="200"[^>]* href="data:image\/png;base64,/);
    const [, x, y] =
      /<text x="([\d.]+)" y="([\d.]+)" textLength="[\d.]+"[^>]*><tspan[^>]*>Placed words</.exec(html) ?? [];
    expect(Number(x)).toBeCloseTo(140, 0);
    expect(Number(y)).toBeGreaterThan(70);
    expect(Number(y)).toBeLessThan(80);
    expect(html).toMatch(/rotate\(90\)"[^>]*><tspan[^>]*>Sideways</);
  });
});

describe("documents made from the HTML", () => {
  const convert = convertingByRoute(scratch);
  const SOURCE =
    "#set super(typographic: false)\n= Chapter\nWords with a note#footnote[The text of the note.] and _more_ words.\n\n- one\n- two\n\n" +
    "#table(columns: 3, table.cell(rowspan: 2)[Tall], [b], [c], [d], [e])";

  test("Markdown keeps headings, lists, notes, and the columns of tables with spans", async () => {
    const { output } = await convert(scratch.file(typeset(SOURCE)), ["pdf", "md"]);
    expect(readFileSync(output, "utf8")).toBe(
      "# Chapter\n\nWords with a note[^1] and *more* words.\n\n- one\n- two\n\n" +
        "|  |  |  |\n| --- | --- | --- |\n| Tall | b | c |\n|  | d | e |\n\n[^1]: The text of the note.\n",
    );
  });

  test("EPUB keeps the links between a note and its mark, and has no size of the page", async () => {
    const { output } = await convert(scratch.file(typeset(SOURCE)), ["pdf", "epub"]);
    const parts = await readZip(output, async ({ paths, read: part }) =>
      Promise.all(paths.map(async (path) => [path, (await part(path))?.toString("utf8") ?? ""] as const)),
    );
    const text = parts
      .filter(([path]) => path.includes("chapter"))
      .map(([, xml]) => xml)
      .join("");
    for (const id of ["note-1", "ref-1"]) {
      expect(text).toContain(`id="${id}"`);
      expect(text).toMatch(new RegExp(`href="[^"]*#${id}"`));
    }
    expect(parts.find(([path]) => path.endsWith(".css"))?.[1]).not.toMatch(/max-width: \d+pt/);
  });
});
