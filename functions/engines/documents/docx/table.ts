import { Paragraph, Table, TableCell, TableLayoutType, TableRow, WidthType } from "docx";
import { attributeOf, type HtmlElement, type HtmlNode, isElement } from "../html/tree.ts";
import type { Block } from "./blocks.ts";
import { formatOf } from "./format.ts";
import { type Context, type State, spend } from "./state.ts";

interface Surroundings {
  readonly state: State;
  readonly blocksOf: (nodes: readonly HtmlNode[], context: Context, state: State) => Block[];
}

/** Maximum number of columns in Word, and twentieths of a point between the margins of an A4 page. */
const COLUMNS_MAX = 63;
const WIDTH = 9_026;

/** @returns a table with columns of equal width, which Word and LibreOffice then fit to their content */
export const tableOf = (element: HtmlElement, context: Context, surroundings: Surroundings): Table => {
  const rows = rowsOf(element);
  const columns = Math.min(COLUMNS_MAX, Math.max(1, ...rows.map(({ cells }) => widthOf(cells))));
  const inside = { ...context, lists: [], item: undefined, indent: 0, preformatted: false };
  return new Table({
    width: { size: WIDTH, type: WidthType.DXA },
    columnWidths: Array.from({ length: columns }, () => Math.floor(WIDTH / columns)),
    layout: TableLayoutType.AUTOFIT,
    visuallyRightToLeft: context.rightToLeft,
    rows: (rows.length === 0 ? [{ cells: [], heads: false }] : rows).map(
      ({ cells, heads }) =>
        new TableRow({
          // Some readers treat the attribute as true, whatever its value.
          ...(heads && { tableHeader: true }),
          children:
            cells.length === 0
              ? [new TableCell({ children: [new Paragraph("")] })]
              : cells.map((cell) => cellOf(cell, inside, surroundings)),
        }),
    ),
  });
};

interface Row {
  readonly cells: readonly HtmlElement[];
  /** Whether it is a header row, which Word repeats on every page. */
  readonly heads: boolean;
}

const rowsOf = (table: HtmlElement): Row[] => {
  const groups = table.childNodes.filter(isElement);
  const rows = groups.flatMap((group) =>
    (group.tagName === "tr" ? [group] : group.childNodes.filter(isElement))
      .filter(({ tagName }) => tagName === "tr")
      .map((row) => ({ cells: cellsOf(row), inHead: group.tagName === "thead" })),
  );
  return rows
    .filter(({ cells }) => cells.length > 0)
    .map(({ cells, inHead }, index) => ({
      cells,
      heads: inHead || (index === 0 && cells.every(({ tagName }) => tagName === "th")),
    }));
};

const cellsOf = (row: HtmlElement): HtmlElement[] => {
  const cells = row.childNodes.filter(isElement).filter(({ tagName }) => tagName === "td" || tagName === "th");
  let width = 0;
  return cells.filter((cell) => {
    width += spanOf(cell, "colspan");
    return width <= COLUMNS_MAX;
  });
};

const widthOf = (cells: readonly HtmlElement[]): number =>
  cells.reduce((sum, cell) => sum + spanOf(cell, "colspan"), 0);

/** Maximum row span of a cell. */
const SPAN_MAX = 1_000;

const spanOf = (cell: HtmlElement, name: "colspan" | "rowspan"): number => {
  const span = Number.parseInt(attributeOf(cell, name) ?? "1", 10);
  return span > 1 ? Math.min(span, name === "colspan" ? COLUMNS_MAX : SPAN_MAX) : 1;
};

const cellOf = (cell: HtmlElement, context: Context, { state, blocksOf }: Surroundings): TableCell => {
  const dir = attributeOf(cell, "dir");
  const inside = {
    ...context,
    format: formatOf(cell, context.format, state),
    rightToLeft: dir === undefined ? context.rightToLeft : dir === "rtl",
  };
  spend(state, 1);
  const children = blocksOf(cell.childNodes, inside, state);
  const last = children.at(-1);
  return new TableCell({
    // Word requires a paragraph at the end of every cell.
    children: last instanceof Paragraph ? children : [...children, new Paragraph("")],
    columnSpan: spanOf(cell, "colspan"),
    rowSpan: spanOf(cell, "rowspan"),
  });
};
