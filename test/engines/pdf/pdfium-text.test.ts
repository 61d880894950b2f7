import { readFileSync } from "node:fs";
import {
  BlendMode,
  degrees,
  PDFDocument,
  PDFString,
  popGraphicsState,
  pushGraphicsState,
  rgb,
  StandardFonts,
  setTextRenderingMode,
  TextRenderingMode,
} from "@cantoo/pdf-lib";
import { parse } from "parse5";
import { expect, test } from "vitest";
import { poppler } from "../support/documents/pdf.ts";
import { paragraph, readingPdf, WORDS } from "../support/documents/read-pdf.ts";
import { typeset } from "../support/documents/typeset.ts";
import { sampleOf } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";

/** Text from PDFs: reading order and content. */

const scratch = scratchFolder();
const read = readingPdf(scratch);

const textOf = async (source: string) => (await read(scratch.file(typeset(source)), "txt")).text;

/** @returns the body of the HTML for a PDF typeset from the markup, without the formatting of the page */
const htmlOf = async (source: string): Promise<string> => {
  const { text } = await read(scratch.file(typeset(source)), "html", { layout: "text" });
  expect(parse(text).childNodes.length).toBeGreaterThan(0);
  return /<body>\n(.*)<\/body>/s.exec(text)?.[1] ?? "";
};

test("reads the sample as it was written", async () => {
  const { text, codes } = await read(sampleOf("pdf"), "txt");
  expect(text).toBe(
    "Harbour report\n\nÜberfahrt, café, naïve – 12 €\n\n• Ropes\n• Sails\n• Lanterns\n\n1. Cast off\n2. Steer north\n\n\f\n" +
      "Name\tCountry\tCrew\nAna\tPerú\t12\nŁukasz\tPolska\t7\n李\t中国\t30\n",
  );
  expect(codes).toEqual([]);
});

