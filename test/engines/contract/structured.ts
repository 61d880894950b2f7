import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { type FormatId, formatOf } from "../../../functions/domain/formats/formats.ts";
import { treeReaders } from "../support/data/structured-readers.ts";
import { TREE_ROWS, type TreeRow } from "../support/data/structured-rows.ts";
import type { Check, Checks } from "./contract.ts";

/** The formats whose samples hold the rows of `structured-rows.ts`. */
const SAMPLES: ReadonlySet<FormatId> = new Set([
  "json",
  "json5",
  "yaml",
  "toml",
  "xml",
  "plist",
  "msgpack",
  "cbor",
  "bson",
  "ini",
  "properties",
]);

/** Readers that return big integers as doubles, whose last digits are then ignored. */
const ROUNDING: ReadonlySet<FormatId> = new Set(["json5", "plist"]);

/** @returns whether the sample of the format is structured data */
export const isTreeSample = (format: FormatId): boolean => SAMPLES.has(format);

const sameTree: Check = ({ path, from, to, bundled }) => {
  const value = treeReaders[to]?.(readFileSync(path));
  if (bundled || !isTreeSample(from)) {
    expect(value, "another reader finds rows").toBeTruthy();
    return;
  }
  const rows = rowsOf(value);
  expect(rows).toHaveLength(TREE_ROWS.length);
  for (const [index, row] of TREE_ROWS.entries()) {
    for (const [key, expected] of Object.entries(row)) {
      expect(cellOf(rows[index]?.[key], to), `${key} of row ${index}`).toEqual(cellOf(meant(expected, from, to), to));
    }
  }
};

/**
 * @returns a cell as both source and target can represent it: text if a format has no types, absent if it has no null
 */
const meant = (expected: TreeRow[string], from: FormatId, to: FormatId): unknown => {
  const typed = [from, to].every((format) => formatOf(format).keeps.includes("types"));
  return expected === null || typed ? expected : String(expected);
};

/** @returns a cell in comparable form: all empty values alike, integers by their digits */
const cellOf = (cell: unknown, to: FormatId): unknown => {
  if (cell === null || cell === undefined || isNil(cell)) {
    return undefined;
  }
  if (ROUNDING.has(to) && typeof cell !== "string" && typeof cell !== "boolean") {
    return Number(cell);
  }
  return typeof cell === "bigint" || Number.isSafeInteger(cell)
    ? BigInt(Number.isSafeInteger(cell) ? Number(cell) : String(cell))
    : cell;
};

const isNil = (cell: unknown): boolean => typeof cell === "object" && cell !== null && "@xsi:nil" in cell;

/** @returns the rows at any depth where the format puts them: in an object `items`, in sections `item.0`, `item.1` */
const rowsOf = (value: unknown): Readonly<Record<string, unknown>>[] => {
  if (Array.isArray(value)) {
    return value.length === 1 ? rowsOf(value[0]) : value;
  }
  if (!isObject(value)) {
    return [];
  }
  const members = Object.entries(value).filter(([key]) => !/^[@?#]/.test(key));
  const flat = members.map(([key]) => /^(?:.*[./])?(\d+)\.([^.]+)$/.exec(key));
  if (flat.length > 0 && flat.every((found) => found !== null)) {
    return unflattened(members);
  }
  const objects = members.map(([, member]) => member).filter(hasMembers);
  return objects.length === 1 ? rowsOf(objects[0]) : objects.filter(isObject);
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const hasMembers = (value: unknown): boolean => isObject(value) && Object.keys(value).length > 0;

/** @returns the rows from keys such as `item.0.name` */
const unflattened = (members: readonly (readonly [string, unknown])[]): Record<string, unknown>[] => {
  const rows: Record<string, unknown>[] = [];
  for (const [key, value] of members) {
    const [, index = "0", name = ""] = /(\d+)\.([^.]+)$/.exec(key) ?? [];
    rows[Number(index)] = { ...rows[Number(index)], [name]: value };
  }
  return rows;
};

/** Compares results in structured formats with the data of the samples. */
export const treeChecks: Checks = {
  json: sameTree,
  json5: sameTree,
  yaml: sameTree,
  toml: sameTree,
  xml: sameTree,
  plist: sameTree,
  msgpack: sameTree,
  cbor: sameTree,
  bson: sameTree,
  ini: sameTree,
  properties: sameTree,
};
