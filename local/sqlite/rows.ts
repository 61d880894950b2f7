import type { SQLOutputValue } from "node:sqlite";

/** A row from SQLite. The functions below read one column and throw if its type does not match the schema. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

export const textOf = (row: Row, column: string): string => {
  const value = row[column];
  if (typeof value !== "string") {
    throw new TypeError(`Column ${column} is not text.`);
  }
  return value;
};

export const integerOf = (row: Row, column: string): number => {
  const value = row[column];
  if (typeof value !== "number") {
    throw new TypeError(`Column ${column} is not an integer.`);
  }
  return value;
};

/** @returns undefined for null */
export const optionalIntegerOf = (row: Row, column: string): number | undefined =>
  row[column] === null ? undefined : integerOf(row, column);
