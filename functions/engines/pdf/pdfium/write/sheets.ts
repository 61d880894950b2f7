import type { Block, Cell, DocumentLayout, PageLayout, Paragraph, Run, Table } from "../layout/model.ts";
import { continued } from "./continued-tables.ts";
import { bodyOf } from "./flow.ts";

/** A table of text, or a page line by line. */
export interface Sheet {
  readonly name: string;
  readonly cells: readonly SheetCell[];
  readonly columns: number;
  readonly rows: number;
  /** Widths of the columns in points. */
  readonly widths: readonly number[];
  readonly headerRows: number;
  readonly rtl: boolean;
}

/** A cell, or several merged ones. */
export interface SheetCell extends Pick<Cell, "row" | "column" | "rows" | "columns" | "fill" | "borders"> {
  readonly text: string;
  /** The text without marks of notes, which could be read as digits of a number. */
  readonly plain: string;
  readonly bold: boolean;
  readonly align: Paragraph["align"];
  /** Whether it belongs to a table; otherwise it is a line of other text. */
  readonly inTable: boolean;
}

/** The sheets of a document. */
export interface Sheets {
  readonly sheets: readonly Sheet[];
  /** Whether tables were found; otherwise each page is a sheet. */
  readonly tables: boolean;
  /** Whether text outside the tables is left out. */
  readonly outside: boolean;
}

/**
 * @param by `each`: the tables of a document, with tables that continue over pages joined; without tables, as `page`: its
 * pages, with tables and other text in their order
 */
export const sheetsOf = ({ pages }: DocumentLayout, by: "each" | "page"): Sheets => {
  const someBlock = (isSought: (block: Block) => boolean): boolean =>
    Iterator.from(pages).some((page) => bodyOf(page).some(isSought));
  const tables = someBlock(({ kind }) => kind === "table");
  if (!tables || by === "page") {
    return { sheets: Iterator.from(pages).flatMap(pageSheet).toArray(), tables, outside: false };
  }
  const outside = someBlock((block) => block.kind === "paragraph" && textOfBlock(block).text !== "");
  return { sheets: tableSheets(pages), tables, outside };
};

const tableSheets = (pages: DocumentLayout["pages"]): Sheet[] => {
  const sheets: Sheet[] = [];
  let last: { table: Table; index: number } | undefined;
  for (const page of pages) {
    const list = bodyOf(page);
    let number = 0;
    for (const [index, block] of list.entries()) {
      if (block.kind !== "table") {
        continue;
      }
      number += 1;
      const before = number === 1 && last?.table.open ? sheets[last.index] : undefined;
      const joined = before && last && continued(before, sheetOf(block, before.name), [last.table, block]);
      if (joined && last) {
        sheets[last.index] = joined;
      } else {
        const name = captionOf(list[index - 1]) ?? `Page ${page.number} table ${number}`;
        sheets.push(sheetOf(block, name));
      }
      last = { table: block, index: joined && last ? last.index : sheets.length - 1 };
    }
    last = number === 0 ? undefined : last;
  }
  return sheets;
};

/** A caption above a table: `Table 3. Sales by region`. */
const CAPTION = /^(?:table|tabelle|tableau|tabla|tabella|tabela|tab\.)\s*\d/i;
const CAPTION_CHARACTERS_MAX = 200;

const captionOf = (before: Block | undefined): string | undefined => {
  const text = before?.kind === "paragraph" ? textOfBlock(before).text : "";
  return CAPTION.test(text) && text.length <= CAPTION_CHARACTERS_MAX ? text.replaceAll(/\s+/g, " ") : undefined;
};

const sheetOf = ({ cells, xs, ys, headerRows, rtl }: Table, name: string): Sheet => {
  const columns = xs.length - 1;
  const widths = Array.from({ length: columns }, (_, index) => (xs[index + 1] ?? 0) - (xs[index] ?? 0));
  return {
    name,
    cells: cells.map((cell) => sheetCell(cell, rtl ? columns - cell.column - cell.columns : cell.column)),
    columns,
    rows: ys.length - 1,
    widths: rtl ? widths.toReversed() : widths,
    headerRows,
    rtl,
  };
};

