import { degrees, PDFDocument, PDFName, rgb } from "@cantoo/pdf-lib";
import { expect, test } from "vitest";
import type { Run } from "../../../../functions/engines/pdf/pdfium/layout/model.ts";
import { pageContent, textOfWords, wordNamed } from "../../support/documents/page-content.ts";
import { painted } from "../../support/documents/painted.ts";
import { paragraph } from "../../support/documents/read-pdf.ts";
import { typeset } from "../../support/documents/typeset.ts";
import { scratchFolder } from "../../support/scratch.ts";

/** Words of a page: where they begin and end, their order, styles and places. */

const scratch = scratchFolder();

const readTypeset = (source: string) => pageContent(scratch.file(typeset(source)));
const readPainted = async (...args: Parameters<typeof painted> extends [unknown, ...infer Rest] ? Rest : never) =>
  pageContent(await painted(scratch, ...args));

test("keeps columns in the order of the content stream", async () => {
  const { words } = await readTypeset(
    `#set page(height: 400pt)\n#columns(2)[#set par(justify: true)\n${paragraph("Alpha")}\n#colbreak()\n${paragraph("Beta")}]`,
  );
  expect(textOfWords(words).replaceAll("- ", "")).toBe(`${paragraph("Alpha")} ${paragraph("Beta")}`);
});

test("finds spaces that are only gaps, in kerned and in letter-spaced text", async () => {
  const { words } = await readPainted(
    "BT /F1 10 Tf 20 200 Td [(Gaps) -250 (part) 60 (ed) -200 (A) 80 (V)] TJ 0 -20 Td 2 Tc (WIDE) Tj 5 0 Td (WIDE) Tj ET " +
      "BT /F1 10 Tf 2 Tc 20 150 Td [(SPACED) -400 (LETTERS)] TJ ET",
  );
  expect(textOfWords(words)).toMatch(/^Gaps parted AV .*SPACED LETTERS$/);
});

test("reads the styles of runs within a word", async () => {
  const { words } = await readTypeset(
    'plain#strong[bold]#emph[leaning] #text(fill: rgb("#cc0000"), size: 18pt)[big] #raw("mono")',
  );
  expect(wordNamed(words, "plainboldleaning").runs.map(({ text, bold, italic }) => [text, bold, italic])).toEqual([
    ["plain", false, false],
    ["bold", true, false],
    ["leaning", false, true],
  ]);
  expect(wordNamed(words, "big")).toMatchObject({ size: 18, runs: [{ color: "cc0000", mono: false, serif: false }] });
  expect(wordNamed(words, "mono").runs[0]?.mono).toBe(true);
});

test("reads a bullet of another size as a separate word, not the text after it as a superscript", async () => {
  const { words } = await readPainted("BT /F1 24 Tf 20 196 Td <95> Tj /F1 10 Tf 3 4 Td (First) Tj ET");
  expect(words.map(({ text, size }) => [text, size])).toEqual([
    ["•", 24],
    ["First", 10],
  ]);
  expect(wordNamed(words, "First").runs.map(({ shift, size }) => [shift, size])).toEqual([[undefined, 10]]);
});

test("gives superscripts and subscripts the size of the line", async () => {
  const { words } = await readPainted(
    "BT /F1 10 Tf 20 200 Td (x) Tj /F1 6 Tf 4 Ts (2) Tj /F1 10 Tf 0 Ts ( H) Tj /F1 6 Tf -2 Ts (2) Tj /F1 10 Tf 0 Ts (O) Tj ET",
  );
  expect(wordNamed(words, "x2").runs.map(({ shift, size }) => [shift, size])).toEqual([
    [undefined, 10],
    ["above", 10],
  ]);
  expect(wordNamed(words, "H2O").runs.map(({ shift }) => shift)).toEqual([undefined, "below", undefined]);
  expect(words.map(({ baseline, size }) => [baseline, size])).toEqual([
    [100, 10],
    [100, 10],
  ]);
});

