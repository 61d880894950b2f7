import { expect, test } from "vitest";
import type { Word } from "../../../../functions/engines/pdf/pdfium/content/content.ts";
import {
  across,
  cellsOf,
  firstPage,
  line,
  lines,
  paragraphsIn,
  prose,
  tablesIn,
  textOf,
} from "../../support/documents/layout-content.ts";

/** Item lists of invoices, and what is not a table though it looks like one. */

/** @returns the words of a text that ends at `right` */
const ending = (text: string, right: number, baseline: number): Word[] => {
  const words = line(text, 0, baseline);
  const shift = right - (words.at(-1)?.right ?? 0);
  return words.map((word) => ({ ...word, left: word.left + shift, right: word.right + shift }));
};

const fill = (left: number, right: number, top: number, bottom: number) => ({
  ...{ left, right, top, bottom, color: "eeeeee" },
});

test("finds an item list with a rule below each row, narrow columns, group titles and sums across", () => {
  const item = (baseline: number, name: string, discount: string, tax: string, amount: string) => [
    ...line(name, 52, baseline),
    ...ending(discount, 400, baseline),
    ...line(tax, 404.8, baseline),
    ...ending(amount, 548, baseline),
  ];
  const words = [
    ...item(114, "Description", "Disc.%", "Taxes", "Amount"),
    ...line("--- Lamps ---", 52, 134),
    ...item(154, "Lantern of brass", "0.00", "15.00%", "42.00"),
    ...line("with a glass", 52, 166),
    ...item(186, "Wick", "10.00", "15.00%", "70.00"),
    ...ending("Subtotal of all lamps 112.00", 548, 206),
    ...line("--- Ropes ---", 52, 226),
    ...item(246, "Rope", "0.00", "15.00%", "1.00"),
    ...ending("Subtotal of all ropes 1.00", 548, 266),
    ...line("Thank you for your order", 52, 330),
  ];
  const rules = [100, 120, 140, 172, 192, 212, 232, 252, 490].map((y) => across(y, 50, 550));
  const fills = [fill(50, 550, 120, 140), fill(50, 550, 212, 232)];
  const [table, ...others] = tablesIn(firstPage({ words, rules, fills }));
  expect(others).toEqual([]);
  expect(table && cellsOf(table)).toEqual([
    ["Description", "Disc.%", "Taxes", "Amount"],
    ["--- Lamps ---"],
    ["Lantern of brass with a glass", "0.00", "15.00%", "42.00"],
    ["Wick", "10.00", "15.00%", "70.00"],
    ["Subtotal of all lamps 112.00"],
    ["--- Ropes ---"],
    ["Rope", "0.00", "15.00%", "1.00"],
    ["Subtotal of all ropes 1.00"],
  ]);
});

test("reads rows below the rules of a header, with all lines of their descriptions, into the table of the header", () => {
  const item = (index: number) => [
    ...ending(`${index}`, 80, 160 + index * 57),
    ...lines([`Hosting plan ${index}`, "Monthly fee", "From May to June"], 120, 160 + index * 57, 18),
    ...ending("3.89", 540, 160 + index * 57),
  ];
  const words = [
    ...line("Invoice number", 50, 80),
    ...line("4711", 200, 80),
    ...line("Date", 50, 92),
    ...line("May 7", 200, 92),
    ...ending("Pos.", 80, 134),
    ...line("Description", 120, 134),
    ...ending("Discount", 440, 134),
    ...ending("Price", 540, 134),
    ...ending("per unit", 540, 144),
    ...[0, 1, 2].flatMap(item),
  ];
  const rules = [120, 148].map((y) => across(y, 50, 545));
  const tables = tablesIn(firstPage({ words, rules }));
  const table = tables.at(-1);
  expect(table && cellsOf(table)).toEqual([
    ["Pos.", "Description", "Discount", "Price per unit"],
    ...[0, 1, 2].map((index) => [`${index}`, `Hosting plan ${index} Monthly fee From May to June`, "", "3.89"]),
  ]);
  expect(table?.cells[0]?.borders).toMatchObject({ top: { width: 1 }, bottom: { width: 1 } });
});

test("separates titles that touch at the end of a column, and keeps the second line of a first cell", () => {
  const item = (baseline: number, name: string, tax: string, price: string) => [
    ...line(name, 50, baseline),
    ...ending(tax, 400, baseline),
    ...ending(price, 500, baseline),
  ];
  const words = [
    ...item(104, "Article", "VAT", ""),
    ...line("Price with VAT", 402.5, 104),
    ...item(124, "Tablet", "21%", "399.00"),
    ...line("Serial number 4711", 60, 135),
    ...item(152, "Cover", "21%", "69.99"),
    ...item(172, "Adapter", "21%", "14.99"),
    ...item(192, "Game", "9%", "44.99"),
  ].filter(({ text }) => text !== "");
  const [table] = tablesIn(firstPage({ words, rules: [across(109, 50, 500)] }));
  expect(table && cellsOf(table)).toEqual([
    ["Article", "VAT", "Price with VAT"],
    ["Tablet Serial number 4711", "21%", "399.00"],
    ["Cover", "21%", "69.99"],
    ["Adapter", "21%", "14.99"],
    ["Game", "9%", "44.99"],
  ]);
});

