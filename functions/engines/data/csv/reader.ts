import { CSV_ROW_CHARACTERS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { type BytesRead, readTextChunks } from "../text/chunks.ts";

/** A cell of a CSV: null when it is empty, "" when it is a pair of quotes. */
export type CsvCell = string | null;
export type CsvRow = readonly CsvCell[];

/** The dialect of a CSV. */
export interface Dialect {
  /** One character. */
  readonly delimiter: string;
  /** Characters before the first row: a line such as `sep=;`. */
  readonly skipped: number;
}

/** Violations of RFC 4180 that were found. */
export interface CsvFaults {
  /** Quotes that neither enclose a cell nor are doubled in one, or are never closed. */
  strayQuotes: number;
}

/** Maximum characters of a quoted cell; the quote of a longer one is treated as never closed. */
const CELL_CHARACTERS_MAX = 16_000_000;

/** Maximum cells of a row. */
const CELLS_MAX = 100_000;

/** Maximum rows per batch. The text after an unclosed quote can have millions. */
const BATCH_ROWS_MAX = 10_000;

/** Maximum unclosed quotes; after these, quotes no longer open cells, because each one costs a search to the end. */
const UNCLOSED_MAX = 20;

/**
 * Reads a UTF-8 CSV of any size without losing data: rows may have any number of cells, any line ends are accepted, and
 * a quote in an unquoted cell is literal, as is one that is never closed. Blank lines are skipped, unless the first row
 * has one cell: then they are rows.
 *
 * @returns the rows in batches
 * @throws JobError `unsupported_feature` for a row over {@link CSV_ROW_CHARACTERS_MAX} characters or too many cells
 * @see RFC 4180
 */
export const readCsv = async function* (
  path: string,
  { delimiter, skipped }: Dialect,
  { faults, bytesRead }: { faults?: CsvFaults; bytesRead?: BytesRead | undefined } = {},
): AsyncGenerator<CsvRow[]> {
  const parser = newParser(delimiter, faults);
  let width = 0;
  const kept = (rows: CsvCell[][]): CsvCell[][] =>
    rows.filter((row) => {
      const blank = row.length === 1 && row[0] === null;
      width ||= blank ? 0 : row.length;
      return !blank || width === 1;
    });
  let text = "";
  const completeRows = function* (final: boolean): Generator<CsvCell[][]> {
    for (let more = true; more; ) {
      const { rows, end } = parseRows(parser, text, final, BATCH_ROWS_MAX);
      text = text.slice(end);
      more = rows.length === BATCH_ROWS_MAX;
      yield kept(rows);
    }
  };
  let begun = false;
  // An incomplete row is retried from its start when there is twice as much text.
  let triedAt = 0;
  for await (const chunk of readTextChunks(path, bytesRead)) {
    text += chunk;
    if (!begun && text.length > skipped) {
      text = text.slice(skipped);
      begun = true;
    }
    if (text.length < triedAt) {
      continue;
    }
    const { length } = text;
    yield* completeRows(false);
    triedAt = text.length === length ? 2 * length : 0;
    if (text.length > CSV_ROW_CHARACTERS_MAX) {
      throw new JobError(
        "unsupported_feature",
        `A row of the CSV has more than ${CSV_ROW_CHARACTERS_MAX} characters, the maximum.`,
      );
    }
  }
  yield* completeRows(true);
};

/** @returns the first rows of a text, at most this many; for detecting the dialect from the start of a file */
export const firstRows = (text: string, delimiter: string, rowsMax: number): CsvRow[] =>
  parseRows(newParser(delimiter), text, false, rowsMax).rows;

/** @returns all rows of a text, including blank ones, and the number of unclosed quotes */
export const readRows = (text: string, delimiter: string) => {
  const parser = newParser(delimiter);
  const { rows } = parseRows(parser, text, true);
  return { rows, faults: parser.faults, unclosed: parser.unclosed };
};

const newParser = (delimiter: string, faults: CsvFaults = { strayQuotes: 0 }): Parser => ({
  delimiter: delimiter.charCodeAt(0),
  faults,
  unclosed: 0,
  literalAt: -1,
});

interface Parser {
  /** Its character code. */
  readonly delimiter: number;
  readonly faults: CsvFaults;
  unclosed: number;
  /** Offset in the text of a quote that is never closed and is therefore literal. */
  literalAt: number;
}

const QUOTE = 34;
const LF = 10;
const CR = 13;

/** @returns the rows that end within the text, and the start of the first one that does not */
const parseRows = (parser: Parser, text: string, final: boolean, rowsMax = Number.POSITIVE_INFINITY) => {
  const rows: CsvCell[][] = [];
  let end = 0;
  while (end < text.length && rows.length < rowsMax) {
    const row: CsvCell[] = [];
    const next = parseRow(parser, text, { at: end, final, row });
    if (next === -1) {
      break;
    }
    rows.push(row);
    end = next;
  }
  parser.literalAt -= parser.literalAt >= end ? end : parser.literalAt + 1;
  return { rows, end };
};

/** @returns the start of the next row; -1 when this one does not end within the text */
const parseRow = (
  parser: Parser,
  text: string,
  { at, final, row }: { at: number; final: boolean; row: CsvCell[] },
): number => {
  for (let start = at; ; ) {
    const quoted = text.charCodeAt(start) === QUOTE && start !== parser.literalAt && parser.unclosed < UNCLOSED_MAX;
    const closing = quoted ? closingQuote(text, start) : -1;
    if (quoted && closing === -1) {
      if (!final && text.length - start < CELL_CHARACTERS_MAX) {
        return -1;
      }
      parser.literalAt = start;
      parser.unclosed += 1;
      parser.faults.strayQuotes += 1;
      continue;
    }
    const bare = quoted ? closing + 1 : start;
    const end = endOfCell(text, bare, parser.delimiter);
    const code = text.charCodeAt(end);
    if (!final && (end === text.length || (code === CR && end + 1 === text.length))) {
      return -1;
    }
    row.push(cellOf(parser, text, { start, closing, bare, end }));
    if (row.length > CELLS_MAX) {
      throw new JobError("unsupported_feature", `A row of the CSV has more than ${CELLS_MAX} cells, the maximum.`);
    }
    if (code === parser.delimiter) {
      start = end + 1;
      continue;
    }
    return code === CR && text.charCodeAt(end + 1) === LF ? end + 2 : end + 1;
  }
};

/** @returns the end of the quoted cell that starts at a quote; -1 when it does not end within the text */
const closingQuote = (text: string, start: number): number => {
  let at = text.indexOf('"', start + 1);
  while (at !== -1 && text.charCodeAt(at + 1) === QUOTE) {
    at = text.indexOf('"', at + 2);
  }
  return at;
};

const endOfCell = (text: string, from: number, delimiter: number): number => {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === delimiter || code === LF || code === CR) {
      break;
    }
  }
  return at;
};

interface CellPlace {
  readonly start: number;
  /** Offset of the closing quote; -1 in an unquoted cell. */
  readonly closing: number;
  /** Start of the text outside the quotes. */
  readonly bare: number;
  readonly end: number;
}

const cellOf = (parser: Parser, text: string, { start, closing, bare, end }: CellPlace): CsvCell => {
  const rest = text.slice(bare, end);
  if (closing === -1) {
    return rest === "" ? null : rest;
  }
  const inner = text.slice(start + 1, closing).replaceAll('""', '"');
  if (rest.trim() === "") {
    return inner;
  }
  parser.faults.strayQuotes += 1;
  return inner + rest;
};
