import { expect, test } from "vitest";
import {
  across,
  blocksIn,
  down,
  firstPage,
  layout,
  line,
  lines,
  paragraphsIn,
  prose,
  rows,
  tablesIn,
  textOf,
} from "../../support/documents/layout-content.ts";

/** Columns and reading order. */

const LEFT = prose(20, 200);
const RIGHT = prose(40, 200).slice(20);

/** @returns two columns side by side, with the words of both in the order of their lines */
const twoColumns = (top: number) =>
  LEFT.flatMap((text, index) => [
    ...line(text, 50, top + 12 * index),
    ...line(RIGHT[index] ?? "", 320, top + 12 * index),
  ]);

const textIn = (columns: readonly string[][]) => columns.map((texts) => texts.join(" "));

const columnsOf = (content: Parameters<typeof firstPage>[0]): string[][][] =>
  firstPage(content).sections.map(({ columns }) =>
    columns.map(({ blocks }) => blocks.flatMap((block) => (block.kind === "paragraph" ? [textOf(block)] : []))),
  );

test("reads two columns one after the other, below a title that crosses them", () => {
  const words = [...line("A title across both columns of text", 100, 60, { size: 18 }), ...twoColumns(100)];
  const [title, body = []] = columnsOf({ words });
  expect(title).toEqual([["A title across both columns of text"]]);
  expect(textIn(body)).toEqual([LEFT.join(" "), RIGHT.join(" ")]);
});

test("begins columns at their first line, below a short line of the text above", () => {
  const [left, right] = [prose(12, 200), prose(24, 200).slice(12)];
  const words = [
    ...line("x".repeat(100), 50, 60),
    ...line("short", 50, 72),
    ...lines(left, 50, 100),
    ...lines(right, 320, 95),
  ];
  const [, body = []] = columnsOf({ words });
  expect(textIn(body)).toEqual([left.join(" "), right.join(" ")]);
});

test("reads three columns with different baselines", () => {
  const texts = [prose(20, 150), prose(45, 150).slice(22), prose(70, 150).slice(45, 65)];
  const words = texts.flatMap((column, index) => lines(column, 40 + 180 * index, 100 + 4 * index));
  const [[...columns] = []] = columnsOf({ words });
  expect(textIn(columns)).toEqual(texts.map((column) => column.join(" ")));
});

test("reads the right column first on a page from right to left", () => {
  const words = twoColumns(100).map((word) => ({ ...word, rtl: true, text: "שלום" }));
  const [section] = firstPage({ words, rtl: true }).sections;
  expect(section?.columns.map(({ left }) => left)).toEqual([320, 50]);
});

test("finds few lines of columns below tables whose white space is at the same place", () => {
  const lefts = Array.from({ length: 14 }, (_, column) => 50 + 36 * column);
  const numbers = Array.from({ length: 14 }, (_, row) => lefts.map(() => "1".repeat(1 + Math.floor(row / 5))));
  const rules = [300, 316, 332].map((at) => across(at, 50, 540)).concat([50, 250, 540].map((at) => down(at, 300, 332)));
  const [left, right] = [prose(5, 200), prose(30, 200).slice(25)];
  const words = [
    ...rows(numbers, lefts, 60),
    ...rows(
      [
        ["Port", "Crew"],
        ["Lisbon", "12"],
      ],
      [55, 255],
      312,
    ),
    ...lines(left, 50, 360),
    ...lines(right, 320, 360),
  ];
  const found = firstPage({ words, rules });
  expect(tablesIn(found)).toHaveLength(2);
  expect(textIn(columnsOf({ words, rules }).at(-1) ?? [])).toEqual([left.join(" "), right.join(" ")]);
});

test("ends columns at a rule that crosses them", () => {
  const words = [...line("Journal", 50, 60), ...line("Volume 7", 320, 60), ...twoColumns(100)];
  const sections = columnsOf({ words, rules: [across(80, 50, 540)] });
  expect(sections.map((columns) => columns.length)).toEqual([1, 2]);
});

test("keeps the cells of a table without rules in rows", () => {
  const cells = Array.from({ length: 12 }, (_, index) => [`Item ${index}`, `${index * 7}.50`, `${index + 3}`]);
  const found = firstPage({ words: rows(cells, [50, 250, 400], 100) });
  expect(found.sections).toHaveLength(1);
  expect(tablesIn(found)).toHaveLength(1);
});

test("keeps justified prose with wide gaps in one column and out of tables", () => {
  const words = prose(30, 380).flatMap((text, row) =>
    text.split(" ").flatMap((part, index, all) => {
      const width = text.replaceAll(" ", "").length * 5;
      const gap = (440 - width) / (all.length - 1);
      const before = all.slice(0, index).join("").length * 5;
      return line(part, 50 + before + index * gap, 100 + row * 12);
    }),
  );
  const found = firstPage({ words });
  expect(found.sections.map(({ columns }) => columns.length)).toEqual([1]);
  expect(tablesIn(found)).toEqual([]);
  expect(paragraphsIn(found)).toHaveLength(1);
  expect(paragraphsIn(found)[0]?.align).toBe("justify");
});

test("marks a paragraph that continues in the next column and on the next page", () => {
  const [first, second] = layout({ words: twoColumns(100) }, { words: lines(["and the storm ended."], 50, 100) }).pages;
  const open = first?.sections.flatMap(({ columns }) => columns.map(({ blocks }) => blocks.at(-1)));
  expect(open).toMatchObject([{ open: true }, { open: true }]);
  expect(second && blocksIn(second)).toMatchObject([{ open: false }]);
});

test("reads a filled box, and then the short lines next to it", () => {
  const [quote, sums] = [
    ["Dreams are", "a proof of", "the power", "of ideas", "and of work"],
    ["BY VALUE", "17,81,841", "BY PROFIT", "67,845", "BY SALES"],
  ];
  const words = quote.flatMap((text, index) => [
    ...line(text, 60, 120 + 24 * index),
    ...line(sums[index] ?? "", 320, 126 + 24 * index),
  ]);
  const fills = [{ left: 50, top: 90, right: 250, bottom: 300, color: "e0ffe0" }];
  const [columns = []] = columnsOf({ words, fills });
  expect(columns.map((texts) => texts.join(" "))).toEqual([quote.join(" "), sums.join(" ")]);
});

test("keeps a box of facts apart from the text at its left", () => {
  const facts = ["Developer Mozilla", "Initial release 2011", "Written in JavaScript", "Type viewer", "License Apache"];
  const article = prose(24, 240);
  const found = firstPage({
    words: [...lines(article, 50, 100), ...lines([...facts, ...facts, ...facts], 320, 106, 17)],
  });
  expect(found.sections.map(({ columns }) => columns.length)).toEqual([2]);
  expect(paragraphsIn(found).map(textOf)).toContain(article.join(" "));
});
