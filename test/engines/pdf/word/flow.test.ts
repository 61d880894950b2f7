import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import type { Options } from "../../../../functions/domain/conversions/options.ts";
import type { DocumentLayout, Figure, Table } from "../../../../functions/engines/pdf/pdfium/layout/model.ts";
import { writeLayout } from "../../../../functions/engines/pdf/pdfium/word/write-word.ts";
import { column, layout, page, paragraph, run, section } from "../../support/documents/layout.ts";
import { viewWord } from "../../support/documents/word.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { taskOf } from "../../support/task.ts";
import { PYTHON, withPython } from "../../support/tools.ts";

/** Word documents from layouts: the structure of the document. */

const scratch = scratchFolder();

const PICTURE = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#369" } })
  .png()
  .toBuffer();

const write = async (source: DocumentLayout, options: Options = {}) => {
  const folder = mkdtempSync(join(scratch.folder, "word-"));
  const output = join(folder, "result.docx");
  const task = taskOf({ input: output, output, from: "pdf", to: "docx", options, folder }, folder);
  const { warnings } = await writeLayout(source, task, async (_, figures, backdrop) => {
    const file = { bytes: PICTURE, mediaType: "image/png" } as const;
    return { figures: new Map(figures.map((figure) => [figure, file])), ...(backdrop && { backdrop: file }) };
  });
  const view = await viewWord(output);
  expect(view.faults).toEqual([]);
  if (withPython("docx")) {
    execFileSync(PYTHON, ["-c", "import docx, sys; docx.Document(sys.argv[1])", output]);
  }
  return { ...view, codes: warnings.map(({ code }) => code) };
};

test("keeps page size, orientation and margins, with a section per size", async () => {
  const wide = { width: 842, height: 595 };
  const { body } = await write(layout(page([paragraph("One", 100)]), page([paragraph("Two", 90)], wide)));
  expect(body.match(/<w:pgSz [^>]*>/g)).toEqual([
    '<w:pgSz w:w="12240" w:h="15840"/>',
    '<w:pgSz w:w="16840" w:h="11900" w:orient="landscape"/>',
  ]);
  expect(body).toMatch(/<w:pgMar w:top="2000" w:right="1440" w:bottom="\d+" w:left="1440"/);
});

test("writes columns as continuous sections, and balances the last one", async () => {
  const [left, right] = [paragraph("Left", 130), paragraph("Right", 130, { left: 316 })];
  const sections = [
    section(column([paragraph("Title", 80)])),
    section(column([left], 72, 296), column([right], 316, 540)),
  ];
  const { body, paragraphs } = await write(layout(page([], { sections })));
  expect(paragraphs.slice(0, 3)).toEqual(["Title", "Left", "Right"]);
  expect(body.match(/<w:type w:val="\w+"\/>/g)).toEqual(
    ["nextPage", "continuous", "continuous"].map((type) => `<w:type w:val="${type}"/>`),
  );
  expect(body).toContain(
    '<w:cols w:num="2" w:equalWidth="0"><w:col w:w="4480" w:space="400"/><w:col w:w="4480" w:space="0"/></w:cols>',
  );
});

test("takes from white space on a page that is full, and from the margin below its footer", async () => {
  const spaceOf = async (last: number, footer: number) => {
    const source = page([paragraph("First", 72), paragraph("Last", last)], { footer: [paragraph("Foot", footer)] });
    const { body } = await write(layout(source));
    const [, before] = /w:before="(\d+)"[^>]*\/>(?:(?!<w:p>).)*>Last</u.exec(body) ?? [];
    return { given: last - 84 - Number(before) / 20, footer: Number(/w:footer="(\d+)"/u.exec(body)?.[1]) / 20 };
  };
  expect(await spaceOf(400, 740)).toEqual({ given: 0, footer: 40 });
  expect(await spaceOf(735, 751)).toEqual({ given: 25, footer: 18 });
});

test("joins a paragraph that continues on the next page, and breaks the page elsewhere", async () => {
  const { body, paragraphs } = await write(
    layout(
      page([paragraph("The first part exam-", 700, { open: true })]),
      page([paragraph("ple ends here.", 72), paragraph("Next.", 90)]),
      page([paragraph("New page.", 72)]),
    ),
  );
  expect(paragraphs).toEqual(["The first part example ends here.", "Next.", "New page."]);
  expect(body.match(/<w:pageBreakBefore\/>/g)).toHaveLength(1);
});

