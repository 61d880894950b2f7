import type { Table } from "./blocks.ts";
import { LEADERS, type Line, lineText } from "./lines.ts";
import { isStandIn, joinRuns, type Piece, type Run, textOf } from "./pieces.ts";

/** Lines that form a table, and how many of the inspected lines they cover. */
export interface FoundTable {
  readonly table: Table;
  readonly lines: number;
}

const ROWS_MIN = 2;
const COLUMNS_MAX = 100;

/**
 * Checks whether a table starts at the first line: consecutive lines whose pieces form columns, with white space
 * between them.
 */
export const tableAt = (lines: readonly Line[]): FoundTable | undefined => {
  const [first] = lines;
  if (first === undefined || first.pieces.length < 2 || LEADERS.test(lineText(first))) {
    return undefined;
  }
  let columns: Column[] = columnsWith([], first);
  let count = 1;
  for (const line of lines.slice(1)) {
    const previous = lines[count - 1] ?? first;
    const wider = columnsWith(columns, line);
    const far = line.top - previous.bottom > ROW_GAP_MAX * line.size;
    if (far || wider.length > COLUMNS_MAX || !continues(line, columns, previous)) {
      break;
    }
    columns = wider;
    count += 1;
  }
  const used = withoutTail(lines.slice(0, count));
  return isTable(used, columns)
    ? { table: tableOf(used, sortedColumns(columns, first.rtl)), lines: used.length }
    : undefined;
};

/** In units of the letter size: maximum gap between two rows. */
const ROW_GAP_MAX = 2.5;

/** The combined horizontal extent of a column's pieces. */
interface Column {
  readonly left: number;
  readonly right: number;
}

const meets = (column: Column, { left, right, size }: Piece): boolean =>
  Math.min(column.right, right) - Math.max(column.left, left) > -GUTTER * size;

/** In units of the letter size: minimum white space between columns. */
const GUTTER = 0.3;

const columnsWith = (columns: readonly Column[], { pieces }: Line): Column[] =>
  pieces.reduce<Column[]>(
    (known, piece) => {
      const met = known.filter((column) => meets(column, piece));
      const merged = {
        left: Math.min(piece.left, ...met.map(({ left }) => left)),
        right: Math.max(piece.right, ...met.map(({ right }) => right)),
      };
      return [...known.filter((column) => !met.includes(column)), merged];
    },
    [...columns],
  );

/** A row has at least two cells, none of which spans two columns; a line with one piece may continue a cell above. */
const continues = (line: Line, columns: readonly Column[], previous: Line): boolean => {
  const met = line.pieces.map((piece) => columns.filter((column) => meets(column, piece)));
  if (met.some(({ length }) => length > 1) || LEADERS.test(lineText(line)) || isStandIn(line.pieces[0])) {
    return false;
  }
  const cells = new Set(met.flat());
  if (line.pieces.length > 1) {
    return cells.size > 0;
  }
  return cells.size === 1 && line.top - previous.bottom < WRAP_GAP_MAX * line.size;
};

/** In units of the letter size: maximum gap between two lines of one cell. */
const WRAP_GAP_MAX = 0.9;

/** @returns the lines without single-piece lines at the end: text after a table is also below one of its columns */
const withoutTail = (lines: readonly Line[]): readonly Line[] =>
  lines.slice(0, lines.findLastIndex(({ pieces }) => pieces.length > 1) + 1);

const isTable = (lines: readonly Line[], columns: readonly Column[]): boolean => {
  const rows = lines.filter(({ pieces }) => pieces.length > 1);
  const enough = rows.length > ROWS_MIN || (rows.length === ROWS_MIN && columns.length > 2);
  // Wide gaps in a paragraph also produce pieces, but only in a few lines.
  return enough && columns.length >= 2 && rows.length * 2 >= lines.length;
};

const sortedColumns = (columns: readonly Column[], rtl: boolean): Column[] =>
  columns.toSorted((one, other) => (rtl ? other.left - one.left : one.left - other.left));

const tableOf = (lines: readonly Line[], columns: readonly Column[]): Table => {
  const rows: Run[][][] = [];
  const gap = rowGap(lines);
  for (const [index, line] of lines.entries()) {
    const cells = columns.map((column) =>
      joinRuns(line.pieces.filter((piece) => meets(column, piece)).flatMap((piece) => piece.runs)),
    );
    const above = rows.at(-1);
    const wrapped =
      above !== undefined && isWrapped(cells, line.top - (lines[index - 1]?.bottom ?? 0), gap * line.size);
    if (wrapped) {
      rows[rows.length - 1] = above.map((cell, at) => continued(cell, cells[at] ?? []));
    } else {
      rows.push(cells);
    }
  }
  return { kind: "table", rows, header: isHeader(rows), starts: columns.map(({ left }) => left) };
};

/** @returns the typical white space between rows, in units of the letter size: lines of one cell are closer */
const rowGap = (lines: readonly Line[]): number => {
  const gaps = lines.slice(1).flatMap((line, index) => {
    const above = lines[index];
    return above === undefined || line.pieces.length < 2 ? [] : [(line.top - above.bottom) / line.size];
  });
  return Math.max(...gaps, 0);
};

/** A line without a first cell continues the row above if it is closer to it than rows are to each other. */
const isWrapped = (cells: readonly (readonly Run[])[], gap: number, usual: number): boolean => {
  const [first] = cells;
  const filled = cells.filter(({ length }) => length > 0).length;
  return (first?.length === 0 || filled === 1) && gap < 0.7 * usual;
};

const continued = (cell: readonly Run[], more: readonly Run[]): Run[] =>
  cell.length === 0 || more.length === 0
    ? [...cell, ...more]
    : joinRuns([...cell, ...more.map((run, index) => (index === 0 ? { ...run, text: ` ${run.text}` } : run))]);

/** @returns whether the first row is a header: the only bold row, or the only row without numbers */
export const isHeader = ([first, ...others]: readonly (readonly (readonly Run[])[])[]): boolean => {
  const cells = (first ?? []).filter(({ length }) => length > 0);
  const bold = (row: readonly (readonly Run[])[]) =>
    row.some((cell) => cell.length > 0) && row.flat().every((run) => run.bold);
  if (first !== undefined && bold(first) && !others.every(bold)) {
    return true;
  }
  const numeric = (cell: readonly Run[] | undefined) => cell !== undefined && /^[\s\d.,%€$£()+-]+$/.test(textOf(cell));
  return (
    cells.length === first?.length &&
    !cells.some(numeric) &&
    cells.some((_, column) => others.length > 1 && others.every((row) => numeric(row[column])))
  );
};
