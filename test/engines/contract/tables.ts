import { expect } from "vitest";
import { type FormatId, formatOf } from "../../../functions/domain/formats.ts";
import { type ReadRow, tableReaders } from "../support/table-readers.ts";
import { TREE_ROWS, type TreeRow } from "../support/tree-rows.ts";
import type { Check, Checks } from "./contract.ts";

/** The formats whose samples hold the rows of `tree-rows.ts` as a table. */
const SAMPLES: ReadonlySet<FormatId> = new Set([
  "csv",
  "tsv",
  "ndjson",
  "parquet",
  "dbf",
  "xlsx",
  "xls",
  "xlsb",
  "ods",
  "fods",
  "numbers",
  "sqlite",
  "json",
  "json5",
  "yaml",
  "toml",
  "plist",
  "msgpack",
  "cbor",
  "bson",
  "avro",
]);

/** @returns whether the sample of the format is a table, or a tree that is one */
export const isTableSample = (format: FormatId): boolean => SAMPLES.has(format);

const sameTable: Check = async ({ path, from, to, bundled, codes, engine }) => {
  const read = tableReaders[to];
  if (read === undefined || bundled || !isTableSample(from)) {
    expect(bundled || (await read?.(path))?.length, "another reader finds something in it").toBeTruthy();
    return;
  }
  expect(codes.filter((code) => code !== "comments_dropped")).toEqual([]);
  const rows = await read(path);
  expect(rows).toHaveLength(TREE_ROWS.length);
  for (const [index, expected] of TREE_ROWS.entries()) {
    for (const name of Object.keys(expected)) {
      const [found, meant] = [rows[index]?.[name], expected[name] ?? null];
      expect(textOf(found, meant), `${name} of row ${index}`).toBe(textOf(meant, meant));
    }
    checkTypes(rows[index] ?? {}, [from, to], engine);
  }
};

/** @returns a cell by its meaning: all signs of nothing alike, numbers by their value, dates by their day */
const textOf = (cell: unknown, meant: TreeRow[string]): string => {
  if (cell === null || cell === undefined) {
    return "";
  }
  if (cell instanceof Date) {
    return cell.toISOString().slice(0, 10);
  }
  if (typeof meant === "boolean") {
    return String(["true", "1"].includes(String(cell).toLowerCase()));
  }
  if (typeof meant === "number") {
    return String(Number(cell));
  }
  // HTML shows what a spreadsheet shows, and the sample's dates have no other form.
  return String(cell).replaceAll("\r\n", "\n");
};

/** Engines that write a boolean as a number that is shown as one. */
const NUMBERED: readonly string[] = ["sqlite", "soffice"];

/** Where both formats have types, a number is one. SQLite has no booleans. */
const checkTypes = (row: ReadRow, [from, to]: readonly [FormatId, FormatId], engine: string): void => {
  if ([from, to].every((format) => formatOf(format).carries.includes("types")) && to !== "parquet") {
    expect(typeof row.price).toBe("number");
    expect(typeof row.code).toBe("string");
    const numbered = from === "sqlite" || NUMBERED.includes(engine);
    expect(numbered ? ["boolean", typeof row.id] : ["boolean"]).toContain(typeof row.active);
  }
};

/** What holds results in formats of tables to the rows of the samples. */
export const tableChecks: Checks = {
  csv: sameTable,
  tsv: sameTable,
  json: sameTable,
  ndjson: sameTable,
  parquet: sameTable,
  sqlite: sameTable,
  xlsx: sameTable,
  xls: sameTable,
  xlsb: sameTable,
  ods: sameTable,
  html: sameTable,
};
