import { expect, test } from "vitest";
import {
  across,
  blocksIn,
  cellsOf,
  down,
  firstPage,
  layout,
  line,
  lines,
  paragraphsIn,
  prose,
  rows,
  tablesIn,
} from "../../support/documents/layout-content.ts";

/** Tables from rules, backgrounds and alignment. */

const gridOf = (xs: readonly number[], ys: readonly number[]) => [
  ...ys.map((y) => across(y, xs[0] ?? 0, xs.at(-1) ?? 0)),
  ...xs.map((x) => down(x, ys[0] ?? 0, ys.at(-1) ?? 0)),
];

const CELLS = [
  ["Port", "Crew", "Ships"],
  ["Lisbon", "12", "3"],
  ["Gdynia", "7", "2"],
];

test("finds the cells of a grid, their borders and backgrounds", () => {
  const rules = gridOf([50, 150, 250, 350], [90, 110, 130, 150]);
  const fills = [{ left: 50, top: 90, right: 350, bottom: 110, color: "dddddd" }];
  const [table] = tablesIn(firstPage({ words: rows(CELLS, [55, 155, 255], 104, 20), rules, fills }));
  expect(table && cellsOf(table)).toEqual(CELLS);
  expect(table).toMatchObject({ found: "rules", headerRows: 1, xs: [50, 150, 250, 350], ys: [90, 110, 130, 150] });
  expect(table?.cells.map(({ fill }) => fill)).toEqual([...Array(3).fill("dddddd"), ...Array(6).fill(undefined)]);
  expect(table?.cells[4]?.borders.left).toEqual({ width: 1, color: "000000" });
});

test("takes names of several lines, with values in their middle, for cells rather than for a column", () => {
  const names = [
    "Median income of a household in",
    "Premature mortality in years of",
    "Limitation of activities by the",
  ];
  const words = [
    ...rows([["Measure", "1997", "1998", "1999"]], [50, 250, 320, 390], 84),
    ...names.flatMap((name, index) => [
      ...lines([name, "all states, and its inequality"], 50, 100 + 30 * index, 11),
      ...rows([["0.45", "0.46", "0.47"]], [250, 320, 390], 105.5 + 30 * index),
    ]),
  ];
  const [table] = tablesIn(firstPage({ words }));
  expect(table && cellsOf(table)).toEqual([
    ["Measure", "1997", "1998", "1999"],
    ...names.map((name) => [`${name} all states, and its inequality`, "0.45", "0.46", "0.47"]),
  ]);
});

test("joins cells without a line between them, unless the text of most rows keeps apart", () => {
  const rules = [
    ...[90, 110, 130, 150].map((y) => across(y, 50, 350)),
    down(50, 90, 150),
    down(350, 90, 150),
    down(150, 110, 150),
    down(250, 110, 150),
  ];
  const words = [
    ...line("A heading that is as wide as this table", 60, 104),
    ...rows(CELLS.slice(1), [55, 155, 255], 124, 20),
  ];
  const [table] = tablesIn(firstPage({ words, rules }));
  expect(table?.cells[0]).toMatchObject({ row: 0, column: 0, rows: 1, columns: 3 });
  const header = gridOf([50, 150, 250, 350], [90, 110]);
  const sides = [across(130, 50, 350), across(150, 50, 350), down(50, 90, 150), down(350, 90, 150)];
  const [held] = tablesIn(firstPage({ words: rows(CELLS, [55, 155, 255], 104, 20), rules: [...header, ...sides] }));
  expect(held && cellsOf(held)).toEqual(CELLS);
});

test("cuts the cells of a grid into rows where they hold a row of numbers for each line", () => {
  const body = Array.from({ length: 8 }, (_, index) => [`Port ${index}`, `${index}0`, `${index}1`]);
  const rules = gridOf([50, 150, 250, 350], [90, 110, 210]);
  const [table] = tablesIn(firstPage({ words: rows([CELLS[0] ?? [], ...body], [55, 155, 255], 104, 12), rules }));
  expect(table && cellsOf(table).slice(1)).toEqual(body);
});

test("cuts a cell of a grid into two rows of numbers, with a cell centered at their side over both", () => {
  const rules = gridOf([50, 150, 250, 350, 450, 550], [90, 110, 150, 190]);
  const body = [
    ["", "old", "0.965", "0.934", "2.73"],
    ["", "new", "0.969", "0.927", "5.39"],
  ];
  const words = [
    ...rows([["Size", "Method", "All", "Some", "Time"]], [55, 155, 255, 355, 455], 104),
    ...[126, 166].flatMap((top) => [...rows(body, [55, 155, 255, 355, 455], top), ...line(`${top}`, 55, top + 8)]),
  ];
  const [table] = tablesIn(firstPage({ words, rules }));
  expect(table && cellsOf(table)).toEqual([
    ["Size", "Method", "All", "Some", "Time"],
    ["126", ...(body[0] ?? []).slice(1)],
    (body[1] ?? []).slice(1),
    ["166", ...(body[0] ?? []).slice(1)],
    (body[1] ?? []).slice(1),
  ]);
});

test("finds the columns of a table that has horizontal rules only, with cells of several lines", () => {
  const words = [
    ...rows([["Port", "Remark", "Ships"]], [50, 150, 350], 104),
    ...rows(
      [
        ["Lisbon", "open in winter", "3"],
        ["", "and in summer", ""],
      ],
      [50, 150, 350],
      124,
      11,
    ),
    ...rows([["Gdynia", "closed", "2"]], [50, 150, 350], 155),
  ];
  const [table] = tablesIn(firstPage({ words, rules: [90, 110, 142, 165].map((y) => across(y, 50, 400)) }));
  expect(table && cellsOf(table)).toEqual([
    ["Port", "Remark", "Ships"],
    ["Lisbon", "open in winter and in summer", "3"],
    ["Gdynia", "closed", "2"],
  ]);
});

