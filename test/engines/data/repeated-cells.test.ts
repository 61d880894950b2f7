import { expect, test } from "vitest";
import { REPEATED_CELLS_MAX } from "../../../functions/domain/conversions/conversion-limits.ts";
import { checkRepeatedCells } from "../../../functions/engines/data/tables/repeated-cells.ts";

const row = (cells: string, times = 1): string =>
  `<table:table-row table:number-rows-repeated="${times}">${cells}</table:table-row>`;
const cell = (times: number): string =>
  `<table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="${times}"><text:p>1</text:p></table:table-cell>`;

test("counts each repetition of cells and rows", () => {
  expect(() => checkRepeatedCells(row(cell(100), REPEATED_CELLS_MAX / 100))).not.toThrow();
  expect(() => checkRepeatedCells(row(cell(100), REPEATED_CELLS_MAX / 100 + 1))).toThrow("repeats cells");
  expect(() => checkRepeatedCells(row(cell(10_000)).repeat(501))).toThrow("repeats cells");
});

test("counts a cell with a value but no text, and ignores empty cells", () => {
  const valued = '<table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="16384"/>';
  const empty = '<table:table-cell table:style-name="a" table:number-columns-repeated="16384"/>';
  expect(() => checkRepeatedCells(row(valued, 1_048_576))).toThrow("repeats cells");
  expect(() => checkRepeatedCells(row(empty, 1_048_576).repeat(100))).not.toThrow();
});

test("accepts a large table without repeated cells, and handles any prefix", () => {
  expect(() => checkRepeatedCells(row(cell(1)).repeat(1_000))).not.toThrow();
  expect(() => checkRepeatedCells(row(cell(16_384), 1_048_576).replaceAll("table:", "t:"))).toThrow("repeats cells");
});