const sheetCell = ({ row, rows, columns, fill, borders, blocks }: Cell, column: number): SheetCell => {
  const parts = blocks.map(textOfBlock);
  const paragraphs = blocks.filter((block) => block.kind === "paragraph");
  const runs = paragraphs.flatMap((paragraph) => paragraph.runs).filter(({ text }) => text.trim() !== "");
  return {
    ...{ row, column, rows, columns, fill, borders },
    text: joined(parts.map(({ text }) => text)).replace(LEADER, ""),
    plain: joined(parts.map(({ plain }) => plain)).replace(MARKS, ""),
    bold: runs.length > 0 && runs.every(({ bold }) => bold),
    align: paragraphs[0]?.align ?? "start",
    inTable: true,
  };
};

/** Dots that lead to the next cell. */
const LEADER = /(?:\s*\.){4,}\s*$/u;

/** Marks of notes that are printed as superscript characters. */
const MARKS = /[¹²³⁰⁴-⁹]+$/u;

const joined = (texts: readonly string[]): string => texts.filter((text) => text !== "").join("\n");

const textOfBlock = (block: Block): { text: string; plain: string } => {
  if (block.kind === "figure") {
    return { text: block.text ?? "", plain: block.text ?? "" };
  }
  if (block.kind === "table") {
    const text = joined(block.cells.map((cell) => joined(cell.blocks.map((inner) => textOfBlock(inner).text))));
    return { text, plain: text };
  }
  const mark = block.list === undefined ? "" : `${block.list.mark} `;
  return { text: mark + textOf(block.runs), plain: mark + textOf(block.runs.filter(isNoMark)) };
};

const isNoMark = ({ shift, note }: Run): boolean => shift !== "above" && note === undefined;

const SUPERSCRIPTS: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from("0123456789+-=()ni", (letter, index) => [letter, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ"[index] ?? letter]),
);

/** @returns the text of the runs; superscripts are no digits of the number before them */
const textOf = (runs: readonly Run[]): string =>
  runs
    .map((run) =>
      isNoMark(run) ? run.text : Array.from(run.text, (letter) => SUPERSCRIPTS[letter] ?? letter).join(""),
    )
    .join("")
    .replaceAll("\u00ad", "")
    .trim();

/** Width of a column of text outside of tables in points. */
const TEXT_WIDTH = 90;

/** @returns the page from the top: tables, and other text line by line, with separated text in separate cells */
const pageSheet = (page: PageLayout): Sheet[] => {
  const cells: SheetCell[] = [];
  const widths: number[] = [];
  let row = 0;
  for (const block of bodyOf(page)) {
    const table = block.kind === "table" ? sheetOf(block, "") : undefined;
    const own = table?.cells ?? linesOf(block).flatMap(lineCells);
    cells.push(...own.map((cell) => ({ ...cell, row: cell.row + row })));
    for (const [index, width] of (table?.widths ?? []).entries()) {
      widths[index] = Math.max(widths[index] ?? 0, width);
    }
    row += table?.rows ?? linesOf(block).length;
  }
  const columns = cells.reduce((most, { column, columns: across }) => Math.max(most, column + across), 0);
  const all = Array.from({ length: columns }, (_, index) => widths[index] ?? TEXT_WIDTH);
  const sheet = { name: `Page ${page.number}`, cells, columns, rows: row, widths: all, headerRows: 0, rtl: page.rtl };
  return row === 0 ? [] : [sheet];
};

/** @returns the lines of a paragraph if they have separated text; otherwise the complete paragraph */
const linesOf = (block: Block): (readonly Run[])[] => {
  if (block.kind !== "paragraph") {
    return [];
  }
  const { lines, list, runs } = block;
  const hasTabs = lines.some((line) => line.runs.some(({ text }) => text.includes("\t")));
  return hasTabs || list !== undefined ? lines.map((line) => line.runs) : [runs];
};

const lineCells = (runs: readonly Run[], row: number): SheetCell[] => {
  const bold = runs.every((run) => run.bold || run.text.trim() === "");
  const plain = textOf(runs.filter(isNoMark)).split("\t");
  return textOf(runs)
    .split("\t")
    .map((text, column) => {
      const own = { text: text.trim(), plain: plain[column]?.trim() ?? "" };
      return {
        ...own,
        row,
        column,
        rows: 1,
        columns: 1,
        fill: undefined,
        borders: {},
        bold,
        align: "start" as const,
        inTable: false,
      };
    });
};