test("reads the links of words", async () => {
  const { words } = await readTypeset(
    'See #link("https://example.com/")[this page] or #link("mailto:a@example.com")[mail].',
  );
  expect(words.map(({ runs }) => runs.map(({ text, link }) => [text, link]))).toEqual([
    [["See", undefined]],
    [["this", "https://example.com/"]],
    [["page", "https://example.com/"]],
    [["or", undefined]],
    [
      ["mail", "mailto:a@example.com"],
      [".", undefined],
    ],
  ]);
});

test("reads text in all directions, with its place as displayed", async () => {
  const { words, turned } = await readTypeset(
    "Upright #place(dx: 100pt, dy: 100pt, rotate(-90deg, reflow: true)[up ward]) #place(dx: 200pt, dy: 100pt, rotate(90deg, reflow: true)[down ward]) #place(dx: 200pt, dy: 300pt, rotate(180deg, reflow: true)[over head]) #place(dx: 100pt, dy: 400pt, rotate(-30deg)[slo ping])",
  );
  expect(textOfWords(words)).toBe("Upright");
  expect(turned.map(({ text, quarters }) => `${text} ${quarters}`)).toEqual([
    ...["up 3", "ward 3", "down 1", "ward 1", "over 2", "head 2", "slo 3", "ping 3"],
  ]);
  const [up, ward] = turned;
  expect(up?.top).toBeGreaterThan(ward?.bottom ?? Number.POSITIVE_INFINITY);
  expect((up?.bottom ?? 0) - (up?.top ?? 0)).toBeCloseTo(12.7, 0);
});

test("reads a rotated and cropped page as displayed, without what lies outside of it", async () => {
  const { words, width, height } = await readPainted(
    "BT /F1 10 Tf 0 1 -1 0 150 50 Tm (Shown here) Tj ET BT /F1 10 Tf 0 1 -1 0 20 50 Tm (Cut) Tj ET",
    ({ page }) => {
      page.setRotation(degrees(90));
      page.setCropBox(100, 0, 200, 300);
    },
  );
  expect(textOfWords(words)).toBe("Shown here");
  expect([width, height]).toEqual([300, 200]);
  expect(words[0]).toMatchObject({ left: 50, baseline: 50 });
});

test("reads invisible text, such as the text of a scan", async () => {
  const { words } = await readPainted("BT /F1 10 Tf 3 Tr 20 200 Td (Recognized words) Tj ET");
  expect(textOfWords(words)).toBe("Recognized words");
});

test("reads bold type by printing twice, or by an outline, once", async () => {
  const { words } = await readPainted(
    "BT /F1 10 Tf 20 200 Td (Twice) Tj 0.3 0 Td (Twice) Tj ET BT /F1 10 Tf 2 Tr 100 200 Td (outlined) Tj ET",
  );
  expect(textOfWords(words)).toBe("Twice outlined");
  expect(wordNamed(words, "outlined").runs[0]?.bold).toBe(true);
});

test("replaces the letters within a mark by its text, and spreads its words", async () => {
  const { words } = await readPainted(
    "BT /F1 10 Tf 20 200 Td /Span <</ActualText <FEFF006F006E006500200074>>> BDC (xxxxx) Tj 25 0 Td (yyy) Tj EMC 30 0 Td (end) Tj " +
      "/Span <</ActualText (\\357\\273\\277 \\303\\251t\\303\\251)>> BDC 20 0 Td (zzz) Tj EMC ET",
  );
  expect(textOfWords(words)).toBe("one t end été");
});

test("joins accents to their letters, and takes ligatures apart", async () => {
  const { words } = await readPainted(
    "BT /F1 10 Tf 20 200 Td (\\264) Tj 0 0 Td (e) Tj 6 0 Td (cole) Tj ET /F1 10 Tf BT 20 180 Td [(c) 400 (\\270) -100 (a)] TJ ET",
  );
  expect(textOfWords(words)).toBe("école ça");
  expect(textOfWords((await readTypeset("#set text(ligatures: true)\nefficient flow")).words)).toBe("efficient flow");
});

