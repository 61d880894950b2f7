import type { Block, Cell, Table } from "../model.ts";
import { textOf } from "../runs.ts";

const HEADERS_MAX = 3;

/** @returns the number of rows at the top that are headers: alone bold or filled, or without the numbers below */
export const headerRowsOf = (cells: readonly Cell[], rows: number): number => {
  const count = Math.min(HEADERS_MAX, rows - 1);
  const byRow = Map.groupBy(cells, ({ row }) => row);
  const row = (index: number) => byRow.get(index) ?? [];
  const body = cells.filter(({ row: index }) => index > count);
  const differs = (is: (cell: Cell) => boolean) => {
    let headers = 0;
    while (headers < count && row(headers).some(hasText) && row(headers).filter(hasText).every(is)) {
      headers += row(headers).reduce((most, cell) => Math.max(most, cell.rows), 1);
    }
    const rest = cells.filter((cell) => cell.row >= headers && hasText(cell));
    return headers > 0 && rest.filter(is).length * 2 < rest.length ? headers : 0;
  };
  const header = differs(isBold) || differs(({ fill }) => fill !== undefined);
  if (header > 0 || rows < 3) {
    return Math.min(header, rows - 1);
  }
  const numeric = new Set(body.filter((cell) => hasNumber(cell)).map(({ column }) => column));
  const first = row(0).filter(hasText);
  return numeric.size > 0 &&
    first.length > 1 &&
    !first.some(hasNumber) &&
    first.some(({ column }) => numeric.has(column))
    ? 1
    : 0;
};

/** @returns whether a table starts with the header rows of another one */
export const repeatsHeader = (one: Table, other: Table): boolean =>
  one.headerRows > 0 && headText(one, one.headerRows) === headText(other, one.headerRows);

const headText = ({ cells }: Table, rows: number): string =>
  cells
    .filter(({ row }) => row < rows)
    .map(({ blocks }) => textOf(runsIn(blocks)).replace(/\s+/gu, " ").trim())
    .join("\0");

const runsIn = (blocks: readonly Block[]) => blocks.flatMap((block) => (block.kind === "paragraph" ? block.runs : []));

const hasText = ({ blocks }: Cell): boolean => blocks.length > 0;

const isBold = ({ blocks }: Cell): boolean => runsIn(blocks).every(({ bold, text }) => bold || text.trim() === "");

/** @returns whether a cell is a number */
const hasNumber = ({ blocks }: Cell): boolean =>
  /^[\s\d.,:%€$£()+\-–−/]*\d[\s\d.,:%€$£()+\-–−/]*$/u.test(textOf(runsIn(blocks)));
