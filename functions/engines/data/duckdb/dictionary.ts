/**
 * Dictionaries of Parquet columns. DuckDB tries one for each column of each row group, up to 24,576 values: for columns
 * of unique values this takes a seventh of the total time, as measured. A lower limit makes columns with more
 * different values than the limit larger by up to half, so it is only used where no column seems to be of that kind.
 */

const LIMIT = 5_000;

/** Shares of different values in a sample: above the first one values are unique, below the other one they repeat. */
const UNIQUE = 0.99;
const REPEATED = 0.4;

/** @returns an option of COPY, or an empty text, from the first rows of a table */
export const dictionaryOption = (rows: readonly (readonly unknown[])[]): string => {
  const columns = rows[0]?.length ?? 0;
  const isClear = Array.from({ length: columns }, (_, column) => {
    const share = new Set(rows.map((row) => row[column])).size / rows.length;
    return share >= UNIQUE || share <= REPEATED;
  });
  return isClear.every(Boolean) ? `, DICTIONARY_SIZE_LIMIT ${LIMIT}` : "";
};