test("leaves out letters of a font that does not say which they are, and counts them", async () => {
  const document = await PDFDocument.load(typeset("Unreadable letters"));
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    "delete" in object && typeof object.delete === "function" && object.delete(PDFName.of("ToUnicode"));
  }
  const { words, unreadable } = await pageContent(scratch.file(await document.save()));
  expect(words).toEqual([]);
  expect(unreadable).toBe("Unreadable letters".length);
});

test("marks a soft hyphen at the end of a line", async () => {
  const { words } = await readPainted(
    "BT /F1 10 Tf 20 200 Td /Span <</ActualText <FEFF00AD>>> BDC EMC (divi) Tj /Span <</ActualText <FEFF00AD>>> BDC (-) Tj EMC 0 -12 Td (ded well-) Tj 0 -12 Td (known) Tj ET",
  );
  expect(words.map(({ text }) => text)).toEqual(["divi\u00ad", "ded", "well-", "known"]);
});

test("takes an unknown letter between the halves of a word for a hyphen", async () => {
  const { words, unreadable } = await readTypeset(
    "#set page(width: 140pt)\n#set text(hyphenate: true)\n#set par(justify: true)\nInternationalization notwithstanding responsibilities accumulate",
  );
  expect(textOfWords(words).replaceAll("\u00ad ", "")).toBe(
    "Internationalization notwithstanding responsibilities accumulate",
  );
  expect(words.filter(({ text }) => text.endsWith("\u00ad")).length).toBeGreaterThan(1);
  expect(unreadable).toBe(0);
});

test("reads a sign without a known character before an item as a bullet", async () => {
  const { words, unreadable } = await readPainted(
    "BT /F1 10 Tf 20 220 Td (Two topics:) Tj /N1 10 Tf 0 -20 Td <02> Tj /F1 10 Tf 14 0 Td (First) Tj ET " +
      "BT /N1 10 Tf 20 180 Td <02> Tj /F1 10 Tf 14 0 Td (Second) Tj ET BT /F1 10 Tf 20 160 Td (End) Tj /N1 10 Tf <02> Tj ET",
    ({ document: { context }, page }) => {
      const sign = context.register(context.stream("600 0 d0 0 0 m 0 500 l 400 250 l f"));
      const font = {
        ...{ Type: "Font", Subtype: "Type3", FontBBox: [0, 0, 600, 500], FontMatrix: [0.001, 0, 0, 0.001, 0, 0] },
        ...{ Encoding: { Type: "Encoding", Differences: [2, "SM590000"] }, CharProcs: { SM590000: sign } },
        ...{ FirstChar: 2, LastChar: 2, Widths: [600], Resources: {} },
      };
      page.node.setFontDictionary(PDFName.of("N1"), context.register(context.obj(font)));
    },
  );
  expect(textOfWords(words)).toBe("Two topics: • First • Second End");
  expect(unreadable).toBe(1);
});

test("reads the family and class of a font from its name", async () => {
  const names = [
    "CenturySchoolbook-BoldItalic",
    "HelveticaNeue-Roman",
    "ABCDEF+CMTT10",
    "LiberationSans,Italic",
    "Georgia",
    "MS-PGothic",
    "SFBX1000",
    "SFTI1000",
    "BookMaster",
  ];
  const fonts = `${names.map((_, index) => `BT /N${index} 10 Tf 20 ${280 - 20 * index} Td (Word) Tj ET`).join(" ")}`;
  const { words } = await readPainted(fonts, ({ document: { context }, page }) => {
    for (const [index, name] of names.entries()) {
      const font = context.obj({ Type: "Font", Subtype: "Type1", BaseFont: name, Encoding: "WinAnsiEncoding" });
      page.node.setFontDictionary(PDFName.of(`N${index}`), context.register(font));
    }
  });
  const classes = ({ bold, italic, mono, serif }: Run) =>
    Object.entries({ bold, italic, mono, serif })
      .filter(([, is]) => is)
      .map(([name]) => ` ${name}`)
      .join("");
  expect(words.flatMap(({ runs }) => runs.map((run) => run.font + classes(run)))).toEqual([
    "Century Schoolbook bold italic serif",
    "Helvetica Neue",
    "CMTT10 mono",
    "Liberation Sans italic",
    "Georgia serif",
    "MS PGothic",
    "SFBX1000 bold serif",
    "SFTI1000 italic serif",
    "Book Master mono",
  ]);
});

