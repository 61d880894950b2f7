import { expect, test } from "vitest";
import { dictionaryOption } from "../../../functions/engines/data/duckdb/dictionary.ts";

const table = (...distinct: readonly number[]): string[][] =>
  Array.from({ length: 1_000 }, (_, row) => distinct.map((count) => String(row % count)));

test.each([
  ["unique values", table(1_000)],
  ["few values", table(3, 97)],
  ["both", table(1_000, 1, 400)],
] as const)("a table of %s gets a low limit for its dictionaries", (_, rows) => {
  expect(dictionaryOption(rows)).toBe(", DICTIONARY_SIZE_LIMIT 5000");
});

test("a column of many repeated values keeps the default, which makes it smaller", () => {
  expect(dictionaryOption(table(1_000, 700))).toBe("");
  expect(dictionaryOption(table(401))).toBe("");
});
