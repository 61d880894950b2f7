import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { read as readWorkbook } from "@e965/xlsx";
import { describe, expect, test } from "vitest";
import { writeStyledWorkbook } from "../../../functions/engines/data/sheets/styled-workbook.ts";
import type {
  Block,
  Cell,
  DocumentLayout,
  PageLayout,
  Paragraph,
  Run,
  Table,
} from "../../../functions/engines/pdf/pdfium/layout/model.ts";
import { sheetsOf } from "../../../functions/engines/pdf/pdfium/write/sheets.ts";
import { styledSheets } from "../../../functions/engines/pdf/pdfium/write/write-sheets.ts";
import { scratchFolder } from "../support/scratch.ts";
import { PYTHON, withPython } from "../support/tools.ts";

/** Workbooks of known layouts, opened by openpyxl and SheetJS. */

const scratch = scratchFolder();
const BOX = { left: 0, top: 0, right: 100, bottom: 10 };
const STYLE = { bold: false, italic: false, mono: false, size: 10, font: "Arial", serif: false, color: "000000" };

const paragraph = (...runs: readonly (Partial<Run> & { readonly text: string })[]): Paragraph => ({
  ...BOX,
  kind: "paragraph",
  runs: runs.map((run) => ({ ...STYLE, ...run })),
  lines: [],
  align: "start",
  ...{ indentLeft: 0, indentRight: 0, firstLine: 0, spaceBefore: 0, lineHeight: 0 },
  rtl: false,
  open: false,
});

type Content = string | Paragraph | (Partial<Cell> & { readonly text: string });

const cellOf = (content: Content, row: number, column: number): Cell => {
  const { text, ...rest } = typeof content === "object" && "text" in content ? content : { text: content };
  const blocks = [typeof text === "string" ? paragraph({ text }) : text];
  return { row, column, rows: 1, columns: 1, borders: {}, blocks, ...rest };
};

const tableOf = (rows: readonly (readonly Content[])[], more: Partial<Table> = {}): Table => {
  const columns = Math.max(...rows.map(({ length }) => length));
  return {
    ...BOX,
    kind: "table",
    xs: Array.from({ length: columns + 1 }, (_, index) => 72 * index),
    ys: Array.from({ length: rows.length + 1 }, (_, index) => 20 * index),
    cells: rows.flatMap((row, number) => row.map((content, column) => cellOf(content, number, column))),
    headerRows: 1,
    found: "rules",
    rtl: false,
    spaceBefore: 0,
    open: false,
    ...more,
  };
};

const layoutOf = (...pages: readonly (readonly Block[])[]): DocumentLayout => ({
  pages: pages.map(
    (blocks, index): PageLayout => ({
      number: index + 1,
      ...{ width: 600, height: 800, rtl: false, scanned: false },
      sections: [{ ...BOX, columns: [{ ...BOX, blocks }] }],
      ...{ header: [], footer: [], notes: [], floats: [], turned: [] },
    }),
  ),
  bodySize: 10,
  missing: [],
  empty: false,
});

const workbookOf = async (layout: DocumentLayout, by: "each" | "page" = "each"): Promise<string> => {
  const path = `${scratch.fresh()}.xlsx`;
  await writeStyledWorkbook(path, styledSheets(sheetsOf(layout, by).sheets, { cut: 0 }));
  return path;
};

const PROGRAM = `
import openpyxl, sys, json
def cell(c):
    fill = c.fill.fgColor.rgb if c.fill.fill_type else None
    return [str(c.value) if getattr(c, "is_date", False) else c.value, c.number_format, c.font.b, fill]
book = openpyxl.load_workbook(sys.argv[1])
print(json.dumps([{
    "name": s.title, "frozen": s.freeze_panes, "merged": sorted(str(r) for r in s.merged_cells.ranges),
    "widths": [round(s.column_dimensions[k].width) for k in sorted(s.column_dimensions)],
    "rtl": bool(s.sheet_view.rightToLeft),
    "rows": [[cell(c) for c in r] for r in s.iter_rows()]} for s in book.worksheets]))
`;

interface Opened {
  readonly name: string;
  readonly frozen: string | null;
  readonly merged: readonly string[];
  readonly widths: readonly number[];
  readonly rtl: boolean;
  readonly rows: readonly (readonly (readonly [unknown, string, boolean, string | null])[])[];
}

const opened = (path: string): Opened[] =>
  JSON.parse(execFileSync(PYTHON, ["-c", PROGRAM, path], { encoding: "utf8" }));

const valuesOf = ({ rows }: Opened) => rows.map((row) => row.map(([value]) => value));

