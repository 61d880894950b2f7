import { describe, expect, test } from "vitest";
import { printedColumn } from "../../../functions/engines/data/tables/printed-columns.ts";
import {
  type DecimalMark,
  decimalMarkOf,
  printedNumber,
} from "../../../functions/engines/data/tables/printed-numbers.ts";

/** Numbers and dates as printed in a table, and their number formats. */

describe("a printed number", () => {
  test.each<[text: string, value: number, format: string | undefined]>([
    ["0", 0, undefined],
    ["2023", 2023, undefined],
    ["3,665", 3665, "#,##0"],
    ["37,499.96", 37499.96, "#,##0.00"],
    ["12,34,567", 1234567, "#,##0"],
    ["1'234.50", 1234.5, "#,##0.00"],
    ["0.10", 0.1, "0.00"],
    [".5", 0.5, "0.0"],
    ["-12.5", -12.5, "0.0"],
    ["\u221212.5", -12.5, "0.0"],
    ["\u20140.8276", -0.8276, "0.0000"],
    ["△1,525", -1525, "#,##0"],
    ["5.39E-05", 0.0000539, "0.00E+00"],
    ["(1,234)", -1234, "#,##0_);\\(#,##0\\)"],
    ["1,234-", -1234, "#,##0;#,##0\\-"],
    ["5 %", 0.05, "0\\ %"],
    ["3.2%", 0.032, "0.0%"],
    ["+3.2%", 0.032, "+0.0%;\\-0.0%"],
    ["$5,678.90", 5678.9, '"$"#,##0.00'],
    ["-$5", -5, '"$"0'],
    ["($5.10)", -5.1, '"$"0.00_);\\("$"0.00\\)'],
    ["US$ 3", 3, '"US$"\\ 0'],
    ["1,234.50 €", 1234.5, '#,##0.00\\ "€"'],
    ["EUR 1,200.00", 1200, '"EUR"\\ #,##0.00'],
    ["Rs. 1,939", 1939, '"Rs."\\ #,##0'],
  ])("%s is %d with the format %s", (text, value, format) => {
    expect(printedNumber(text, ".")).toMatchObject({ value });
    expect(printedNumber(text, ".")?.format).toBe(format);
  });

  test.each<[text: string, value: number, format: string]>([
    ["1.234,56", 1234.56, "#,##0.00"],
    ["1.234", 1234, "#,##0"],
    ["12,5 %", 0.125, "0.0\\ %"],
    ["1 234 567", 1234567, "#,##0"],
    ["1\u00a0234,50 €", 1234.5, '#,##0.00\\ "€"'],
  ])("%s is %d in a document with decimal commas", (text, value, format) => {
    expect(printedNumber(text, ",")).toMatchObject({ value, format });
  });

  test.each([
    "",
    "-",
    ".",
    "007",
    "12345678901234567890",
    "1,23,4",
    "1,5",
    "(030) 123-456",
    "555-1234",
    "+49 30 1234567",
    "+5",
    "--5",
    "3/4",
    "1.2e5",
    "1.2.3",
    "5 kg",
    "$",
    "(5",
    "N/A",
  ])("%s is none", (text) => {
    expect(printedNumber(text, ".")).toBeUndefined();
  });

  test.each<[readonly string[], DecimalMark]>([
    [["1.234,56", "1,234"], ","],
    [["12,5", "3,25 %", "1.5"], ","],
    [["1,234"], "."],
    [["1.234"], "."],
    [["13.04.2026", "7"], "."],
  ])("among %j has the decimal mark %s", (texts, mark) => {
    expect(decimalMarkOf(texts)).toBe(mark);
  });
});

/** @returns the texts of a column, with numbers and days since 1900 for values */
const valuesOf = (texts: readonly string[]) =>
  printedColumn(texts, ".").map((value, index) => value?.value ?? texts[index]);

const APRIL_3 = 45_385;

describe("a printed column", () => {
  test.each<[why: string, texts: readonly string[], values: readonly (number | string)[]]>([
    ["dates in ISO 8601", ["2024-04-03", "2024/4/3", "2024-04-03 12:00"], [APRIL_3, APRIL_3, APRIL_3 + 0.5]],
    [
      "names of months",
      ["3 April 2024", "3-Apr-24", "April 3, 2024", "3. April 2024", "3 avr. 2024", "April 3 , 2024"],
      Array(6).fill(APRIL_3),
    ],
    [
      "typographic hyphens",
      ["3\u2010Apr\u201024", "3\u2013April\u20132024", "2024\u201104\u201103"],
      Array(3).fill(APRIL_3),
    ],
    ["numbers grouped by spaces among small ones", ["426", "3 001", "12 345"], [426, 3001, 12_345]],
    ["spaces that may separate numbers", ["12 345", "3 001"], ["12 345", "3 001"]],
    ["spaces that may separate numbers, among large numbers", ["1234", "3 001", "1,000"], [1234, "3 001", 1000]],
    ["days before months with points", ["03.04.2024", "3.4.24"], [APRIL_3, APRIL_3]],
    ["the day first, as another cell says", ["03/04/2024", "13/04/2024"], [APRIL_3, APRIL_3 + 10]],
    ["the month first, as another cell says", ["04/03/2024", "04/13/2024"], [APRIL_3, APRIL_3 + 10]],
    ["ambiguous dates", ["03/04/2024", "05/06/2024"], ["03/04/2024", "05/06/2024"]],
    [
      "contradicting dates, except those that are clear",
      ["13/04/2024", "04/13/2024", "03/04/2024"],
      [APRIL_3 + 10, APRIL_3 + 10, "03/04/2024"],
    ],
    [
      "days that do not exist, and days before spreadsheets",
      ["2024-02-30", "1850-01-01", "31.04.2024"],
      ["2024-02-30", "1850-01-01", "31.04.2024"],
    ],
    ["words like months", ["5 Foo 2020", "3 Maybe 2020"], ["5 Foo 2020", "3 Maybe 2020"]],
    ["identifiers with leading zeros", ["007", "12", "1,000"], ["007", "12", 1000]],
    ["long identifiers", ["4006381333931", "12345678901"], ["4006381333931", 12345678901]],
    ["references", ["(5)", "(6)"], ["(5)", "(6)"]],
    ["negative numbers among others", ["(5)", "7"], [-5, 7]],
  ])("has %s", (_, texts, values) => {
    expect(valuesOf(texts)).toEqual(values);
  });

  test("has dates in the order of the other dates of the document, if it does not tell", () => {
    expect(printedColumn(["03/04/2024"], ".", "day").map((value) => value?.value)).toEqual([APRIL_3]);
    expect(printedColumn(["04/13/2024"], ".", "day").map((value) => value?.value)).toEqual([APRIL_3 + 10]);
  });

  test("keeps the look of dates in their formats", () => {
    const texts = ["2024-04-03", "03.04.2024", "3 April 2024", "Apr 3, 2024"];
    expect(printedColumn(texts, ".").map((value) => value?.format)).toEqual([
      "yyyy\\-mm\\-dd",
      "dd\\.mm\\.yyyy",
      "d\\ mmmm\\ yyyy",
      "mmm\\ d\\,\\ yyyy",
    ]);
  });
});
