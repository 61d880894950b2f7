import type { Block, Borders, Cell, Table } from "../layout/model.ts";
import { filler, twips, val, w } from "./elements.ts";
import { type Frame, LINE_MIN, SIDES, strokeXml } from "./paragraphs.ts";

/** Writes the blocks of a cell between two heights on the page; the result ends with a paragraph. */
export type CellWriter = (blocks: readonly Block[], frame: Frame, top: number) => string;

/** Word opens no table with more columns. */
const COLUMNS_MAX = 63;
/** Largest distance of text from the sides of cells that is an inner margin, not an indent. */
const PADDING_MAX = 6;

/** @returns the start of a table: its properties and grid */
export const tableStart = (source: Table, frame: Pick<Frame, "left" | "right">, padding: number): string => {
  const { xs, rtl } = folded(source);
  const [first = 0, last = 0] = [xs[0], xs.at(-1)];
  const margin = (side: string) => w(side, { w: twips(padding), type: "dxa" });
  const properties = [
    rtl ? "<w:bidiVisual/>" : "",
    w("tblW", { w: Math.max(1, twips(last - first)), type: "dxa" }),
    w("tblInd", { w: twips(rtl ? frame.right - last : first - frame.left), type: "dxa" }),
    w("tblLayout", { type: "fixed" }),
    w(
      "tblCellMar",
      {},
      w("top", { w: 0, type: "dxa" }),
      margin("left"),
      w("bottom", { w: 0, type: "dxa" }),
      margin("right"),
    ),
    w("tblLook", { val: "04A0" }),
  ];
  const widths = xs.slice(1).map((x, index) => Math.max(1, twips(x - (xs[index] ?? 0))));
  const grid = (rtl ? widths.toReversed() : widths).map((width) => w("gridCol", { w: width }));
  return `<w:tbl>${w("tblPr", {}, ...properties)}${w("tblGrid", {}, ...grid)}`;
};

export const TABLE_END = "</w:tbl>";

/** @returns the inner margin at the sides of all cells, in points */
export const paddingOf = ({ cells }: Table): number => {
  const gaps = cells.flatMap(({ blocks }) =>
    blocks.flatMap((block) =>
      block.kind === "paragraph" ? [block.indentLeft + Math.min(0, block.firstLine), block.indentRight] : [],
    ),
  );
  return Math.max(0, Math.min(PADDING_MAX, ...gaps));
};

/** Points by which rows may be lower, because programs add the borders. */
const ROW_SLACK = 0.4;
/** Height in points from which a row may be divided between pages. */
const SPLIT_MIN = 200;

interface RowsTask {
  readonly padding: number;
  /** Rows at the top to leave out: repeated headers. */
  readonly skip: number;
  readonly write: CellWriter;
}

/** @returns the rows of a table */
export const rowsXml = (source: Table, { padding, skip, write }: RowsTask): string => {
  const table = folded(source);
  const { ys, cells, headerRows, headedOnce, rtl } = table;
  const rows = ys.slice(1).map((): Cell[] => []);
  for (const cell of cells) {
    for (let row = cell.row; row < Math.min(rows.length, cell.row + cell.rows); row += 1) {
      rows[row]?.push(cell);
    }
  }
  return rows
    .map((found, row) => {
      if (row < skip || found.length === 0) {
        return "";
      }
      const height = (ys[row + 1] ?? 0) - (ys[row] ?? 0);
      const ruled = found.map(({ borders }) => borders.top?.width ?? 0);
      const free = height - Math.max(ROW_SLACK, ...ruled);
      const ordered = found.toSorted((one, other) => (rtl ? other.column - one.column : one.column - other.column));
      const properties = w(
        "trPr",
        {},
        height < SPLIT_MIN ? "<w:cantSplit/>" : "",
        w("trHeight", { val: Math.max(1, twips(free)), hRule: "atLeast" }),
        row < headerRows && headedOnce !== true ? "<w:tblHeader/>" : "",
      );
      return w("tr", {}, properties, ...ordered.map((cell) => cellXml(cell, { table, row, free, padding, write })));
    })
    .join("");
};

interface CellTask {
  readonly table: Table;
  readonly row: number;
  /** Height of the row without its borders. */
  readonly free: number;
  readonly padding: number;
  readonly write: CellWriter;
}

