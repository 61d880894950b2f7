import { expect, test } from "vitest";
import { firstPage, layout, line, lines, paragraphsIn, prose, textOf } from "../../support/documents/layout-content.ts";

/** Lists, footnotes and running lines. */

const TEXT = prose(12, 400);

const item = (mark: string, text: string, left: number, baseline: number) => [
  ...line(mark, left, baseline),
  ...line(text, left + 18, baseline),
];

test("finds items, their depth and number, without the mark in their text", () => {
  const words = [
    ...item("1.", "First", 50, 100),
    ...item("•", "inner one", 80, 114),
    ...item("•", "inner two", 80, 128),
    ...item("2.", "Second", 50, 142),
    ...lines(TEXT, 50, 200),
  ];
  const items = paragraphsIn(firstPage({ words })).filter(({ list }) => list !== undefined);
  expect(items.map(textOf)).toEqual(["First", "inner one", "inner two", "Second"]);
  expect(items.map(({ list }) => list)).toMatchObject([
    { depth: 0, ordered: true, number: 1, mark: "1." },
    { depth: 1, ordered: false, mark: "•" },
    { depth: 1, ordered: false, mark: "•" },
    { depth: 0, ordered: true, number: 2, mark: "2." },
  ]);
  expect(items[0]).toMatchObject({ indentLeft: 18, firstLine: -18 });
  expect(items[0]?.lines[0]?.runs.map(({ text }) => text).join("")).toBe("1. First");
});

test("takes items with minus signs as marks for a list, not for a table", () => {
  const words = [
    ...["Toxic Substances Act", "Clean Air Act", "Waste disposal acts", "Exposure limits"].flatMap((text, index) =>
      item("−", text, 80, 100 + 20 * index),
    ),
    ...lines(TEXT, 50, 200),
  ];
  const items = paragraphsIn(firstPage({ words })).filter(({ list }) => list !== undefined);
  expect(items.map(({ list }) => list?.mark)).toEqual(["−", "−", "−", "−"]);
});

test("counts Roman numbers and letters", () => {
  const words = [
    ...item("(i)", "one", 50, 100),
    ...item("(ii)", "two", 50, 114),
    ...item("a)", "three", 50, 160),
    ...item("b)", "four", 50, 174),
  ];
  expect(paragraphsIn(firstPage({ words })).map(({ list }) => list?.number)).toEqual([1, 2, 1, 2]);
});

test("takes neither a year nor an aside for the mark of an item", () => {
  const words = [...lines(["It was built in", "1954. A storm followed."], 50, 100), ...line("– he said", 50, 160)];
  expect(paragraphsIn(firstPage({ words })).map(({ list }) => list)).toEqual(
    [undefined, undefined, undefined].slice(0, paragraphsIn(firstPage({ words })).length),
  );
});

/** @returns text whose last word has the mark of a note */
const referringTo = (mark: string) => [
  ...lines(TEXT.slice(0, 5), 50, 100),
  ...line("ended", 50, 160),
  ...line(mark, 75.5, 156, { size: 6 }),
];

test("moves footnotes out of the text, and points their marks to them", () => {
  const words = [...referringTo("1"), ...line("1", 50, 700, { size: 5 }), ...line("The note.", 54, 702, { size: 8 })];
  const found = firstPage({ words });
  expect(found.notes.map(({ mark, blocks }) => [mark, blocks.map(textOf)])).toEqual([["1", ["The note."]]]);
  expect(paragraphsIn(found).flatMap(({ runs }) => runs.filter(({ note }) => note !== undefined))).toMatchObject([
    { text: " 1", note: 0, shift: "above" },
  ]);
});

test("joins the high mark of a footnote to its line", () => {
  const words = [
    ...referringTo("7"),
    // Less than half of its height is at that of the line.
    ...line("7", 50, 697.5, { size: 6.5 }),
    ...line("Projects above the limit.", 55.5, 702, { size: 8 }),
  ];
  const found = firstPage({ words });
  expect(found.notes.map(({ mark, blocks }) => [mark, blocks.map(textOf)])).toEqual([
    ["7", ["Projects above the limit."]],
  ]);
});

test("keeps a small line above a line of text", () => {
  const words = [...line("small words", 50, 97.5, { size: 6.5 }), ...line("Lines of the text", 50, 102, { size: 8 })];
  expect(paragraphsIn(firstPage({ words })).map(textOf)).toEqual(["small words", "Lines of the text"]);
});

test("moves repeated lines into header and footer, with the page number as a field", () => {
  const pages = Array.from({ length: 4 }, (_, index) => ({
    words: [
      ...line("Report of the harbor", 50, 40),
      ...lines(
        TEXT.map((text) => `${text} ${index}`),
        50,
        100,
      ),
      ...line(`Page ${index + 1} of 4`, 250, 770),
    ],
  }));
  for (const page of layout(...pages).pages) {
    expect(page.header.map((block) => (block.kind === "paragraph" ? textOf(block) : ""))).toEqual([
      "Report of the harbor",
    ]);
    const [footer] = page.footer;
    const fields = footer?.kind === "paragraph" ? footer.runs.flatMap(({ field }) => field ?? []) : [];
    expect(fields).toEqual(["page", "pages"]);
    expect(paragraphsIn(page).map(textOf).join(" ")).not.toMatch(/Report|Page/);
  }
});

test("finds page numbers far from the edge if white space separates them, but not repeated lines of the text", () => {
  const pages = [1, 2, 3].map((number) => ({
    words: [...lines(prose(48, 400), 50, 100), ...line(`${number}`, 300, 696)],
  }));
  for (const page of layout(...pages).pages) {
    expect(page.footer).toHaveLength(1);
    expect(page.header).toEqual([]);
    expect(paragraphsIn(page).map(textOf)).toEqual([prose(48, 400).join(" ")]);
  }
});

test("keeps the number of a chapter above its title", () => {
  const pages = [{ words: [...line("1", 300, 110), ...lines(TEXT, 50, 200)] }, { words: lines(TEXT, 50, 100) }];
  expect(layout(...pages).pages.map(({ header }) => header)).toEqual([[], []]);
});

test("keeps a heading and a total that are repeated within the text", () => {
  const pages = ["Lisbon", "Porto", "Faro"].map((port) => ({
    words: [...line(port, 50, 40), ...line("Repeated title", 50, 60), ...lines(TEXT, 50, 100)],
  }));
  for (const { header } of layout(...pages).pages) {
    expect(header).toEqual([]);
  }
});