test("writes headers, footers and page numbers once, and those of the first page apart", async () => {
  const footer = (number: number) => [paragraph([run("Page "), run(`${number}`, { field: "page" })], 740)];
  const pages = [7, 8, 9].map((number, index) =>
    page([paragraph(`Body ${number}`, 100)], {
      header: index === 0 ? [] : [paragraph("Annual report", 40)],
      footer: footer(number),
    }),
  );
  const { parts, body } = await write(layout(...pages));
  const headers = [...parts].filter(([name]) => /header\d/.test(name) && !name.includes("rels"));
  expect(headers.map(([, xml]) => xml.includes("Annual report"))).toEqual([true, false]);
  expect(body).toContain("<w:titlePg/>");
  expect(body).toContain('<w:pgNumType w:fmt="decimal" w:start="7"/>');
  expect([...parts].filter(([, xml]) => xml.includes('<w:fldSimple w:instr=" PAGE ">'))).toHaveLength(1);
});

test("writes headings as styles that look like the source", async () => {
  const title = run("Title", { size: 20, bold: true, color: "aa0000", font: "Georgia" });
  const { parts, body } = await write(layout(page([paragraph([title], 72, { heading: 1 }), paragraph("Text", 120)])));
  expect(body).toContain('<w:pStyle w:val="Heading1"/>');
  expect(parts.get("word/styles.xml")).toMatch(
    /styleId="Heading1">.*?<w:outlineLvl w:val="0"\/>.*?w:ascii="Georgia".*?<w:b\/>.*?<w:color w:val="aa0000"\/><w:sz w:val="40"\/>/,
  );
});

test("keeps the marks of lists by numbering, and their start", async () => {
  const items = [
    { mark: "(c)", ordered: true, number: 3, depth: 0 },
    { mark: "(d)", ordered: true, number: 4, depth: 0 },
    { mark: "–", ordered: false, depth: 1 },
    { mark: "1.", ordered: true, number: 1, depth: 0 },
    { mark: "iv)", ordered: true, number: 4, depth: 1 },
  ];
  const place = { indentLeft: 20, firstLine: -18 };
  const blocks = items.map((list, index) => paragraph(`Item ${index}`, 72 + 14 * index, { ...place, list }));
  const { parts, body } = await write(layout(page(blocks)));
  const numbering = parts.get("word/numbering.xml") ?? "";
  for (const [format, text] of [
    ["lowerLetter", "(%1)"],
    ["bullet", "–"],
    ["decimal", "%1."],
    ["lowerRoman", "%2)"],
  ]) {
    expect(numbering).toContain(`<w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/>`);
  }
  expect(numbering.match(/<w:startOverride w:val="\d+"\/>/g)?.map((start) => /\d+/.exec(start)?.[0])).toEqual([
    "3",
    "1",
    "1",
    "4",
  ]);
  expect(body.match(/<w:numPr>/g)).toHaveLength(5);
  expect(body).toContain('<w:ind w:left="400" w:right="-160" w:hanging="360"/>');
});

const cell = (row: number, at: number, text: string, changes = {}) => {
  const stroke = { width: 1, color: "112233" };
  const borders = { top: stroke, right: stroke, bottom: stroke, left: stroke };
  const blocks = [paragraph(text, 104 + 20 * row, { left: 76 + 100 * at, right: 160 + 100 * at, indentLeft: 4 })];
  return { row, column: at, rows: 1, columns: 1, blocks, borders, ...changes };
};

const table = (changes: Partial<Table> = {}): Table => ({
  kind: "table",
  ...{ left: 72, right: 372, top: 100, bottom: 160, xs: [72, 172, 272, 372], ys: [100, 120, 140, 160] },
  cells: [
    cell(0, 0, "Head", { columns: 3, fill: "ddeeff" }),
    cell(1, 0, "Tall", { rows: 2 }),
    ...[cell(1, 1, "A"), cell(1, 2, "B"), cell(2, 1, "C"), cell(2, 2, "D")],
  ],
  ...{ headerRows: 1, found: "rules", rtl: false, spaceBefore: 0, open: false },
  ...changes,
});

test("writes tables with grid, spans, fills, borders and header rows", async () => {
  const { body } = await write(layout(page([paragraph("Before", 72), table(), paragraph("After", 180)])));
  expect(body).toContain('<w:gridCol w:w="2000"/><w:gridCol w:w="2000"/><w:gridCol w:w="2000"/>');
  expect(body).toContain('<w:gridSpan w:val="3"/>');
  expect(body.match(/<w:vMerge(?: w:val="restart")?\/>/g)).toEqual(['<w:vMerge w:val="restart"/>', "<w:vMerge/>"]);
  expect(body).toContain('<w:shd w:val="clear" w:color="auto" w:fill="ddeeff"/>');
  expect(body).toContain('<w:top w:val="single" w:sz="8" w:space="0" w:color="112233"/>');
  expect(body.match(/<w:tblHeader\/>/g)).toHaveLength(1);
  expect(body.match(/<w:trHeight w:val="380" w:hRule="atLeast"\/>/g)).toHaveLength(3);
});