test("takes the columns of a header of filled cells for the rows below it", () => {
  const places = [50, 130, 330, 430, 550];
  const words = [
    ...["Number", "Name", "Count", "Price"].flatMap((text, column) => line(text, (places[column] ?? 0) + 2, 113)),
    ...line("Order 4711 of October 27 2015", 52, 135),
    ...line("4718755045813", 60, 150),
    ...line("Monitor", 132, 150),
    ...line("1", 332, 150),
    ...line("156.20", 432, 150),
    ...line("Sum", 332, 172),
    ...line("156.20", 432, 172),
  ];
  const header = places.slice(1).map((right, index) => fill(places[index] ?? 0, right, 100, 120));
  const sum = [fill(50, 330, 160, 180), fill(330, 430, 160, 180), fill(430, 550, 160, 180)];
  const rules = [100, 120, 180].map((y) => across(y, 50, 550));
  const [table] = tablesIn(firstPage({ words, rules, fills: [...header, ...sum] }));
  expect(table && cellsOf(table)).toEqual([
    ["Number", "Name", "Count", "Price"],
    ["Order 4711 of October 27 2015"],
    ["4718755045813", "Monitor", "1", "156.20"],
    ["", "", "Sum", "156.20"],
  ]);
});

test("finds no table in white rules, the frame of a figure, columns of code, or a list of abbreviations", () => {
  const white = [90, 250].map((y) => ({ ...across(y, 50, 550), color: "ffffff" }));
  const sides = [50, 300, 550].map((x) => ({ ...across(x, 90, 250), across: false, color: "ffffff" }));
  const columns = [...lines(prose(10, 220), 55, 110), ...lines(prose(10, 220), 305, 110)];
  expect(tablesIn(firstPage({ words: columns, rules: [...white, ...sides] }))).toEqual([]);

  const frame = [100, 250].map((y) => across(y, 50, 350));
  const labels = [fill(60, 190, 170, 185), fill(210, 340, 170, 185), fill(60, 190, 230, 245), fill(210, 340, 230, 245)];
  const texts = [180, 240].flatMap((y) => [...line("Round nut", 70, y), ...line("Square nut", 220, y)]);
  const pictures = [
    [60, 105],
    [210, 105],
    [60, 190],
    [210, 190],
  ].map(([left = 0, top = 0]) => ({
    ...{ left, top, right: left + 130, bottom: top + 35 },
  }));
  const pictured = firstPage({ words: texts, rules: frame, fills: labels, pictures } as never);
  expect(tablesIn(pictured)).toEqual([]);

  const code = (left: number) =>
    lines(["field one", "trans=1,A", "page 1", "field two", "trans=2,A"], left, 120, 12, { mono: true });
  const headed = [...line("Data file", 50, 104), ...line("Index file", 250, 104), ...code(50), ...code(250)];
  expect(tablesIn(firstPage({ words: headed }))).toEqual([]);

  const short = (index: number) => [
    ...line(`AB${index}`, 50, 100 + index * 24),
    ...line("The name of a source", 120, 100 + index * 24),
  ];
  const rest = (index: number) => line("referred to in a book about the retail trade of", 50, 112 + index * 24);
  expect(tablesIn(firstPage({ words: [0, 1, 2, 3].flatMap((index) => [...short(index), ...rest(index)]) }))).toEqual(
    [],
  );
});

test("keeps the white lines between filled rows as separators, also where a background inside a cell ends above", () => {
  const sides = [50, 150, 250, 350];
  const cells = [
    [100, 150],
    [153, 180],
    [183, 210],
  ].flatMap(([top = 0, bottom = 0]) =>
    sides.slice(1).map((right, index) => fill((sides[index] ?? 0) + 1, right - 1, top, bottom)),
  );
  const words = [
    ...lines(["Launch:", "May 21"], 160, 110),
    ...lines(["1 year:", "May 21"], 260, 110),
    ...line("Total", 60, 170),
    ...line("47", 160, 170),
    ...line("272", 260, 170),
    ...line("Downloads", 60, 200),
    ...line("0", 160, 200),
    ...line("652", 260, 200),
  ];
  const [table] = tablesIn(firstPage({ words, fills: [...cells, fill(60, 140, 112, 136)] }));
  const texts = table && cellsOf(table).map((row) => row.filter((text) => text !== ""));
  expect(texts?.filter(({ length }) => length > 0)).toEqual([
    ["Launch: May 21", "1 year: May 21"],
    ["Total", "47", "272"],
    ["Downloads", "0", "652"],
  ]);
});

test("keeps boxes to tick in the text, each with a paragraph", () => {
  const items = ["☒ Screening of the report", "☐ Plan for the next year that is longer", "☐ Other"];
  const found = paragraphsIn(firstPage({ words: lines(items, 50, 100) }));
  expect(found.map(textOf)).toEqual(items);
  expect(found.map(({ list }) => list)).toEqual([undefined, undefined, undefined]);
});

test("takes no list of boxes to tick for a table", () => {
  const items = ["Screening of the report", "Plan for the year", "Placement", "Other services", "Management"];
  const words = items.flatMap((text, index) => [
    ...line("☐", 50, 100 + 12 * index),
    ...line(text, 80, 100 + 12 * index),
  ]);
  const page = firstPage({ words });
  expect(tablesIn(page)).toEqual([]);
  expect(paragraphsIn(page)).toHaveLength(5);
});

test("continues no text with a box to tick in the next column", () => {
  const column = (left: number) => prose(12, 200).flatMap((text, index) => line(`☐ ${text}`, left, 100 + 12 * index));
  const found = paragraphsIn(firstPage({ words: [...column(50), ...column(330)] }));
  expect(found).toHaveLength(24);
  expect(found.filter(({ open }) => open)).toEqual([]);
});
