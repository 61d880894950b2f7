import type { Kind } from "../io/column-kinds.ts";

/** What the kinds of columns are in Parquet. */
export const SQL_TYPES: Readonly<Record<Kind, string>> = {
  integer: "BIGINT",
  long: "BIGINT",
  number: "DOUBLE",
  boolean: "BOOLEAN",
  date: "DATE",
  timestamp: "TIMESTAMP",
  text: "VARCHAR",
};

/**
 * DuckDB's own casts are too kind: 5.7 becomes 6, and 007 becomes 7.
 *
 * @returns an expression of the kind's type that is an error for a text that would not come back the same
 */
export const castOf = (text: string, kind: Kind): string => {
  const odd = ODD[kind]?.(text);
  const value = kind === "text" ? text : `${text}::${SQL_TYPES[kind]}`;
  return odd === undefined ? value : `CASE WHEN ${odd} THEN error('kind') ELSE ${value} END`;
};

/** A double holds fifteen digits; with sign and point these are seventeen letters. */
const EXACT_LETTERS = 16;

const ODD: Partial<Record<Kind, (text: string) => string>> = {
  integer: (text) => `${text}::BIGINT::VARCHAR <> ${text}`,
  long: (text) => `${text}::BIGINT::VARCHAR <> ${text}`,
  number: (text) =>
    `length(${text}) > ${EXACT_LETTERS} OR ${text} >= ':' OR (starts_with(${text}, '0') AND ${text} >= '00' AND ${text} < '0:')`,
  boolean: (text) => `${text} <> 'true' AND ${text} <> 'false'`,
  date: (text) => `${text}::DATE::VARCHAR <> ${text}`,
  timestamp: (text) => `length(${text}) < 19 OR length(${text}) > 26 OR substr(${text}, 20, 1) NOT IN ('', '.')`,
};
