import { type CellObject, type Range, utils, type WorkBook } from "@e965/xlsx";
import type { EngineResult, EngineTask } from "../../core/engine.ts";
import { dialectOf } from "../csv/dialect.ts";
import type { CsvRow } from "../csv/reader.ts";
import { readCsvRows, surveyCsv } from "../csv/table.ts";
import { writeText } from "../text/chunks.ts";
import { utf8File } from "../text/utf8-file.ts";
import { heldValue, holds, is1904 } from "./cells.ts";
import type { ChosenSheet } from "./choose.ts";

const HEAD = `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<title>Table</title>
<style>
table { border-collapse: collapse; font-family: sans-serif; font-size: 10pt; }
th, td { border: 1px solid #bbb; padding: 2px 6px; text-align: left; vertical-align: top; white-space: pre-wrap; }
td.number { text-align: right; }
</style>
</head>
<body>
`;
const TAIL = "</body>\n</html>\n";

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

// biome-ignore lint/suspicious/noControlCharactersInRegex: HTML does not allow them
const NOT_IN_HTML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

const escaped = (text: string): string =>
  text.replaceAll(NOT_IN_HTML, "\ufffd").replaceAll(/[&<>"]/g, (letter) => ESCAPES[letter] ?? "");

/** A CSV or TSV of any size as an HTML table. */
export const writeHtmlOfText = async (task: EngineTask): Promise<EngineResult> => {
  const { header = true, encoding, delimiter } = task.options;
  const { path, warnings } = await utf8File(task.input, task.folder, encoding);
  const dialect = await dialectOf(path, task.from === "tsv" ? "\t" : delimiter);
  const survey = await surveyCsv(path, dialect, { header });
  const names = header ? survey.columns.map(({ name }) => name) : undefined;
  await writeText(task.output, htmlOfRows(readCsvRows(path, dialect, { header }), survey.columns.length, names));
  return { warnings: [...warnings, ...survey.warnings] };
};

const htmlOfRows = async function* (
  batches: AsyncIterable<readonly CsvRow[]>,
  width: number,
  names?: readonly string[],
): AsyncGenerator<string> {
  yield `${HEAD}<table dir="auto">\n`;
  if (names !== undefined) {
    yield `<thead><tr>${names.map((name) => `<th>${escaped(name)}</th>`).join("")}</tr></thead>\n`;
  }
  yield "<tbody>\n";
  for await (const batch of batches) {
    yield batch
      .map(
        (row) =>
          `<tr>${Array.from({ length: width }, (_, index) => `<td>${escaped(row[index] ?? "")}</td>`).join("")}</tr>\n`,
      )
      .join("");
  }
  yield `</tbody>\n</table>\n${TAIL}`;
};

/** @returns sheets as HTML tables, with values as displayed, and merged cells */
export const htmlOfSheets = function* (workbook: WorkBook, sheets: readonly ChosenSheet[]): Generator<string> {
  yield HEAD;
  for (const { name, grid } of sheets) {
    yield sheets.length > 1 ? `<h2>${escaped(name)}</h2>\n<table dir="auto">\n` : '<table dir="auto">\n';
    const merges = mergesOf(workbook.Sheets[name]?.["!merges"] ?? []);
    for (const [row, cells] of grid.rows.entries()) {
      const line = Array.from({ length: grid.width }, (_, column) =>
        htmlOfCell(cells[column], merges.get(`${row},${column}`), is1904(workbook)),
      );
      yield `<tr>${line.join("")}</tr>\n`;
    }
    yield "</table>\n";
  }
  yield TAIL;
};

/** Maximum cells of merged ranges to examine. */
const MERGED_CELLS_MAX = 1_000_000;

/** @returns by position, the range that starts there; undefined for a position that a range covers */
const mergesOf = (ranges: readonly Range[]): Map<string, Range | "covered"> => {
  const places = new Map<string, Range | "covered">();
  for (const range of ranges) {
    const { s, e } = range;
    if (places.size + (e.r - s.r + 1) * (e.c - s.c + 1) > MERGED_CELLS_MAX) {
      break;
    }
    for (let row = s.r; row <= e.r; row += 1) {
      for (let column = s.c; column <= e.c; column += 1) {
        places.set(`${row},${column}`, row === s.r && column === s.c ? range : "covered");
      }
    }
  }
  return places;
};

const htmlOfCell = (cell: CellObject | undefined, merge: Range | "covered" | undefined, date1904: boolean): string => {
  if (merge === "covered") {
    return "";
  }
  const spans =
    merge === undefined ? "" : ` rowspan="${merge.e.r - merge.s.r + 1}" colspan="${merge.e.c - merge.s.c + 1}"`;
  if (cell === undefined || !holds(cell)) {
    return `<td${spans}></td>`;
  }
  return `<td${spans}${cell.t === "n" ? ' class="number"' : ""}>${escaped(shown(cell, date1904))}</td>`;
};

/**
 * @returns the displayed text of a cell; dates are in ISO 8601, since the display of a date format depends on the
 * locale
 */
const shown = (cell: CellObject, date1904: boolean): string => {
  const value = cell.t === "n" ? heldValue(cell, date1904) : undefined;
  return typeof value === "string" ? value.replace("T", " ") : utils.format_cell(cell);
};
