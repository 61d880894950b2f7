import { expect, test } from "vitest";
import { across, cellsOf, down, firstPage, line, rows, tablesIn } from "../../support/documents/layout-content.ts";

/** Columns that nothing but the alignment of their numbers separates. */

const FISH = [
  ["Cod", "1,062.6", "540.0", "22.6"],
  ["Herring", "338.4", "–", "298.3"],
  ["Mackerel", "17.5", "2.5", "14.9"],
  ["Sole", "9.8", "4.3", "5.5"],
];

const frame = (xs: readonly number[], ys: readonly [number, number]) => [
  ...ys.map((y) => across(y, xs[0] ?? 0, xs.at(-1) ?? 0)),
  ...xs.map((x) => down(x, ...ys)),
];

test("separates columns of numbers between the uprights of a table", () => {
  const rules = [...frame([50, 150, 300], [90, 180]), across(110, 50, 300)];
  const words = [...line("Species", 55, 104), ...line("Tonnes", 200, 104), ...rows(FISH, [55, 160, 210, 255], 124, 14)];
  const [table] = tablesIn(firstPage({ words, rules }));
  expect(table && cellsOf(table).slice(1)).toEqual(FISH);
});

test("leaves texts, phone numbers and numbers with spaces in their cells", () => {
  const texts = [
    ["Ann", "(405) 680", "12 000", "room 12"],
    ["Bob", "(918) 831", "8 100", "room 7"],
    ["Eve", "(859) 767", "31 900", "room 31"],
    ["Kim", "(404) 973", "4 250", "room 9"],
  ];
  const rules = [...frame([50, 90, 150, 200, 260], [90, 180]), across(110, 50, 260)];
  const words = [...rows([["Name", "Phone", "Sum", "Place"]], [55, 95, 155, 205], 104, 14)];
  const [table] = tablesIn(firstPage({ words: [...words, ...rows(texts, [55, 95, 155, 205], 124, 14)], rules }));
  expect(table && cellsOf(table).slice(1)).toEqual(texts);
});

test("separates two columns of numbers below a common title", () => {
  const rules = [90, 110, 180].map((y) => across(y, 50, 300));
  const words = [...line("Species", 55, 104), ...line("Tonnes", 188, 104), ...line("Share", 255, 104)];
  const body = FISH.map(([name = "", ...numbers]) => [name, ...numbers.map((text) => text.replace("–", "0.1"))]);
  const [table] = tablesIn(firstPage({ words: [...words, ...rows(body, [55, 160, 210, 255], 124, 14)], rules }));
  expect(table && cellsOf(table).slice(1)).toEqual(body);
  expect(table?.cells[1]).toMatchObject({ column: 1, columns: 2 });
});

test("joins the parts of a table whose uprights are interrupted at its rules", () => {
  const parts: readonly (readonly [number, number])[] = [
    [90, 106],
    [113, 129],
    [136, 152],
  ];
  const rules = parts.flatMap(([top, bottom]) => [
    across(bottom + 2, 50, 350),
    ...[150, 250].map((x) => down(x, top, bottom)),
  ]);
  const cells = [
    ["Port", "Crew", "Ships"],
    ["Lisbon", "12", "3"],
    ["Gdynia", "7", "2"],
  ];
  const tables = tablesIn(firstPage({ words: rows(cells, [55, 155, 255], 102, 23), rules }));
  expect(tables.map(cellsOf)).toEqual([cells]);
  expect(tables[0]?.found).toBe("rules");
});

test("has a row for each name in front of ruled numbers, though no rule separates the names", () => {
  const ys = [90, 110, 130, 150, 170, 190];
  const rules = [
    ...ys.map((y) => across(y, 150, 350)),
    across(90, 50, 150),
    across(190, 50, 150),
    ...[50, 150, 250, 350].map((x) => down(x, 90, 190)),
  ];
  const cells = [
    ["Cost", "Total", "Direct"],
    ["Salaries", "1,314,000", "940,750"],
    ["Office rent", "170,000", "150,000"],
    ["Insurance", "42,000", "12,000"],
    ["Total", "1,526,000", "1,102,750"],
  ];
  const [table] = tablesIn(firstPage({ words: rows(cells, [55, 155, 255], 104, 20), rules }));
  expect(table && cellsOf(table)).toEqual(cells);
});

test("finds a table of numbers in a font of equally wide letters, with dots in front of the numbers", () => {
  const cells = ["0.99", "0.95", "0.90", "0.85"].map((share, index) => [
    `${share} ............`,
    String(80 + index),
    String(96 + index),
    String(104 + index),
  ]);
  const words = cells.flatMap((row, index) =>
    row.flatMap((text, column) => line(text, [55, 160, 210, 255][column] ?? 0, 104 + 14 * index, { mono: true })),
  );
  const [table] = tablesIn(firstPage({ words }));
  expect(table && cellsOf(table)).toEqual(cells);
});

test("separates complete numbers that are a space apart in a font of equally wide letters", () => {
  const rules = frame([50, 150, 300], [90, 180]);
  const words = FISH.flatMap(([name = "", one = ""], index) => [
    ...line(name, 55, 104 + 14 * index, { mono: true }),
    ...line(`${one}0`.padStart(9), 160, 104 + 14 * index, { mono: true }),
    ...line("1,234.5", 214, 104 + 14 * index, { mono: true }),
  ]);
  const [table] = tablesIn(firstPage({ words, rules }));
  expect(table && cellsOf(table).map(({ length }) => length)).toEqual([3, 3, 3, 3]);
});

test("cuts titles that touch at the end of a column of numbers", () => {
  const body = FISH.map(([name = "", ...numbers]) => [name, ...numbers.map((text) => text.replace("–", "0.1"))]);
  const words = [...line("Species", 55, 104), ...line("Catches", 125, 104), ...line("Tonnes in total", 162.5, 104)];
  const lefts = body.map((numbers) => [55, 160 - 5 * (numbers[1]?.length ?? 0), 225]);
  const found = body.flatMap(([name = "", one = "", two = ""], index) =>
    rows([[name, one, two]], lefts[index] ?? [], 124 + 14 * index),
  );
  const [table] = tablesIn(
    firstPage({ words: [...words, ...found], rules: [90, 110, 180].map((y) => across(y, 50, 300)) }),
  );
  expect(table && cellsOf(table)[0]).toEqual(["Species", "Catches", "Tonnes in total"]);
});

test("keeps tables apart that rules of one width and white space separate", () => {
  const address = [
    ["Sender", "Receiver"],
    ["12 Quay St", "Anna Smith"],
    ["Lisbon", "3 Long Road"],
  ];
  const items = [
    ["Item", "Name", "Price", "Count", "Sum"],
    ["E1", "Rope", "4.00", "2", "8.00"],
    ["E2", "Anchor", "9.50", "1", "9.50"],
  ];
  const words = [...rows(address, [55, 225], 104, 14), ...rows(items, [55, 100, 200, 250, 300], 204, 14)];
  const rules = [90, 190, 240].map((y) => across(y, 50, 350));
  const tables = tablesIn(firstPage({ words, rules })).map(cellsOf);
  expect(tables).toContainEqual(items);
});
