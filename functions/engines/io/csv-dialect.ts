import { open } from "node:fs/promises";
import { type Dialect, firstRows } from "./csv-reader.ts";

/** In the order in which they win where the text leaves it open. */
const DELIMITERS = [",", ";", "\t", "|"] as const;

const HEAD_BYTES = 262_144;
const ROWS_LOOKED_AT = 200;

/** Excel's own way to name the delimiter: a line before the first row. */
const SEPARATOR_LINE = /^\ufeff?("?)sep=(.)\1(?:\r\n|\r|\n)/i;

/**
 * Tells how a CSV in UTF-8 is written: by its line `sep=;`, else by the delimiter that gives most rows the same number
 * of cells, more than one.
 *
 * @param given the delimiter where it is known
 */
export const dialectOf = async (path: string, given?: string): Promise<Dialect> => {
  const text = await headOf(path);
  const line = SEPARATOR_LINE.exec(text);
  const skipped = line?.[0].replace("\ufeff", "").length ?? 0;
  return { delimiter: given ?? line?.[2] ?? likeliest(text), skipped };
};

const headOf = async (path: string): Promise<string> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const text = new TextDecoder().decode(buffer.subarray(0, bytesRead), { stream: true });
    // A row that the end of the file ends is read too.
    return bytesRead < HEAD_BYTES ? `${text}\n` : text;
  } finally {
    await file.close();
  }
};

const likeliest = (text: string): string => {
  const scores = DELIMITERS.map((delimiter) => ({ delimiter, score: score(text, delimiter) }));
  return scores.reduce((best, next) => (next.score > best.score ? next : best)).delimiter;
};

/** @returns the share of the rows that have the most usual number of cells; of equal shares, more cells win */
const score = (text: string, delimiter: string): number => {
  const widths = firstRows(text, delimiter, ROWS_LOOKED_AT)
    .filter((row) => row.length > 1 || row[0] !== null)
    .map(({ length }) => length);
  const counts = [...Map.groupBy(widths, (width) => width)].map(([width, all]) => ({ width, rows: all.length }));
  const usual = counts
    .filter(({ width }) => width > 1)
    .reduce((most, next) => (next.rows > most.rows ? next : most), {
      width: 1,
      rows: 0,
    });
  return usual.rows / Math.max(1, widths.length) + usual.width / 1_000_000;
};
