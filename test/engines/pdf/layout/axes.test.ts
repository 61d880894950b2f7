import { expect, test } from "vitest";
import { across, cellsOf, down, firstPage, line, rows, tablesIn } from "../../support/documents/layout-content.ts";

/** The values of the axes of charts are no tables. */

test("takes the values of two axes for labels, not for a table", () => {
  const values = ["54,000", "53,000", "52,000", "51,000"].map((text, index) => [text, (0.5 - 0.02 * index).toFixed(2)]);
  expect(tablesIn(firstPage({ words: rows(values, [55, 255], 104, 20) }))).toEqual([]);
});

test("keeps a table of numbers in equal steps that count up", () => {
  const values = ["1", "2", "3", "4"].map((text, index) => [text, `${100 + index}`]);
  expect(tablesIn(firstPage({ words: rows(values, [55, 255], 104, 20) })).map(cellsOf)).toEqual([values]);
});

test("takes a grid above the values of an axis for a chart", () => {
  const xs = [50, 110, 170, 230, 290, 350];
  const rules = [...xs.map((x) => down(x, 90, 190)), ...[90, 130, 170, 190].map((y) => across(y, 50, 350))];
  const bars = [
    ...[...line("Cars", 55, 114), ...line("42%", 300, 114)],
    ...[...line("Bikes", 55, 154), ...line("15%", 140, 154)],
  ];
  const axis = ["0%", "10%", "20%", "30%", "40%"].flatMap((text, index) => line(text, 55 + 60 * index, 184));
  expect(tablesIn(firstPage({ words: [...bars, ...axis], rules }))).toEqual([]);
});
