import { readFileSync } from "node:fs";
import { degrees, PDFDocument, PDFString, rgb, StandardFonts } from "@cantoo/pdf-lib";
import { parse } from "parse5";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { Options } from "../../functions/domain/options.ts";
import { sampleOf } from "./support/fixtures.ts";
import { poppler } from "./support/pdf.ts";
import { PICTURE_HEIGHT, PICTURE_WIDTH, picturePixels } from "./support/picture.ts";
import { scratchFolder } from "./support/scratch.ts";
import { convertingBy } from "./support/task.ts";
import { typeset } from "./support/typeset.ts";
import { distance } from "./support/views.ts";

/** Text out of PDFs: the order of reading, and what it says of paragraphs, lists, tables and pictures. */

const scratch = scratchFolder();
const convert = convertingBy("pdfium", scratch);

const read = async (input: string, to: "txt" | "html", options: Options = {}) => {
  const { path, codes } = await convert(input, ["pdf", to], options);
  return { text: readFileSync(path, "utf8"), codes };
};

const textOf = async (source: string) => (await read(scratch.file(typeset(source)), "txt")).text;

/** @returns what stands in the body of the HTML that the markup becomes */
const htmlOf = async (source: string): Promise<string> => {
  const { text } = await read(scratch.file(typeset(source)), "html");
  expect(parse(text).childNodes.length).toBeGreaterThan(0);
  return /<body>\n(.*)<\/body>/s.exec(text)?.[1] ?? "";
};

const WORDS = "Ships lie in the harbour and wait for wind while crews mend sails and drink coffee in the shade";
const paragraph = (name: string, times = 6) => `${name} begins. ${`${WORDS}. `.repeat(times)}${name} ends.`;

test("the sample is read as it was written", async () => {
  const { text, codes } = await read(sampleOf("pdf"), "txt");
  expect(text).toBe(
    "Harbour report\n\nÜberfahrt, café, naïve – 12 €\n\n• Ropes\n• Sails\n• Lanterns\n\n1. Cast off\n2. Steer north\n\n\f\n" +
      "Name\tCountry\tCrew\nAna\tPerú\t12\nŁukasz\tPolska\t7\n李\t中国\t30\n",
  );
  expect(codes).toEqual([]);
});

test("poppler sees the same words in a long text, in the same order", async () => {
  const input = scratch.file(typeset(["One", "Two", "Three"].map((name) => paragraph(name, 9)).join("\n\n")));
  const other = poppler("pdftotext", "-raw", input, "-");
  const words = (text: string) =>
    text
      .replace(/\p{Pd}\n/gu, "")
      .split(/\s+/)
      .filter(Boolean);
  const { text } = await read(input, "txt");
  expect(text.trim().split(/\n\n+/)).toHaveLength(3);
  if (other !== undefined) {
    expect(words(text)).toEqual(words(other));
  }
});

test("columns are read one after the other, and a paragraph goes on from one to the next", async () => {
  const text = await textOf(
    `= A title over both columns\n#columns(2)[#set par(justify: true)\n${["Alpha", "Beta", "Gamma"].map((name) => paragraph(name, 12)).join("\n\n")}]`,
  );
  const places = [
    "A title",
    "Alpha begins",
    "Alpha ends",
    "Beta begins",
    "Beta ends",
    "Gamma begins",
    "Gamma ends",
  ].map((words) => text.indexOf(words));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(text.split("\n\n")).toHaveLength(4);
});

test("words that are divided at the end of a line are joined; those with a hyphen of their own keep it", async () => {
  const document = await PDFDocument.create();
  const page = document.addPage([300, 300]);
  const lines = [
    "Internationalisation notwith-",
    "standing, the well-known Anglo-",
    "Saxon responsibilities accu-",
    "mulate.",
  ];
  for (const [index, line] of lines.entries()) {
    page.drawText(line, { x: 40, y: 250 - index * 15, size: 12 });
  }
  const { text } = await read(scratch.file(await document.save()), "txt");
  expect(text).toBe("Internationalisation notwithstanding, the well-known Anglo-Saxon responsibilities accumulate.\n");
});