test("makes a line and its distance from the border no higher than the row, unless letters need it", async () => {
  const at = (row: number, top: number) => cell(row, 0, `Row ${row}`, { blocks: [paragraph(`Row ${row}`, top)] });
  const ys = [100, 112, 123, 143];
  // The last one is in the middle of its cell.
  const cells = [at(0, 101.5), at(1, 112), at(2, 127)];
  const { body } = await write(layout(page([table({ xs: [72, 372], ys, cells, headerRows: 0 })])));
  const rows = [
    ...body.matchAll(/<w:trHeight w:val="(\d+)".*?<w:spacing w:before="(\d+)" w:after="0" w:line="(\d+)"/gsu),
  ];
  expect(rows.map(([, ...values]) => values.map(Number))).toEqual([
    [220, 0, 220],
    [200, 0, 220],
    [380, 0, 240],
  ]);
});

test("anchors a picture next to a table to a paragraph before it", async () => {
  const chart: Figure = { kind: "figure", left: 400, top: 104, right: 500, bottom: 150, spaceBefore: 0, picture: 0 };
  const { body } = await write(layout(page([table({ right: 500, xs: [72, 172, 272, 500] }), chart])));
  expect(body.indexOf("<wp:anchor")).toBeGreaterThan(0);
  expect(body.indexOf("<wp:anchor")).toBeLessThan(body.indexOf("<w:tbl>"));
});

test("replaces fonts that only readers with macOS have", async () => {
  const { body } = await write(layout(page([paragraph([run("Valve", { font: "Optima" })], 72)])));
  expect(body).not.toContain("Optima");
});

test("leaves a single line that fills its cell some room, so that it is not broken", async () => {
  const filling = (text: string, left: number, align: "start" | "end") => {
    const box = { left, right: left + 98, top: 124, bottom: 136 };
    return paragraph(text, 124, { ...box, align, lines: [{ ...box, baseline: 133.6, runs: [run(text)] }] });
  };
  const cells = [filling("Full", 73, "start"), filling("9/12", 173, "end"), paragraph("", 124, { lines: [] })].map(
    (block, at) => cell(1, at, "", { blocks: [block] }),
  );
  const head = cell(0, 0, "Head", { columns: 3 });
  const { body } = await write(layout(page([table({ ys: [100, 120, 140], cells: [head, ...cells] })])));
  expect(body).toMatch(/<w:ind w:right="-39"\/><\/w:pPr><w:r>.{0,200}>Full</u);
  expect(body).toMatch(/<w:ind w:left="-39"\/><w:jc w:val="right"\/><\/w:pPr><w:r>.{0,200}>9\/12</u);
});

test("leaves a single line more room if its font may be replaced", async () => {
  const single = (font: string, top: number) => {
    const runs = [run("17,81,841", { font })];
    const box = { left: 440, right: 540, top, bottom: top + 12 };
    return paragraph(runs, top, { ...box, lines: [{ ...box, baseline: top + 9.6, runs }], indentLeft: 368 });
  };
  const { body } = await write(layout(page([single("Poppins", 100), single("Arial", 130)])));
  const rights = [...body.matchAll(/<w:ind w:left="7360" w:right="(-\d+)"/gu)].map(([, right]) => Number(right));
  expect(rights).toEqual([-700, -160]);
});

test("turns the columns of a table that reads from right to left", async () => {
  const { body } = await write(
    layout(page([table({ rtl: true, xs: [72, 172, 272, 400], right: 400 })], { rtl: true })),
  );
  expect(body).toContain("<w:bidiVisual/>");
  expect(body).toContain('<w:gridCol w:w="2560"/><w:gridCol w:w="2000"/><w:gridCol w:w="2000"/>');
  expect(body.indexOf(">B<")).toBeLessThan(body.indexOf(">A<"));
});

test("continues a table on the next page without its repeated header", async () => {
  const { body } = await write(layout(page([table({ open: true, headedOnce: false })]), page([table()])));
  expect(body).toContain("<w:tblHeader/>");
  expect(body.match(/<w:tbl>/g)).toHaveLength(1);
  expect(body.match(/>Head</g)).toHaveLength(1);
  expect(body.match(/<w:tr>/g)).toHaveLength(5);
});

