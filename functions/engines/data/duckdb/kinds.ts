import type { Kind } from "../tables/column-kinds.ts";

/** The Parquet types of column kinds. */
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
 * DuckDB's casts are too lenient: 5.7 becomes 6, and 007 becomes 7.
 *
 * @returns an expression of the kind's type that fails for a text that would not round-trip
 */
export const castOf = (text: string, kind: Kind): string => {
  const value = kind === "text" ? text : `${text}::${SQL_TYPES[kind]}`;
  const [plain, odd] = [PLAIN[kind]?.(text), ODD[kind]?.(text)];
  const soundly = odd === undefined ? value : `CASE WHEN ${odd} THEN error('kind') ELSE ${value} END`;
  return plain === undefined ? soundly : `CASE WHEN ${plain} THEN ${value} ELSE ${soundly} END`;
};

/** A double represents fifteen digits; with sign and point these are seventeen characters. */
const EXACT_LETTERS = 16;

/**
 * What most values look like. Values that match need no check for irregularities, which saves time (a sixth of the
 * total, as measured).
 */
const PLAIN: Partial<Record<Kind, (text: string) => string>> = {
  number: (text) => `strlen(${text}) <= ${EXACT_LETTERS} AND ${text} BETWEEN '1' AND '9~'`,
  timestamp: (text) => `strlen(${text}) = 19`,
};

const ODD: Partial<Record<Kind, (text: string) => string>> = {
  integer: (text) => `${text}::BIGINT::VARCHAR <> ${text}`,
  long: (text) => `${text}::BIGINT::VARCHAR <> ${text}`,
  number: (text) =>
    `strlen(${text}) > ${EXACT_LETTERS} OR ${text} >= ':' OR (starts_with(${text}, '0') AND ${text} >= '00' AND ${text} < '0:')`,
  boolean: (text) => `${text} <> 'true' AND ${text} <> 'false'`,
  date: (text) => `${text}::DATE::VARCHAR <> ${text}`,
  timestamp: (text) => `strlen(${text}) NOT BETWEEN 19 AND 26 OR substr(${text}, 20, 1) NOT IN ('', '.')`,
};