test("Hebrew and Arabic are read in their order, with numbers and Latin words in them", async () => {
  const [hebrew, arabic] = ["שלום עולם, מספר 123 ומילה English באמצע", "هذا الكلام العربي رقم 456 وكلمة Latin هنا"];
  const html = await htmlOf(`#set text(dir: rtl)\n${hebrew}\n\n${arabic}\n\n- חבלים\n- מפרשים`);
  expect(html).toContain(`<p dir="rtl">${hebrew}</p>`);
  expect(html).toContain(`<p dir="rtl">${arabic}</p>`);
  expect(html).toContain('<ul><li dir="rtl">חבלים</li><li dir="rtl">מפרשים</li></ul>');
});

test("lines of Chinese are joined without a space", async () => {
  const document = await PDFDocument.load(readFileSync(sampleOf("pdf")));
  const page = document.getPage(1);
  const content = document.context.stream(
    `BT /Strokes 11 Tf 1 0 0 1 66 300 Tm <${"0203".repeat(20)}> Tj 0 -14 Td <010101> Tj ET`,
  );
  page.node.addContentStream(document.context.register(content));
  const { text } = await read(scratch.file(await document.save()), "txt");
  expect(text).toContain("中国中国中国李李李");
});

describe("HTML", () => {
  test("has headings by their size, paragraphs, and what is bold, slanted, set in a typewriter's letters, raised", async () => {
    const html = await htmlOf(
      `= First\n${WORDS} with *bold*, _slanted_ and \`code\` and E = mc#super(typographic: false)[2].\n\n== Second\n${WORDS}.\n\n== Third\n${WORDS}.`,
    );
    expect(html.match(/<h\d>.*?<\/h\d>/g)).toEqual(["<h1>First</h1>", "<h2>Second</h2>", "<h2>Third</h2>"]);
    expect(html).toContain(
      "with <strong>bold</strong>, <em>slanted</em> and <code>code</code> and E = mc<sup>2</sup>.</p>",
    );
    expect(html.match(/<p>/g)).toHaveLength(3);
  });

  test("has lists in lists, with the numbers that they begin with", async () => {
    const long = `${WORDS} ${WORDS}`;
    const html = await htmlOf(
      `+ ${long}\n+ Two\n  - inner\n  - other\n+ Three\n\nBetween.\n\n#enum(start: 7)[seven][eight]`,
    );
    expect(html.replaceAll("\n", "")).toBe(
      `<ol><li>${long}</li><li>Two<ul><li>inner</li><li>other</li></ul></li><li>Three</li></ol>` +
        '<p>Between.</p><ol start="7"><li>seven</li><li>eight</li></ol>',
    );
  });

  test("has tables without lines, with cells of several lines and empty ones", async () => {
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

  test("has tables with lines around their cells, however narrow the gaps and however many lines a cell has", async () => {
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

  test("has the pictures, pixel by pixel", async () => {
    const { text } = await read(sampleOf("pdf"), "html");
    const [, type, data = ""] = /<img src="data:(image\/\w+);base64,([^"]+)"/.exec(text) ?? [];
    const { data: pixels, info } = await sharp(Buffer.from(data, "base64"))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect({ type, ...info }).toMatchObject({ type: "image/png", width: PICTURE_WIDTH, height: PICTURE_HEIGHT });
    expect(distance(pixels, picturePixels())).toBe(0);
  });

  test("has the JPEG that is in the PDF byte by byte", async () => {
    const jpeg = await sharp({ create: { width: 60, height: 40, channels: 3, background: "#369" } })
      .jpeg()
      .toBuffer();
    const document = await PDFDocument.create();
    document.addPage([200, 200]).drawImage(await document.embedJpg(jpeg), { x: 20, y: 20, width: 120, height: 80 });
    const { text } = await read(scratch.file(await document.save()), "html");
    expect(text).toContain(`src="data:image/jpeg;base64,${jpeg.toString("base64")}"`);
  });

  test("keeps links to the web and to mail, and no others", async () => {
    const html = await htmlOf(
      '#link("https://example.org/a?b=1&c=2")[web] #link("mailto:ana@example.org")[mail] #link("javascript:alert(1)")[script] #link("file:///etc/passwd")[file]',
    );
    expect(html).toBe(
      '<p><a href="https://example.org/a?b=1&amp;c=2">web</a> <a href="mailto:ana@example.org">mail</a> script file</p>\n',
    );
  });

  test("shows markup in the text as text", async () => {
    const html = await htmlOf('#"<script>alert(1)</script> & <b>"');
    expect(html).toBe("<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;b&gt;</p>\n");
  });

  test("leaves out what pages repeat at their edges, and says so; plain text keeps it", async () => {
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

  test("leaves out the scan behind a text that was read from it, and says so", async () => {
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

test("what fields of a form hold is read", async () => {
  const document = await PDFDocument.create();
  const page = document.addPage([300, 100]);
  page.drawText("Name:", { x: 20, y: 30, size: 12 });
  const field = document.getForm().createTextField("name");
  field.setText("Ana García");
  field.addToPage(page, { x: 60, y: 25, width: 200, height: 20, borderWidth: 0 });
  const { text } = await read(scratch.file(await document.save()), "txt");
  expect(text).toMatch(/Name:\s+Ana García/);
});

test("text that stands sideways is read after the rest", async () => {
  const text = await textOf(`${WORDS}.\n\n#place(rotate(-90deg, reflow: true)[Sideways words])\n\nUpright words.`);
  expect(text.trim().split("\n\n")).toEqual([`${WORDS}.`, "Upright words.", "Sideways words"]);
});

test("a page that is turned is read as it is shown", async () => {
  const document = await PDFDocument.create();
  const page = document.addPage([100, 300]);
  page.setRotation(degrees(90));
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const [index, line] of ["First line of it", "second line of it"].entries()) {
    page.drawText(line, {
      x: 30 + 14 * index,
      y: 20,
      size: 12,
      font,
      rotate: degrees(90),
      color: rgb(0, 0, 0),
    });
  }
  const { text } = await read(scratch.file(await document.save()), "txt");
  expect(text).toBe("First line of it second line of it\n");
});

test("a paragraph that goes on over the end of a page is one in HTML", async () => {
  const words = Array.from({ length: 6 }, () => WORDS.toLowerCase()).join(" ");
  const html = await htmlOf(`#set page(height: 200pt, width: 300pt)\n${words}.`);
  expect(html.match(/<p>/g)).toHaveLength(1);
});

test("`pages` chooses what is read", async () => {
  const { text } = await read(sampleOf("pdf"), "txt", { pages: "2" });
  expect(text).not.toContain("Harbour");
  expect(text).toContain("Łukasz");
});

test("a PDF of pictures only says that it holds no text", async () => {
  const document = await PDFDocument.create();
  document.addPage([100, 100]);
  const { codes } = await read(scratch.file(await document.save()), "txt");
  expect(codes).toEqual(["no_text"]);
});

test("a page with very many letters on one spot is read in bounded time and space", async () => {
  const document = await PDFDocument.create();
  const page = document.addPage([300, 300]);
  const font = await document.embedFont(StandardFonts.Helvetica);
  page.setFont(font);
  const name = page.node.newFontDictionary("Body", font.ref).asString();
  const line = `${PDFString.of("x".repeat(100)).toString()} Tj `;
  const content = document.context.stream(`BT ${name} 4 Tf 20 200 Td ${line.repeat(2_000)} ET`);
  page.node.addContentStream(document.context.register(content));
  const { text } = await read(scratch.file(await document.save()), "txt");
  expect(text.length).toBeGreaterThan(100);
});