test("finds the rows of a striped table without rules", () => {
  const body = Array.from({ length: 6 }, (_, index) => [`Port ${index}`, "open", `${index}`]);
  const fills = [0, 2, 4].map((index) => ({
    left: 45,
    top: 92 + index * 16,
    right: 400,
    bottom: 108 + index * 16,
    color: "eeeeee",
  }));
  const [table] = tablesIn(firstPage({ words: rows(body, [50, 150, 350], 104), fills }));
  expect(table && cellsOf(table)).toEqual(body);
  expect(table?.cells.filter(({ column }) => column === 0).map(({ fill }) => fill)).toEqual([
    "eeeeee",
    undefined,
    "eeeeee",
    undefined,
    "eeeeee",
    undefined,
  ]);
});

test("divides the cells of a table whose rules separate only some of its columns", () => {
  const body = Array.from({ length: 8 }, (_, index) => [`Port ${index}`, `${index}.5`, `${index * 30}`, `${index}`]);
  const table = [["Name", "Depth", "Length", "Ships"], ...body];
  const rules = [across(88, 50, 450), across(108, 50, 450), across(234, 50, 450), down(140, 88, 234)];
  const found = firstPage({ words: rows(table, [50, 160, 270, 380], 100), rules });
  expect(tablesIn(found).map(cellsOf)).toEqual([table]);
});

test("finds a long table without rules, also with white space between groups of rows", () => {
  const body = Array.from({ length: 36 }, (_, index) => [`Station ${index}`, `${index}.5`, `${index * 3}`]);
  const words = body.flatMap((row, index) => rows([row], [50, 250, 350], 100 + index * 12 + Math.floor(index / 6) * 8));
  const found = firstPage({ words });
  expect(tablesIn(found).map(cellsOf)).toEqual([body]);
  expect(tablesIn(found)[0]).toMatchObject({ found: "alignment" });
});

test("marks a table that continues on the next page", () => {
  const part = (start: number) =>
    rows(
      Array.from({ length: 12 }, (_, index) => [`Row ${start + index}`, `${start * index}`]),
      [50, 250],
      100,
    );
  const [first, second] = layout({ words: part(1) }, { words: part(13) }).pages;
  expect([first, second].map((page) => page && tablesIn(page).map(({ open }) => open))).toEqual([[true], [false]]);
  expect(first && tablesIn(first)[0]?.headedOnce).toBe(true);
});

test("detects whether a table that continues repeats its header", () => {
  const head = (top: number) => line("Harbor", 50, top, { bold: true }).concat(line("Ships", 250, top, { bold: true }));
  const part = (start: number) => [
    ...head(100),
    ...rows(
      Array.from({ length: 12 }, (_, index) => [`Row ${start + index}`, `${start * index}`]),
      [50, 250],
      116,
    ),
  ];
  const [first] = layout({ words: part(1) }, { words: part(13) }).pages;
  expect(first && tablesIn(first)).toMatchObject([{ open: true, headerRows: 1, headedOnce: false }]);
});

test("takes neither a frame around prose, nor a line of labels, nor the lines of a chart for a table", () => {
  const texts = [...lines(prose(40, 200), 60, 110), ...lines(prose(40, 200), 320, 110)];
  const frame = gridOf([50, 300, 550], [95, 600]);
  expect(tablesIn(firstPage({ words: texts, rules: frame }))).toEqual([]);
  expect(
    tablesIn(
      firstPage({
        words: rows(
          [
            ["Name:", "Ana"],
            ["Port:", "Porto"],
          ],
          [50, 150],
          100,
        ),
      }),
    ),
  ).toEqual([]);
  const chart = gridOf([100, 200, 300, 400], [100, 150, 200, 250, 300]);
  const labels = [...line("Ships", 210, 175), ...line("Crew", 310, 225)];
  expect(tablesIn(firstPage({ words: labels, rules: chart }))).toEqual([]);
});

test("gives a paragraph in a box its background and border", () => {
  const rules = gridOf([50, 400], [90, 140]);
  const fills = [{ left: 50, top: 90, right: 400, bottom: 140, color: "ffeecc" }];
  const words = [...lines(["Inside of the box"], 60, 110), ...lines(["Below the box"], 50, 180)];
  const found = firstPage({ words, rules, fills });
  expect(blocksIn(found)).toMatchObject([
    { kind: "paragraph", fill: "ffeecc", borders: { top: { width: 1 } } },
    { kind: "paragraph", fill: undefined },
  ]);
  expect(paragraphsIn(found)).toHaveLength(2);
});

test("takes formulas with fraction lines for text, not for a table", () => {
  const words = [
    ...[...line("Indirect rate", 50, 100), ...line("870,038", 220, 100)],
    ...[...line("1,839,050", 210, 113), ...line("47.31%", 300, 113)],
    ...[...line("Benefit rate", 50, 140), ...line("352,000", 220, 140), ...line("26.79%", 300, 140)],
    ...line("1,314,000", 210, 153),
  ];
  expect(tablesIn(firstPage({ words, rules: [across(103, 205, 275), across(143, 205, 275)] }))).toEqual([]);
  // A line above each sum is that of a table.
  expect(tablesIn(firstPage({ words, rules: [across(143, 205, 275)] }))).toHaveLength(1);
});
