import type { DatabaseSync, SQLInputValue, StatementResultingChanges } from "node:sqlite";
import type { Row } from "./rows.ts";

/** Values of parameters such as `:id`, by name, or those of `?` in their order. */
export type Values = readonly [Readonly<Record<string, SQLInputValue>>] | readonly SQLInputValue[];

/** A prepared statement. Values are bound anew in each call. */
export interface Statement {
  run(...values: Values): StatementResultingChanges;
  /** @returns the first row */
  get(...values: Values): Row | undefined;
  all(...values: Values): Row[];
  iterate(...values: Values): Iterable<Row>;
}

const NAMES = /:([A-Za-z]\w*)/g;

const WRITTEN =
  /\b(?:INSERT|REPLACE)\b[\s\w]*?\bINTO\s+(\w+)|\bUPDATE\s+(?:OR\s+\w+\s+)?(?!SET\b)(\w+)|\bDELETE\s+FROM\s+(\w+)/gi;

/** @returns the tables that the statement writes */
export const tablesWritten = (sql: string): ReadonlySet<string> =>
  new Set([...sql.matchAll(WRITTEN)].map(([, inserted, updated, deleted]) => inserted ?? updated ?? deleted ?? ""));

/**
 * Prepares a statement. Names become places, because `node:sqlite` takes twice as long to bind values by name.
 *
 * @param onWrite called with the tables that the statement writes, each time before it does
 */
export const statementOf = (
  connection: DatabaseSync,
  sql: string,
  onWrite: (tables: ReadonlySet<string>) => void,
): Statement => {
  const names = [...sql.matchAll(NAMES)].map(([, name = ""]) => name);
  const prepared = connection.prepare(sql.replace(NAMES, "?"));
  const tables = tablesWritten(sql);
  const bound = (values: Values): SQLInputValue[] => {
    if (tables.size > 0) {
      onWrite(tables);
    }
    const [named] = values;
    return names.length > 0 && isNamed(named)
      ? names.map((name) => named[name] as SQLInputValue)
      : (values as SQLInputValue[]);
  };
  return {
    run: (...values) => prepared.run(...bound(values)),
    get: (...values) => prepared.get(...bound(values)),
    all: (...values) => prepared.all(...bound(values)),
    iterate: (...values) => prepared.iterate(...bound(values)),
  };
};

const isNamed = (value: Values[number] | undefined): value is Readonly<Record<string, SQLInputValue>> =>
  typeof value === "object" && value !== null && !ArrayBuffer.isView(value);
