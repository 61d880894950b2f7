import { open } from "node:fs/promises";
import { type Dialect, firstRows } from "./reader.ts";

/** In order of preference when the text is ambiguous. */
const DELIMITERS = [",", ";", "\t", "|"] as const;

const HEAD_BYTES = 262_144;
const ROWS_LOOKED_AT = 200;

/** Excel's way to specify the delimiter: a line before the first row. */
const SEPARATOR_LINE = /^\ufeff?("?)sep=(.)\1(?:\r\n|\r|\n)/i;

/**
 * Detects the dialect of a UTF-8 CSV: from its line `sep=;`, otherwise the delimiter for which most rows have the same
 * number of cells, more than one.
 *
 * @param given the delimiter, if known
 */
export const dialectOf = async (path: string, given?: string): Promise<Dialect> => dialectIn(await headOf(path), given);

/** @returns the dialect of the text or of its start */
export const dialectIn = (text: string, given?: string): Dialect => {
  const line = SEPARATOR_LINE.exec(text);
  const skipped = line?.[0].replace("\ufeff", "").length ?? 0;
  return { delimiter: given ?? line?.[2] ?? likeliest(text), skipped };
};

const headOf = async (path: string): Promise<string> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const text = new TextDecoder().decode(buffer.subarray(0, bytesRead), { stream: true });
    // A row that ends with the file is read, too.
    return bytesRead < HEAD_BYTES ? `${text}\n` : text;
  } finally {
    await file.close();
  }
};

const likeliest = (text: string): string => {
  const scores = DELIMITERS.map((delimiter) => ({ delimiter, score: score(text, delimiter) }));
  const best = bestOf(scores);
  if (best.delimiter !== "," || COMMA_OUTSIDE_NUMBER.test(text)) {
    return best.delimiter;
  }
  const other = bestOf(scores.filter(({ delimiter }) => delimiter !== ","));
  return other.score > 1 ? other.delimiter : best.delimiter;
};

/** Commas of `1,5;2,5` are decimal commas if every row has the same number of cells with another delimiter. */
const COMMA_OUTSIDE_NUMBER = /(?<!\d),|,(?!\d)/;

interface Score {
  readonly delimiter: string;
  readonly score: number;
}

const bestOf = (scores: readonly Score[]): Score =>
  scores.reduce((best, next) => (next.score > best.score ? next : best));

/** @returns the share of rows with the most common number of cells; between equal shares, more cells win */
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
