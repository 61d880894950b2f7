import { DECLARATION, MAIN, xmlText } from "./xlsx-parts.ts";
import { columnLetters, writeWorkbookParts } from "./xlsx-writer.ts";

/** A sheet whose cells have styles, in memory. */
export interface StyledSheet {
  readonly name: string;
  /** Widths of the columns in points. */
  readonly widths: readonly number[];
  readonly cells: readonly StyledCell[];
  /** Number of rows at the top that stay visible. */
  readonly frozenRows: number;
  /** Whether the first column is the rightmost. */
  readonly rtl: boolean;
}

export interface StyledCell {
  /** From 0. */
  readonly row: number;
  readonly column: number;
  /** Extent of merged cells. */
  readonly rows: number;
  readonly columns: number;
  /** @default the cell has only a style */
  readonly value?: string | number | undefined;
  /** Number format. @default general */
  readonly format?: string | undefined;
  readonly bold: boolean;
  /** Background color, `rrggbb`. */
  readonly fill?: string | undefined;
  readonly align?: "center" | "right" | undefined;
  /** @default no borders */
  readonly borders?: CellBorders | undefined;
  /** Whether long text continues in further lines of the cell. */
  readonly wraps: boolean;
}

/** Sides of a cell as displayed. */
export type CellBorders = Partial<Record<(typeof SIDES)[number], CellBorder | undefined>>;

export interface CellBorder {
  /** In points. */
  readonly width: number;
  /** `rrggbb`. */
  readonly color: string;
}

/** In the order of the file format. */
const SIDES = ["left", "right", "top", "bottom"] as const;

/** Writes an XLSX. The names of the sheets must be valid. */
export const writeStyledWorkbook = (path: string, sheets: readonly StyledSheet[]): Promise<void> => {
  const styles = styleTable();
  const parts = sheets.map((sheet) => {
    const xml = sheetXml(sheet, styles.numberOf);
    return { name: sheet.name, xml: () => [xml] };
  });
  return writeWorkbookParts(path, parts, styles.xml());
};

type CellStyle = Pick<StyledCell, "format" | "bold" | "fill" | "align" | "borders" | "wraps">;

/** Maximum number of cell formats that all programs support (Excel specifications and limits). */
const STYLES_MAX = 60_000;

/** Collects the styles of cells (ECMA-376-1:2016, 18.8). */
const styleTable = () => {
  const formats = new Map<string, number>();
  const fills = new Map<string, number>();
  const borders = new Map<string, number>();
  const styles = new Map<string, number>([["", 0]]);
  const numberIn = (known: Map<string, number>, key: string, first: number): number => {
    const number = known.get(key) ?? known.size + first;
    known.set(key, number);
    return number;
  };
  return {
    numberOf: ({ format, bold, fill, align, wraps, borders: sides = {} }: CellStyle): number => {
      const lines = borderXml(sides);
      const [number, background, border] = [
        format === undefined ? 0 : numberIn(formats, format, 164),
        fill === undefined ? 0 : numberIn(fills, fill, 2),
        lines === NO_BORDER ? 0 : numberIn(borders, lines, 1),
      ];
      const alignment = `${align ? ` horizontal="${align}"` : ""}${wraps ? ' wrapText="1"' : ""}`;
      const isPlain = number + background + border === 0 && !bold && alignment === "";
      const ids = `numFmtId="${number}" fontId="${bold ? 1 : 0}" fillId="${background}" borderId="${border}" xfId="0"`;
      const applied = 'applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1"';
      const xf = `<xf ${ids} ${applied}><alignment vertical="top"${alignment}/></xf>`;
      return isPlain || styles.size >= STYLES_MAX ? 0 : numberIn(styles, xf, 0);
    },
    xml: (): string =>
      stylesXml({ formats, fills, borders: [NO_BORDER, ...borders.keys()], styles: [...styles.keys()].slice(1) }),
  };
};

/** Thinnest lines, in points, that are written as medium and thick ones. */
const [MEDIUM, THICK] = [1.25, 2.25];

const borderXml = (borders: CellBorders): string => {
  const sides = SIDES.map((side) => {
    const { width, color } = borders[side] ?? { width: 0, color: "" };
    const style = width >= THICK ? "thick" : width >= MEDIUM ? "medium" : "thin";
    return color === "" ? `<${side}/>` : `<${side} style="${style}"><color rgb="FF${color.toUpperCase()}"/></${side}>`;
  });
  return `<border>${sides.join("")}<diagonal/></border>`;
};

const NO_BORDER = borderXml({});

interface StyleLists {
  readonly formats: ReadonlyMap<string, number>;
  readonly fills: ReadonlyMap<string, number>;
  readonly borders: readonly string[];
  readonly styles: readonly string[];
}