test("continues a table from right to left with the same columns, and repeats no header that is printed once", async () => {
  const continued = table({
    headerRows: 0,
    cells: [cell(0, 0, "C"), cell(0, 1, "D")],
    ys: [72, 92],
    xs: [72, 172, 272],
  });
  const first = table({ rtl: true, open: true, headedOnce: true, headerRows: 1, xs: [72, 172, 272] });
  const { body } = await write(layout(page([first], { rtl: true }), page([continued])));
  expect(body.match(/<w:tbl>/g)).toHaveLength(1);
  expect(body).not.toContain("<w:tblHeader/>");
  expect(body.indexOf(">D<")).toBeLessThan(body.indexOf(">C<"));
});

test("writes at most the columns that Word opens", async () => {
  const xs = Array.from({ length: 81 }, (_, index) => 72 + index * 6);
  const cells = xs.slice(1).map((_, index) => cell(0, index, `n${index}`));
  const { body } = await write(layout(page([table({ xs, ys: [100, 120], cells })])));
  expect(body.match(/<w:gridCol /g)).toHaveLength(63);
  expect(body).toContain(">n79<");
});

test("writes pictures in the text, next to it and under it, each file once", async () => {
  const figure = (left: number, top: number, right: number, bottom: number): Figure => ({
    kind: "figure",
    ...{ left, top, right, bottom, picture: 0, spaceBefore: 0, text: 'A "logo"' },
  });
  const blocks = [
    paragraph("Above", 72),
    figure(72, 90, 172, 140),
    figure(400, 150, 500, 250),
    paragraph("Next to it", 160),
  ];
  const { body, parts, codes } = await write(layout(page(blocks, { floats: [figure(0, 0, 612, 60)] })));
  expect(body.match(/<wp:inline /g)).toHaveLength(1);
  expect(body.match(/<wp:anchor [^>]*behindDoc="1"/g)).toHaveLength(2);
  expect(body).toContain('descr="A &quot;logo&quot;"');
  expect([...parts.keys()].filter((name) => name.startsWith("word/media/"))).toHaveLength(1);
  expect(codes).toEqual([]);
});

test("draws the boxes of form fields under the text", async () => {
  const box = { left: 72, top: 90, right: 172, bottom: 110 };
  const fields = [
    { ...box, border: { width: 1, color: "ff0000" } },
    { ...box, fill: "0000ff" },
  ];
  const { body, codes } = await write(layout(page([paragraph("Name", 72)], { fields })));
  expect(body.match(/<wp:anchor [^>]*behindDoc="1"/g)).toHaveLength(2);
  expect(body).toContain('<a:noFill/><a:ln w="12700"><a:solidFill><a:srgbClr val="ff0000"/></a:solidFill></a:ln>');
  expect(body).toContain('<a:solidFill><a:srgbClr val="0000ff"/></a:solidFill><a:ln w="0"><a:noFill/></a:ln>');
  expect(codes).toEqual([]);
});

test("draws lines that move with their paragraph or stand on the page, not over the text above", async () => {
  const rule = (at: number) => ({ left: 72, right: 540, top: at, bottom: at + 1, color: "ff0000" });
  const [first, second] = [
    paragraph("One", 100, { separators: [rule(90)] }),
    paragraph("Two", 200, { separators: [rule(101), rule(150)] }),
  ];
  const { body, codes } = await write(layout(page([first, second], { separators: [rule(700)] })));
  const places = [...body.matchAll(/<wp:positionV relativeFrom="(\w+)"><wp:posOffset>(-?\d+)</g)];
  const gap = second.top - first.bottom;
  const inGap = 150 - (second.top - gap);
  expect(places.map(([, from, offset]) => [from, Math.round(Number(offset) / 12_700)])).toEqual([
    ["page", 700],
    ["paragraph", Math.round(90 - first.top)],
    ["paragraph", Math.max(0, Math.round(101 - first.bottom))],
    ["paragraph", Math.round(inGap)],
  ]);
  expect(body.match(/behindDoc="1"/g)).toHaveLength(4);
  expect(codes).toEqual([]);
});

test("writes footnotes: automatic numbers where Word counts the same, else the printed mark", async () => {
  const note = (mark: string) => ({ mark, blocks: [paragraph(`Note ${mark}`, 700)] });
  const referring = (top: number, index: number, mark: string) =>
    paragraph([run("Text"), run(mark, { note: index })], top);
  const { body, parts } = await write(
    layout(
      page([referring(72, 0, "1"), referring(90, 1, "*")], { notes: [note("1"), note("*")] }),
      page([referring(72, 0, "2")], { notes: [note("2")] }),
    ),
  );
  expect(body.match(/<w:footnoteReference [^>]*>/g)).toEqual([
    '<w:footnoteReference w:id="2"/>',
    '<w:footnoteReference w:customMarkFollows="1" w:id="3"/>',
    '<w:footnoteReference w:id="4"/>',
  ]);
  expect(parts.get("word/footnotes.xml")?.match(/Note [12*]/g)).toEqual(["Note 1", "Note *", "Note 2"]);
});