test("reads the same words as poppler in a long text, in the same order", async () => {
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

test("reads columns one after the other, and joins a paragraph across columns", async () => {
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

test("joins words divided at line ends; hyphenated words keep their hyphen", async () => {
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

test("reads Hebrew and Arabic in order, with numbers and Latin words", async () => {
  const [hebrew, arabic] = ["שלום עולם, מספר 123 ומילה English באמצע", "هذا الكلام العربي رقم 456 وكلمة Latin هنا"];
  const html = await htmlOf(`#set text(dir: rtl)\n${hebrew}\n\n${arabic}\n\n- חבלים\n- מפרשים`);
  expect(html).toContain(`<p dir="rtl">${hebrew}</p>`);
  expect(html).toContain(`<p dir="rtl">${arabic}</p>`);
  expect(html).toContain('<ul><li dir="rtl">חבלים</li><li dir="rtl">מפרשים</li></ul>');
});

test("joins lines of Chinese without a space", async () => {
  const document = await PDFDocument.load(readFileSync(sampleOf("pdf")));
  const page = document.getPage(1);
  const content = document.context.stream(
    `BT /Strokes 11 Tf 1 0 0 1 66 300 Tm <${"0203".repeat(20)}> Tj 0 -14 Td <010101> Tj ET`,
  );
  page.node.addContentStream(document.context.register(content));
  const { text } = await read(scratch.file(await document.save()), "txt");
  expect(text).toContain("中国中国中国李李李");
});

test("reads the content of form fields", async () => {
  const document = await PDFDocument.create();
  const page = document.addPage([300, 100]);
  page.drawText("Name:", { x: 20, y: 30, size: 12 });
  const field = document.getForm().createTextField("name");
  field.setText("Ana García");
  field.addToPage(page, { x: 60, y: 25, width: 200, height: 20, borderWidth: 0 });
  const { text } = await read(scratch.file(await document.save()), "txt");
  expect(text).toMatch(/Name:\s+Ana García/);
});

test("takes the boxes around form fields for no table", async () => {
  const document = await PDFDocument.create();
  const page = document.addPage([400, 100]);
  const labels = { "First Name": [20, 57], Birthday: [20, 41], "Last Name": [195, 57] } as const;
  for (const [text, [x, y]] of Object.entries(labels)) {
    page.drawText(text, { x, y, size: 12 });
  }
  const boxes = [
    ["Ana", 90, 55, 90, 13],
    ["", 260, 57, 90, 9],
    ["", 90, 37, 118, 18],
  ] as const;
  for (const [text, x, y, width, height] of boxes) {
    page.drawRectangle({ x, y, width, height, borderWidth: 0.1, borderColor: rgb(0, 0, 0) });
    const field = document.getForm().createTextField(`${x} ${y}`);
    field.setText(text);
    field.addToPage(page, { x: x + 2.7, y: y + 2.7, width: width - 5.4, height: height - 5.4, borderWidth: 0 });
  }
  const { text } = await read(scratch.file(await document.save()), "txt");
  expect(text).toMatch(/First Name[^\n]*Last Name/);
});

test("leaves out what a page does not show: text under a rectangle, transparent text and text that is not drawn", async () => {
  const document = await PDFDocument.create();
  const page = document.addPage([300, 300]);
  const write = (text: string, y: number, options = {}): void =>
    page.drawText(text, { x: 20, y, size: 12, ...options });
  write("Covered", 250);
  write("Marked words", 200);
  page.drawRectangle({ x: 0, y: 240, width: 300, height: 40, color: rgb(1, 1, 1) });
  const yellow = { color: rgb(1, 1, 0), blendMode: BlendMode.Multiply };
  page.drawRectangle({ x: 0, y: 190, width: 300, height: 30, ...yellow });
  write("Words on white", 250);
  write("Transparent", 150, { opacity: 0 });
  page.pushOperators(pushGraphicsState(), setTextRenderingMode(TextRenderingMode.Invisible));
  write("Undrawn", 100);
  page.pushOperators(popGraphicsState());
  write("Last words", 50);
  const { text } = await read(scratch.file(await document.save()), "txt");
  expect(text).toBe("Words on white\n\nMarked words\n\nLast words\n");
});

test("reads sideways text after the rest", async () => {
  const text = await textOf(`${WORDS}.\n\n#place(rotate(-90deg, reflow: true)[Sideways words])\n\nUpright words.`);
  expect(text.trim().split("\n\n")).toEqual([`${WORDS}.`, "Upright words.", "Sideways words"]);
});

test("reads a rotated page as displayed", async () => {
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
  expect(text.trim().split(/\s+/).join(" ")).toBe("First line of it second line of it");
});

test("writes notes at the end of their page, and joins no paragraph across pages", async () => {
  const text = await textOf(
    `#set page(width: 300pt, height: 200pt)\n#set super(typographic: false)\nA mark#footnote[The note.] is here. ${`${WORDS.toLowerCase()} `.repeat(6)}`,
  );
  const [first = "", second = ""] = text.split("\f");
  expect(first.trim().split("\n\n").at(-1)).toBe("1 The note.");
  expect(second.trim()).toMatch(/^\p{Ll}/u);
});

test("joins a paragraph across pages in HTML", async () => {
  const words = Array.from({ length: 6 }, () => WORDS.toLowerCase()).join(" ");
  const html = await htmlOf(`#set page(height: 200pt, width: 300pt)\n${words}.`);
  expect(html.match(/<p>/g)).toHaveLength(1);
});

test("`pages` selects the pages to read", async () => {
  const { text } = await read(sampleOf("pdf"), "txt", { pages: "2" });
  expect(text).not.toContain("Harbour");
  expect(text).toContain("Łukasz");
});

test("warns that a PDF of pictures has no text", async () => {
  const document = await PDFDocument.create();
  document.addPage([100, 100]);
  const { codes } = await read(scratch.file(await document.save()), "txt");
  expect(codes).toEqual(["no_text"]);
});

test("reads a page with very many letters at one position in bounded time and memory", async () => {
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
