import type { Block, Table } from "../layout/blocks.ts";
import { linesOf } from "../layout/lines.ts";
import { textOf } from "../layout/pieces.ts";
import { type DocumentText, type PageText, pageBlocks } from "../page/text.ts";

/** A table of text cells; all rows have equal length. */
export interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly string[])[];
}

/** The sheets of a document. */
export interface Sheets {
  readonly sheets: readonly Sheet[];
  /** Whether tables were found; otherwise each page is a sheet. */
  readonly tables: boolean;
  /** Whether there is text outside the tables. */
  readonly outside: boolean;
}

/**
 * @returns the tables of a document, with tables that continue over pages joined; without tables, its pages line by
 * line
 */
export const sheetsOf = (text: DocumentText): Sheets => {
  const pages = text.pages.map((page) => pageBlocks(page, text).blocks);
  const tables = joinedTables(pages);
  const outside = pages.flat().some(({ kind }) => kind !== "table" && kind !== "picture");
  return tables.length > 0
    ? { sheets: tables.map((rows, index) => ({ name: `Table ${index + 1}`, rows })), tables: true, outside }
    : { sheets: text.pages.flatMap(pageSheet), tables: false, outside };
};

/** A table at the end of a page continues with a table at the start of the next page that has as many columns. */
const joinedTables = (pages: readonly (readonly Block[])[]): string[][][] => {
  const tables: string[][][] = [];
  let goesOn = false;
  for (const blocks of pages) {
    for (const [index, block] of blocks.entries()) {
      if (block.kind !== "table") {
        continue;
      }
      const rows = textsOf(block);
      const last = tables.at(-1);
      if (goesOn && index === 0 && last?.[0]?.length === rows[0]?.length) {
        last?.push(...(last[0]?.join("\0") === rows[0]?.join("\0") ? rows.slice(1) : rows));
      } else {
        tables.push(rows);
      }
    }
    goesOn = blocks.at(-1)?.kind === "table";
  }
  return tables;
};

const textsOf = ({ rows }: Table): string[][] =>
  rows.map((row) => row.map((cell) => textOf(cell).replaceAll("\u00ad", "").trim()));

/** @returns the lines of a page as rows, with separated text in separate cells */
const pageSheet = ({ pieces, number }: PageText): Sheet[] => {
  const rows = linesOf(pieces).map((line) => line.pieces.map(({ text }) => text.replaceAll("\u00ad", "-")));
  const width = Math.max(...rows.map(({ length }) => length), 0);
  const padded = rows.map((row) => [...row, ...Array.from({ length: width - row.length }, () => "")]);
  return rows.length === 0 ? [] : [{ name: `Page ${number}`, rows: padded }];
};
