import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import type { Table } from "../tables/table.ts";
import { type PlacedCell, placedCell } from "./placed-cell.ts";
import { contentTypes, ROOT_RELATIONS, STYLES, workbookRelations, workbookXml, xmlText } from "./xlsx-parts.ts";

/** Rows of a table in one sheet. */
export interface SheetSource {
  readonly name: string;
  readonly table: Table;
  /** The first row, and the end (exclusive). */
  readonly from: number;
  readonly to: number;
}

/**
 * Writes an XLSX row by row, so that a table of any size fits in memory. Texts are written into their cells instead of
 * a shared string table, which would have to stay in memory.
 *
 * @param found counts the texts that exceed the maximum length of a cell
 * @see ECMA-376-1:2016, 18.3
 */
export const writeXlsx = async (
  path: string,
  sheets: readonly SheetSource[],
  found: { cut: number },
): Promise<void> => {
  const parts = sheets.map((sheet) => ({ name: sheet.name, xml: () => sheetXml(sheet, found) }));
  await writeWorkbookParts(path, parts, STYLES);
};

/** A sheet of a workbook: its part is created when it is written. */
export interface SheetPart {
  readonly name: string;
  readonly xml: () => AsyncIterable<string> | Iterable<string>;
}

/** Writes the parts of an XLSX as a zip. */
export const writeWorkbookParts = async (path: string, sheets: readonly SheetPart[], styles: string): Promise<void> => {
  const zip = new ZipFile();
  const names = sheets.map(({ name }) => name);
  const parts: readonly (readonly [string, string])[] = [
    ["[Content_Types].xml", contentTypes(sheets.length)],
    ["_rels/.rels", ROOT_RELATIONS],
    ["xl/workbook.xml", workbookXml(names)],
    ["xl/_rels/workbook.xml.rels", workbookRelations(sheets.length)],
    ["xl/styles.xml", styles],
  ];
  for (const [name, text] of parts) {
    zip.addBuffer(Buffer.from(text), name, ZIP_OPTIONS);
  }
  const failed = new Promise<never>((_, reject) => zip.once("error", reject));
  for (const [index, sheet] of sheets.entries()) {
    const stream = Readable.from(sheet.xml(), { objectMode: false });
    stream.once("error", (error) => zip.emit("error", error));
    zip.addReadStreamLazy(`xl/worksheets/sheet${index + 1}.xml`, ZIP_OPTIONS, (give) => give(null, stream));
  }
  zip.end();
  await Promise.race([pipeline(zip.outputStream, createWriteStream(path, { flags: "wx" })), failed]);
};

/** The earliest date that a zip supports: the same input gives the same bytes. */
const ZIP_OPTIONS = { mtime: new Date(1980, 0, 1), mode: 0o100644, compressionLevel: 4 };

/** Minimum characters per write of a sheet. */
const PIECE_CHARACTERS = 65_536;

const sheetXml = async function* ({ table, from, to }: SheetSource, found: { cut: number }): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>';
  const letters = table.columns.map((_, index) => columnLetters(index));
  let number = 0;
  let text = "";
  if (table.named) {
    number += 1;
    text += rowXml(
      number,
      letters,
      table.columns.map(({ name }) => ({ value: name, style: "general" })),
    );
  }
  let index = 0;
  for await (const batch of table.rows()) {
    for (const row of batch) {
      if (index >= from && index < to) {
        number += 1;
        text += rowXml(
          number,
          letters,
          table.columns.map((column, place) => placedCell(row[place] ?? null, column, found)),
        );
      }
      index += 1;
      if (text.length > PIECE_CHARACTERS) {
        yield text;
        text = "";
      }
    }
    if (index >= to) {
      break;
    }
  }
  yield `${text}</sheetData></worksheet>`;
};

const STYLE_NUMBERS = { general: "", date: ' s="1"', timestamp: ' s="2"', text: ' s="3"' } as const;

const rowXml = (number: number, letters: readonly string[], cells: readonly (PlacedCell | undefined)[]): string => {
  let xml = `<row r="${number}">`;
  for (let index = 0; index < cells.length; index += 1) {
    const cell = cells[index];
    if (cell !== undefined) {
      xml += cellXml(`${letters[index]}${number}`, cell);
    }
  }
  return `${xml}</row>`;
};

const cellXml = (place: string, { value, style }: PlacedCell): string => {
  const start = `<c r="${place}"${STYLE_NUMBERS[style]}`;
  if (typeof value === "number") {
    return `${start}><v>${value}</v></c>`;
  }
  if (typeof value === "boolean") {
    return `${start} t="b"><v>${value ? 1 : 0}</v></c>`;
  }
  return `${start} t="inlineStr"><is><t xml:space="preserve">${xmlText(value)}</t></is></c>`;
};

/** @returns A to Z, AA to ZZ, AAA, … */
export const columnLetters = (index: number): string => {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnLetters(Math.floor(index / 26) - 1) + letter;
};