test("closes the space above a section that notes leave", async () => {
  const notes = [{ mark: "1", blocks: [paragraph("Note", 90, { bottom: 190 })] }];
  const columns = section(
    column([paragraph([run("Text"), run("1", { note: 0 })], 72)], 72, 296),
    column([paragraph("Right", 72)], 316, 540),
  );
  const { body } = await write(
    layout(page([], { sections: [columns, section(column([paragraph("Below", 200)]))], notes })),
  );
  expect(body).toMatch(/<w:spacing w:before="0" w:after="200" [^>]*\/>/);
});

test("escapes text and links, and marks the direction of runs", async () => {
  const runs = [
    run('<b> & "quotes"\u0000\u0007 '),
    run("link", { link: "https://example.org/ü?a=1&b=%zz" }),
    run(" שלום עולם and more", { underline: true, strike: true, highlight: "ffff00", shift: "above" }),
  ];
  const { body, paragraphs, parts } = await write(layout(page([paragraph(runs, 72)])));
  expect(paragraphs).toEqual(['<b> & "quotes" link שלום עולם and more']);
  expect(parts.get("word/_rels/document.xml.rels")).toContain("https://example.org/%C3%BC?a=1&amp;b=%25zz");
  expect(body).toMatch(/<w:vertAlign w:val="superscript"\/><w:rtl\/><\/w:rPr><w:t xml:space="preserve">שלום עולם</);
});

test("keeps optional hyphens where the source divides words", async () => {
  const lines = ["An exam-", "ple of a well-", "known word."].map((text, index) => {
    const top = 72 + 12 * index;
    return { left: 72, right: 140, top, bottom: top + 12, baseline: top + 9.6, runs: [run(text)] };
  });
  const { body } = await write(
    layout(page([paragraph("An example of a well-known word.", 72, { lines, lineHeight: 12 })])),
  );
  expect(body.match(/exam<\/w:t><w:softHyphen\/>/g)).toHaveLength(1);
  expect(body.match(/softHyphen/g)).toHaveLength(1);
});

test("puts side-by-side paragraphs of several lines into a table without borders", async () => {
  const [line] = paragraph("Ana", 90).lines;
  const lines = line === undefined ? [] : [line, { ...line, top: 102, bottom: 114, baseline: 111.6 }];
  const authors = [
    paragraph("Ana", 90, { right: 200, bottom: 114, lines }),
    paragraph("Ben", 90, { left: 300, right: 400, indentLeft: 228 }),
  ];
  const { body } = await write(layout(page([paragraph("Title", 72), ...authors])));
  expect(body.match(/<w:tc>/g)).toHaveLength(2);
  expect(body).not.toContain("<w:tcBorders>");
});

test("writes paragraphs on one line as a line with tabs", async () => {
  const place = { left: 300, right: 400 };
  const [line] = paragraph("Ben", 90).lines;
  const parts = [
    paragraph("Ana", 90, { right: 200, lines: paragraph("Ana", 90).lines.map((one) => ({ ...one, right: 200 })) }),
    paragraph("Ben", 90, { ...place, indentLeft: 228, lines: line === undefined ? [] : [{ ...line, ...place }] }),
  ];
  const { body } = await write(layout(page([paragraph("Title", 72), ...parts])));
  expect(body).not.toContain("<w:tbl>");
  expect(body).toMatch(/<w:tab w:val="left" w:pos="4560"\/>.*Ana<\/w:t>.*<w:tab\/>.*Ben<\/w:t>/s);
});

test("writes items of lists side by side as paragraphs", async () => {
  const list = { depth: 0, ordered: false, mark: "•" };
  const items = [
    paragraph("Ana", 90, { right: 200, list }),
    paragraph("Ben", 90, { left: 300, right: 400, indentLeft: 228, list }),
  ];
  expect((await write(layout(page(items)))).body).not.toContain("<w:tbl>");
});

test("keeps sizes of any page within the limits of Word", async () => {
  const { body } = await write(
    layout(page([paragraph("Poster", 3_000, { left: 2_500 })], { width: 9_000, height: 20_000 })),
  );
  expect(body).toContain('<w:pgSz w:w="31680" w:h="31680"/>');
});
