import { expect } from "vitest";
import { type FormatId, formatOf } from "../../../functions/domain/formats/formats.ts";
import { TREE_ROWS, type TreeRow } from "../support/data/structured-rows.ts";
import { type ReadRow, tableReaders } from "../support/data/table-readers.ts";
import type { Check, Checks } from "./contract.ts";

/** Formats whose samples hold the rows of `structured-rows.ts` as a table. */
const SAMPLES: ReadonlySet<FormatId> = new Set([
  "csv",
  "tsv",
  "ndjson",
  "parquet",
  "arrow",
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
]);

/** @returns whether the sample of the format is a table, or structured data in table form */
export const isTableSample = (format: FormatId): boolean => SAMPLES.has(format);

const sameTable: Check = async ({ path, from, to, bundled, codes, engine }) => {
  const read = tableReaders[to];
  if (read === undefined || bundled || !isTableSample(from)) {
    expect(bundled || (await read?.(path))?.length, "another reader finds rows").toBeTruthy();
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

/** @returns a normalized cell: all empty values alike, numbers by value, dates by day */
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
  // HTML shows what a spreadsheet shows, and the sample's dates have only one form.
  return String(cell).replaceAll("\r\n", "\n");
};

/** Engines that write a boolean as a number with a boolean display format. */
const NUMBERED: readonly string[] = ["sqlite", "soffice"];

/** If both formats have types, a number stays a number. SQLite has no booleans. */
const checkTypes = (row: ReadRow, [from, to]: readonly [FormatId, FormatId], engine: string): void => {
  if ([from, to].every((format) => formatOf(format).keeps.includes("types")) && to !== "parquet" && to !== "arrow") {
    expect(typeof row.price).toBe("number");
    expect(typeof row.code).toBe("string");
    const numbered = from === "sqlite" || NUMBERED.includes(engine);
    expect(numbered ? ["boolean", typeof row.id] : ["boolean"]).toContain(typeof row.active);
  }
};

/** Compares results in table formats with the rows of the samples. */
export const tableChecks: Checks = {
  csv: sameTable,
  tsv: sameTable,
  json: sameTable,
  ndjson: sameTable,
  parquet: sameTable,
  arrow: sameTable,
  sqlite: sameTable,
  xlsx: sameTable,
  xls: sameTable,
  xlsb: sameTable,
  ods: sameTable,
  html: sameTable,
};