describe.skipIf(!withPython("openpyxl"))("a workbook", () => {
  test("has typed values with formats, and a bold, frozen header", async () => {
    const rows = [
      ["Item", "Units", "Price", "Share", "Date", "Code"],
      ["Apples", "3,665", "$5.10", "3.2%", "2024-04-03", "007"],
      ["Pears", "(1,234)", "$1,000.00", "12%", "3 April 2024", "12"],
    ];
    const [sheet] = opened(await workbookOf(layoutOf([tableOf(rows)])));
    expect(sheet?.rows[0]?.map(([value, , bold]) => [value, bold])).toEqual(rows[0]?.map((name) => [name, true]));
    expect(sheet?.rows[1]?.map(([value, format, bold]) => [value, format, bold])).toEqual([
      ["Apples", "General", false],
      [3665, "#,##0", false],
      [5.1, '"$"0.00', false],
      [0.032, "0.0%", false],
      ["2024-04-03 00:00:00", "yyyy\\-mm\\-dd", false],
      ["007", "General", false],
    ]);
    expect(sheet && valuesOf(sheet)[2]).toEqual(["Pears", -1234, 1000, 0.12, "2024-04-03 00:00:00", "12"]);
    expect(sheet).toMatchObject({ name: "Page 1 table 1", frozen: "A2", merged: [], rtl: false });
    expect(sheet?.widths[0]).toBe(13);
  });

  test("has the borders of cells, and of merged cells on the outside only", async () => {
    const [thin, thick] = [
      { width: 0.5, color: "000000" },
      { width: 3, color: "ff0000" },
    ];
    const merged = { text: "Sum", columns: 2, borders: { left: thin, right: thin, top: thick } };
    const path = await workbookOf(layoutOf([tableOf([["A", "B"], [merged]])]));
    const program = `
import openpyxl, sys, json
side = lambda s: [s.style, s.color.rgb] if s is not None and s.style else None
sheet = openpyxl.load_workbook(sys.argv[1]).worksheets[0]
print(json.dumps([[side(getattr(sheet[at].border, name)) for name in ("left", "right", "top", "bottom")] for at in ("A1", "A2", "B2")]))
`;
    expect(JSON.parse(execFileSync(PYTHON, ["-c", program, path], { encoding: "utf8" }))).toEqual([
      [null, null, null, null],
      // openpyxl shows the borders of all merged cells for the first one.
      [["thin", "FF000000"], ["thin", "FF000000"], ["thick", "FFFF0000"], null],
      [null, ["thin", "FF000000"], ["thick", "FFFF0000"], null],
    ]);
  });

  test("has numbers with decimal commas if the document's other numbers have them", async () => {
    const [sheet] = opened(await workbookOf(layoutOf([tableOf([["Betrag"], ["1.234,56"], ["1.000"], ["12,5 %"]])])));
    expect(sheet && valuesOf(sheet)).toEqual([["Betrag"], [1234.56], [1000], [0.125]]);
  });

  test("takes no row of amounts for a header, and no numbers of columns for negative ones", async () => {
    const rows = [
      ["Total. . . . .", "1,000", "2.50"],
      ["(1)", "(2)", "(3)"],
      ["a", "(5)", "7"],
    ];
    const [sheet] = opened(await workbookOf(layoutOf([tableOf(rows)])));
    expect(sheet?.frozen).toBeNull();
    expect(sheet && valuesOf(sheet)).toEqual([
      ["Total", 1000, 2.5],
      ["(1)", "(2)", "(3)"],
      ["a", -5, 7],
    ]);
  });

  test("never glues superscripts to numbers", async () => {
    const number = paragraph({ text: "8,935,112" }, { text: "3", shift: "above" });
    const text = paragraph({ text: "Total" }, { text: "12", shift: "above" });
    const [sheet] = opened(
      await workbookOf(
        layoutOf([
          tableOf([
            ["Name", "Sum"],
            [text, number],
            ["x", "7¹"],
          ]),
        ]),
      ),
    );
    expect(sheet && valuesOf(sheet)).toEqual([
      ["Name", "Sum"],
      ["Total¹²", 8935112],
      ["x", 7],
    ]);
  });

  test("keeps merged cells, fills, bold text and lines of cells", async () => {
    const cells: Cell[] = [
      { ...cellOf("Europe", 0, 0), columns: 2, fill: "ffcc00" },
      cellOf("", 0, 2),
      { ...cellOf("a", 1, 0), rows: 2 },
      {
        ...cellOf("b", 1, 1),
        blocks: [paragraph({ text: "one", bold: true }), paragraph({ text: "two", bold: true })],
      },
      cellOf("c", 1, 2),
      cellOf("d", 2, 1),
      cellOf("e", 2, 2),
    ];
    const table = { ...tableOf([["", "", ""], [], []]), cells, headerRows: 0 };
    const [sheet] = opened(await workbookOf(layoutOf([table])));
    expect(sheet).toMatchObject({ merged: ["A1:B1", "A2:A3"], frozen: null });
    expect(sheet?.rows[0]?.map(([, , , fill]) => fill)).toEqual(["FFFFCC00", null, null]);
    expect(sheet?.rows[1]?.[1]).toEqual(["one\ntwo", "General", true, null]);
  });

  test("reads dates in the order of those in other tables", async () => {
    const tables = ["03/04/2024", "13/04/2024"].map((date) => tableOf([["Date"], [date]]));
    const sheets = opened(await workbookOf(layoutOf(tables)));
    expect(sheets.map((sheet) => valuesOf(sheet)[1]?.[0])).toEqual(["2024-04-03 00:00:00", "2024-04-13 00:00:00"]);
  });

  test("names sheets after captions or pages, validly and once", async () => {
    const [one, two, three] = [["a"], ["b"], ["c"]].map((row) => tableOf([row, ["1"]]));
    const caption = paragraph({ text: "Table 2: Sales [EUR] by region and month of the year" });
    const pages = [
      [one, paragraph({ text: "Some words." }), two],
      [caption, three],
    ] as Block[][];
    const sheets = opened(await workbookOf(layoutOf(...pages)));
    expect(sheets.map(({ name }) => name)).toEqual([
      "Page 1 table 1",
      "Page 1 table 2",
      "Table 2_ Sales _EUR_ by region ",
    ]);
  });

  test("has a table that continues over pages in one sheet, without repeated headers", async () => {
    const parts = [1, 2, 3].map((part) =>
      tableOf(
        [
          ["Name", "Sum"],
          [`row ${part}`, String(part)],
        ],
        { open: part < 3 },
      ),
    );
    const last = tableOf([
      ["Other", "Table"],
      ["x", "9"],
    ]);
    const sheets = opened(await workbookOf(layoutOf(...parts.map((part) => [part]), [last])));
    expect(sheets.map(valuesOf)).toEqual([
      [
        ["Name", "Sum"],
        ["row 1", 1],
        ["row 2", 2],
        ["row 3", 3],
      ],
      [
        ["Other", "Table"],
        ["x", 9],
      ],
    ]);
  });

  test("places a continuation that lacks a column by its position", async () => {
    const first = tableOf(
      [
        ["Name", "Note", "Sum"],
        ["a", "x", "1"],
      ],
      { open: true },
    );
    const rest = tableOf([["b", "2"]], { headerRows: 0, xs: [0, 140, 216] });
    const [sheet] = opened(await workbookOf(layoutOf([first], [rest])));
    expect(sheet && valuesOf(sheet)[2]).toEqual(["b", null, 2]);
  });

  test("reads a table from right to left in a sheet of that direction", async () => {
    const [sheet] = opened(
      await workbookOf(
        layoutOf([
          tableOf(
            [
              ["سعر", "اسم"],
              ["5", "تفاح"],
            ],
            { rtl: true },
          ),
        ]),
      ),
    );
    expect(sheet).toMatchObject({ rtl: true });
    expect(sheet && valuesOf(sheet)).toEqual([
      ["اسم", "سعر"],
      ["تفاح", 5],
    ]);
  });

  test("has a sheet for each page, with tables and text from top to bottom, if requested", async () => {
    const table = tableOf([
      ["Name", "Sum"],
      ["a", "1,000"],
    ]);
    const layout = layoutOf([paragraph({ text: "Report" }), table, paragraph({ text: "The end." })], [table]);
    const sheets = opened(await workbookOf(layout, "page"));
    expect(sheets.map(({ name, frozen }) => [name, frozen])).toEqual([
      ["Page 1", null],
      ["Page 2", null],
    ]);
    expect(sheets[0] && valuesOf(sheets[0])).toEqual([
      ["Report", null],
      ["Name", "Sum"],
      ["a", 1000],
      ["The end.", null],
    ]);
  });
});

test("another program opens the same workbook", async () => {
  const { SheetNames, Sheets } = readWorkbook(readFileSync(await workbookOf(layoutOf([tableOf([["n"], ["3,665"]])]))));
  expect(Sheets[SheetNames[0] ?? ""]?.A2).toMatchObject({ t: "n", v: 3665, w: "3,665" });
});
