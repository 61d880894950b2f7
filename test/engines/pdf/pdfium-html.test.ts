import { PDFDocument } from "@cantoo/pdf-lib";
import { parse } from "parse5";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { sampleOf } from "../support/fixtures.ts";
import { PICTURE_HEIGHT, PICTURE_WIDTH, picturePixels } from "../support/picture.ts";
import { paragraph, readingPdf, WORDS } from "../support/read-pdf.ts";
import { scratchFolder } from "../support/scratch.ts";
import { typeset } from "../support/typeset.ts";
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