test("reads the values of form fields, and check boxes as signs", async () => {
  const { words, rules, drawings } = await readPainted("BT /F1 12 Tf 20 30 Td (Name:) Tj ET", ({ document, page }) => {
    const form = document.getForm();
    const field = form.createTextField("name");
    field.setText("Ana García");
    field.addToPage(page, { x: 60, y: 25, width: 200, height: 20, borderWidth: 0 });
    for (const [index, name] of ["yes", "no"].entries()) {
      const box = form.createCheckBox(name);
      box.addToPage(page, { x: 60 + 60 * index, y: 60, width: 12, height: 12 });
      index === 0 && box.check();
    }
  });
  expect(textOfWords(words)).toBe("Name: Ana García ☒ ☐");
  expect([rules, drawings]).toEqual([[], []]);
  expect(Math.round(wordNamed(words, "☒").right)).toBe(73);
});

test("reads the boxes of form fields for text, which are no rules", async () => {
  const { fields, rules, fills } = await readPainted("BT /F1 12 Tf 20 30 Td (Name:) Tj ET", ({ document, page }) => {
    const look = { borderWidth: 1, borderColor: rgb(1, 0, 0), backgroundColor: rgb(0, 0, 1) };
    document
      .getForm()
      .createTextField("name")
      .addToPage(page, { x: 60, y: 25, width: 200, height: 20, ...look });
  });
  expect([rules, fills]).toEqual([[], []]);
  expect(fields).toMatchObject([{ border: { width: 1, color: "ff0000" }, fill: "0000ff" }]);
  expect(Math.round((fields?.[0]?.right ?? 0) - (fields?.[0]?.left ?? 0))).toBeCloseTo(200, -1);
});

test("leaves out text above or below its clip, and keeps the cut end of a line", async () => {
  const { words } = await readPainted(
    "BT /F1 10 Tf 20 200 Td (Shown) Tj ET q 20 100 60 20 re W n BT /F1 10 Tf 22 105 Td (Partly visible) Tj 100 0 Td (line) Tj 0 -40 Td (Gone) Tj ET Q " +
      "BT /F1 10 Tf 20 40 Td (Last) Tj ET",
  );
  expect(textOfWords(words)).toBe("Shown Partly visible line Last");
});

test.each([
  ["of the same color are bold", "0 g", "0 g", true, "000000"],
  ["of another color are a shadow under the last ones", "0.5 g", "1 0 0 rg", false, "ff0000"],
])("reads letters that are printed twice once: those %s", async (_, first, second, bold, color) => {
  // PDFium itself leaves out a repetition that follows at once.
  const between = ["a", "b", "c", "d", "e", "f"].map(
    (text, index) => `BT 0 g /F1 20 Tf 20 ${160 - 25 * index} Td (${text}) Tj ET`,
  );
  const { words } = await readPainted(
    [
      `BT ${first} /F1 20 Tf 20 200 Td (Twice little) Tj ET`,
      ...between,
      `BT ${second} /F1 20 Tf 20.5 199.5 Td (Twice little) Tj ET`,
    ].join(" "),
  );
  expect(textOfWords(words)).toBe("Twice little a b c d e f");
  expect(wordNamed(words, "Twice").runs[0]).toMatchObject({ bold, color });
  expect(wordNamed(words, "a").runs[0]).toMatchObject({ bold: false });
});