const stylesXml = ({ formats, fills, borders, styles }: StyleLists): string => {
  const codes = [...formats].map(([code, number]) => `<numFmt numFmtId="${number}" formatCode="${xmlText(code)}"/>`);
  const solid = (color: string) =>
    `<fill><patternFill patternType="solid"><fgColor rgb="FF${color}"/><bgColor indexed="64"/></patternFill></fill>`;
  const font = (bold: string) => `<font>${bold}<sz val="11"/><name val="Calibri"/></font>`;
  const plain = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>';
  return (
    `${DECLARATION}<styleSheet xmlns="${MAIN}">` +
    (codes.length > 0 ? `<numFmts count="${codes.length}">${codes.join("")}</numFmts>` : "") +
    `<fonts count="2">${font("")}${font("<b/>")}</fonts><fills count="${fills.size + 2}">` +
    '<fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
    `${[...fills.keys()].map((color) => solid(color.toUpperCase())).join("")}</fills>` +
    `<borders count="${borders.length}">${borders.join("")}</borders>` +
    `<cellStyleXfs count="1">${plain}</cellStyleXfs>` +
    `<cellXfs count="${styles.length + 1}">${plain.replace("/>", ' xfId="0"/>')}${styles.join("")}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
  );
};

const sheetXml = ({ widths, cells, frozenRows, rtl }: StyledSheet, styleOf: (style: CellStyle) => number): string => {
  const merged = cells.filter(({ rows, columns }) => rows * columns > 1);
  const columns = widths.map((width, index) => {
    const characters = ((Math.max(0, width) * POINT_PIXELS - PADDING_PIXELS) / DIGIT_PIXELS).toFixed(2);
    return `<col min="${index + 1}" max="${index + 1}" width="${characters}" customWidth="1"/>`;
  });
  const pane = `<pane ySplit="${frozenRows}" topLeftCell="A${frozenRows + 1}" activePane="bottomLeft" state="frozen"/>`;
  const rows = [...Map.groupBy(cells.flatMap(spread), ({ row }) => row)].toSorted(([one], [other]) => one - other);
  return (
    `${DECLARATION}<worksheet xmlns="${MAIN}">` +
    `<sheetViews><sheetView${rtl ? ' rightToLeft="1"' : ""} workbookViewId="0">${frozenRows > 0 ? pane : ""}</sheetView></sheetViews>` +
    `${columns.length > 0 ? `<cols>${columns.join("")}</cols>` : ""}<sheetData>` +
    rows.map(([row, inRow]) => rowXml(row, inRow, styleOf)).join("") +
    `</sheetData>${merged.length > 0 ? `<mergeCells count="${merged.length}">${merged.map(mergeXml).join("")}</mergeCells>` : ""}</worksheet>`
  );
};

/** Widths are in digits of Calibri 11, which have 7 pixels at 96 dpi, and 5 pixels of padding (18.3.1.13). */
const POINT_PIXELS = 96 / 72;
const [DIGIT_PIXELS, PADDING_PIXELS] = [7, 5];

/** @returns the cell, and the cells it covers, which only have its style; borders are those of the outer sides */
const spread = (cell: StyledCell): StyledCell[] =>
  Array.from({ length: cell.rows * cell.columns }, (_, index) => {
    const [down, across] = [Math.floor(index / cell.columns), index % cell.columns];
    const { left, right, top, bottom } = cell.borders ?? {};
    const borders = {
      left: across === 0 ? left : undefined,
      right: across === cell.columns - 1 ? right : undefined,
      top: down === 0 ? top : undefined,
      bottom: down === cell.rows - 1 ? bottom : undefined,
    };
    const value = index === 0 ? cell.value : undefined;
    return { ...cell, row: cell.row + down, column: cell.column + across, value, borders };
  });

const placeOf = (row: number, column: number): string => `${columnLetters(column)}${row + 1}`;

const mergeXml = ({ row, column, rows, columns }: StyledCell): string =>
  `<mergeCell ref="${placeOf(row, column)}:${placeOf(row + rows - 1, column + columns - 1)}"/>`;

const rowXml = (row: number, cells: readonly StyledCell[], styleOf: (style: CellStyle) => number): string => {
  const ordered = cells.toSorted((one, other) => one.column - other.column);
  return `<row r="${row + 1}">${ordered.map((cell) => cellXml(cell, styleOf)).join("")}</row>`;
};

const cellXml = (cell: StyledCell, styleOf: (style: CellStyle) => number): string => {
  const { row, column, value } = cell;
  const style = styleOf(cell);
  const start = `<c r="${placeOf(row, column)}"${style === 0 ? "" : ` s="${style}"`}`;
  if (value === undefined) {
    return style === 0 ? "" : `${start}/>`;
  }
  return typeof value === "number"
    ? `${start}><v>${value}</v></c>`
    : `${start} t="inlineStr"><is><t xml:space="preserve">${xmlText(value)}</t></is></c>`;
};
