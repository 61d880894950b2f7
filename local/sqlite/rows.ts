import type { SQLOutputValue } from "node:sqlite";

/** A row as SQLite gives it. These read one column of it and throw when the column is not what the schema says. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

export const textOf = (row: Row, column: string): string => {
  const value = row[column];
  if (typeof value !== "string") {
    throw new TypeError(`The column ${column} holds no text.`);
  }
  return value;
};

export const integerOf = (row: Row, column: string): number => {
  const value = row[column];
  if (typeof value !== "number") {
    throw new TypeError(`The column ${column} holds no number.`);
  }
  return value;
};

/** @returns undefined for null */
export const optionalIntegerOf = (row: Row, column: string): number | undefined =>
  row[column] === null ? undefined : integerOf(row, column);