/** @returns a cell, with the properties in the order of the schema (CT_TcPr) */
const cellXml = (cell: Cell, { table: { xs, ys, rtl }, row, free, padding, write }: CellTask): string => {
  const { column, columns, rows, fill, borders } = cell;
  const [left = 0, right = 0] = [xs[column], xs[column + columns]];
  const [top = 0, bottom = 0] = [ys[cell.row], ys[cell.row + rows]];
  const first = row === cell.row;
  const align = verticalOf(cell.blocks, top, bottom);
  const properties = [
    w("tcW", { w: Math.max(1, twips(right - left)), type: "dxa" }),
    columns > 1 ? val("gridSpan", columns) : "",
    rows > 1 ? w("vMerge", first ? { val: "restart" } : {}) : "",
    w("tcBorders", {}, ...bordersXml(borders, rtl)).replace("<w:tcBorders/>", ""),
    fill === undefined ? "" : w("shd", { val: "clear", color: "auto", fill }),
    align === "top" ? "" : val("vAlign", align),
  ];
  const frame = { left: left + padding, right: right - padding, column: { left, right }, slack: 0 };
  const from = align === "top" ? top : Math.min(...cell.blocks.map((block) => block.top));
  const isOne = cell.blocks.length === 1 && rows === 1;
  const blocks = isOne ? cell.blocks.map((block) => within(block, from, from + free)) : cell.blocks;
  return w(
    "tc",
    {},
    w("tcPr", {}, ...properties),
    first && blocks.length > 0 ? write(blocks, frame, from) : empty(rows === 1 ? free : bottom - top),
  );
};

/** @returns a single line as high as it can be between two heights, but not lower than its letters */
const within = (block: Block, from: number, to: number): Block => {
  if (block.kind !== "paragraph" || block.lineHeight > 0 || block.bottom <= to) {
    return block;
  }
  const size = Math.max(0, ...block.runs.map((run) => run.size));
  const height = Math.min(block.bottom - block.top, Math.max(to - block.top, LINE_MIN * size));
  const top = Math.max(from, Math.min(block.top, to - height));
  return { ...block, top, bottom: top + height };
};

/** An empty cell has a line to write in, if its row is high enough. */
const empty = (height: number): string =>
  height < 8
    ? filler()
    : w("p", {}, w("pPr", {}, w("spacing", { line: twips(Math.min(12, height)), lineRule: "exact" })));

/** In tables from right to left, Word counts the sides from the right. */
const bordersXml = (borders: Borders, rtl: boolean): string[] =>
  SIDES.map((side) => {
    const seen = rtl ? ({ left: "right", right: "left", top: "top", bottom: "bottom" } as const)[side] : side;
    return strokeXml(side, borders[seen]);
  });

/** Share of the cell's free height by which text in the middle may be off. */
const OFF_MAX = 0.2;

const verticalOf = (blocks: readonly Block[], top: number, bottom: number): "top" | "center" | "bottom" => {
  const above = Math.min(...blocks.map((block) => block.top)) - top;
  const below = bottom - Math.max(...blocks.map((block) => block.bottom));
  const free = above + below;
  if (!(free > 4) || above < 0.3 * free) {
    return "top";
  }
  return Math.abs(above - below) < OFF_MAX * free + 2 ? "center" : above > below ? "bottom" : "top";
};

/** @returns the table with what is right of Word's last column in that column */
const folded = (table: Table): Table => {
  if (table.xs.length - 1 <= COLUMNS_MAX) {
    return table;
  }
  const last = COLUMNS_MAX - 1;
  const cells = new Map<string, Cell>();
  for (const cell of table.cells) {
    const column = Math.min(last, cell.column);
    const key = `${cell.row} ${column}`;
    const known = cells.get(key);
    cells.set(key, {
      ...cell,
      column,
      columns: Math.min(cell.columns, COLUMNS_MAX - column),
      blocks: [...(known?.blocks ?? []), ...cell.blocks],
    });
  }
  return { ...table, xs: [...table.xs.slice(0, COLUMNS_MAX), table.xs.at(-1) ?? 0], cells: [...cells.values()] };
};
