import { CSV_ROW_CHARACTERS_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { type BytesRead, readTextChunks } from "./text-chunks.ts";

/** A cell of a CSV: null where nothing stands, "" where two quotes do. */
export type CsvCell = string | null;
export type CsvRow = readonly CsvCell[];

/** How a CSV is written. */
export interface Dialect {
  /** One character. */
  readonly delimiter: string;
  /** Characters before the first row: a line that says `sep=;`. */
  readonly skipped: number;
}

/** What was found on the way that RFC 4180 does not allow. */
export interface CsvFaults {
  /** Quotes that are neither around a cell nor doubled in one, or never closed. */
  strayQuotes: number;
}

/** Characters of a quoted cell; one that is longer is taken for a quote that was never closed. */
const CELL_CHARACTERS_MAX = 16_000_000;

/** Cells of a row. */
const CELLS_MAX = 100_000;

/** Rows that are given at a time. What stands behind a quote that is never closed has millions. */
const BATCH_ROWS_MAX = 10_000;

/** Quotes never closed after which none is taken for one: each costs a look at all that follows. */
const UNCLOSED_MAX = 20;

/**
 * Reads a CSV in UTF-8 of any size, and loses nothing: rows may have any number of cells, lines may end in any way, a
 * quote within a bare cell stands for itself, and so does one that is never closed. Blank lines are skipped, but where
 * the first row has one cell they are rows.
 *
 * @returns the rows, some thousands at a time
 * @throws JobError `unsupported_feature` for a row over {@link CSV_ROW_CHARACTERS_MAX} characters or too many cells
 * @see RFC 4180
 */
export const readCsv = async function* (
  path: string,
  { delimiter, skipped }: Dialect,
  { faults = { strayQuotes: 0 }, bytesRead }: { faults?: CsvFaults; bytesRead?: BytesRead | undefined } = {},
): AsyncGenerator<CsvRow[]> {
  const parser: Parser = { delimiter: delimiter.charCodeAt(0), faults, unclosed: 0, literalAt: -1 };
  let width = 0;
  const kept = (rows: CsvCell[][]): CsvCell[][] =>
    rows.filter((row) => {
      const blank = row.length === 1 && row[0] === null;
      width ||= blank ? 0 : row.length;
      return !blank || width === 1;
    });
  let text = "";
  const whole = function* (final: boolean): Generator<CsvCell[][]> {
    for (let more = true; more; ) {
      const { rows, end } = parseRows(parser, text, final, BATCH_ROWS_MAX);
      text = text.slice(end);
      more = rows.length === BATCH_ROWS_MAX;
      yield kept(rows);
    }
  };
  let begun = false;
  // A row that is not whole is tried again when there is twice as much of it: each try begins at its start.
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
    yield* whole(false);
    triedAt = text.length === length ? 2 * length : 0;
    if (text.length > CSV_ROW_CHARACTERS_MAX) {
      throw new JobError("unsupported_feature", `A row of the text has over ${CSV_ROW_CHARACTERS_MAX} characters.`);
    }
  }
  yield* whole(true);
};

/** @returns the rows that a text begins with, at most so many; for a look at the head of a file */
export const firstRows = (text: string, delimiter: string, rowsMax: number): CsvRow[] => {
  const parser = { delimiter: delimiter.charCodeAt(0), faults: { strayQuotes: 0 }, unclosed: 0, literalAt: -1 };
  return parseRows(parser, text, false, rowsMax).rows;
};

interface Parser {
  /** Its character code. */
  readonly delimiter: number;
  readonly faults: CsvFaults;
  unclosed: number;
  /** Where in the text a quote stands that was never closed, and so stands for itself. */
  literalAt: number;
}

const QUOTE = 34;
const LF = 10;
const CR = 13;

/** @returns the rows that end within the text, and where the first one begins that does not */
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

/** @returns where the next row begins; -1 when this one does not end within the text */
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
      throw new JobError("unsupported_feature", `A row of the text has over ${CELLS_MAX} cells.`);
    }
    if (code === parser.delimiter) {
      start = end + 1;
      continue;
    }
    return code === CR && text.charCodeAt(end + 1) === LF ? end + 2 : end + 1;
  }
};

/** @returns where the quoted cell ends that begins at a quote; -1 when it does not end within the text */
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
  /** Of the quote that ends it; -1 in a bare cell. */
  readonly closing: number;
  /** Where what stands outside the quotes begins. */
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
