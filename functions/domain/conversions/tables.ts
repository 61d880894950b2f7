import type { ConversionRow } from "../conversion.ts";
import type { FormatId } from "../formats.ts";
import type { OptionName } from "../options.ts";

const SPREADSHEETS = ["xlsx", "xls", "xlsb", "ods", "fods", "numbers"] as const satisfies readonly FormatId[];
const without = (target: FormatId): FormatId[] => SPREADSHEETS.filter((format) => format !== target);

/** How a CSV, and how any text of tables is read. */
const CSV = ["encoding", "delimiter", "header"] as const satisfies readonly OptionName[];
const TSV = ["encoding", "header"] as const satisfies readonly OptionName[];

/** Rows as they are, by code of our own: CSV, TSV, JSON and NDJSON into each other, DBF into them. */
const byRecords: readonly ConversionRow[] = (
  [
    { from: ["csv"], to: "tsv", options: ["encoding", "delimiter"] },
    { from: ["tsv"], to: "csv", options: ["encoding", "delimiter"] },
    { from: ["csv"], to: "json", options: [...CSV, "indent"] },
    { from: ["tsv"], to: "json", options: [...TSV, "indent"] },
    { from: ["csv"], to: "ndjson", options: CSV },
    { from: ["tsv"], to: "ndjson", options: TSV },
    { from: ["json", "ndjson"], to: "csv", options: ["encoding", "delimiter"] },
    { from: ["json", "ndjson"], to: "tsv", options: ["encoding"] },
    { from: ["json"], to: "ndjson", options: ["encoding"] },
    { from: ["ndjson"], to: "json", options: ["encoding", "indent"] },
    { from: ["dbf"], to: "csv", options: ["encoding", "delimiter"] },
    { from: ["dbf"], to: "json", options: ["encoding", "indent"] },
  ] as const
).map((row) => ({ ...row, engine: "records", fidelity: "lossless", costMs: 100 }));

const byDuckdb: readonly ConversionRow[] = (
  [
    { from: ["csv"], to: "parquet", options: CSV },
    { from: ["tsv"], to: "parquet", options: TSV },
    { from: ["json", "ndjson"], to: "parquet", options: ["encoding"] },
    { from: ["parquet"], to: "csv", options: ["delimiter"] },
    { from: ["parquet"], to: "json", options: ["indent"] },
    { from: ["parquet"], to: "tsv", options: [] },
    { from: ["parquet"], to: "ndjson", options: [] },
  ] as const
).map((row) => ({ ...row, engine: "duckdb", fidelity: "lossless", costMs: 120 }));

const WRITING_MS = { xlsx: 400, xls: 800, xlsb: 1_600, ods: 800 };

/** The looks of cells stay behind in all of them, and SheetJS writes no formulas into the binary ones. */
const intoSpreadsheet = (to: "xlsx" | "xls" | "xlsb" | "ods"): ConversionRow[] => {
  const row = { to, engine: "sheets", fidelity: "lossless", costMs: WRITING_MS[to] } as const;
  return [
    {
      ...row,
      from: without(to),
      options: ["sheet"],
      drops: to === "xls" || to === "xlsb" ? ["styles", "formulas"] : ["styles"],
    },
    { ...row, from: ["csv"], options: CSV },
    { ...row, from: ["tsv"], options: TSV },
    { ...row, from: ["json"], options: ["encoding"] },
  ];
};

const bySheets: readonly ConversionRow[] = [
  ...(["xlsx", "xls", "xlsb", "ods"] as const).flatMap(intoSpreadsheet),
  ...(
    [
      { from: SPREADSHEETS, to: "csv", options: ["sheet", "delimiter"] },
      { from: SPREADSHEETS, to: "tsv", options: ["sheet"] },
      { from: SPREADSHEETS, to: "json", options: ["sheet", "header", "indent"] },
    ] as const
  ).map((row) => ({ ...row, engine: "sheets" as const, fidelity: "lossless" as const, costMs: 400 })),
  {
    from: SPREADSHEETS,
    to: "html",
    engine: "sheets",
    fidelity: "content_only",
    options: ["sheet"],
    costMs: 400,
  },
  { from: ["csv"], to: "html", engine: "sheets", fidelity: "lossless", options: CSV, costMs: 60 },
  { from: ["tsv"], to: "html", engine: "sheets", fidelity: "lossless", options: TSV, costMs: 60 },
];

const bySqlite: readonly ConversionRow[] = (
  [
    { from: ["sqlite"], to: "csv", options: ["table", "delimiter"] },
    { from: ["sqlite"], to: "json", options: ["table", "indent"] },
    { from: ["sqlite"], to: "ndjson", options: ["table"] },
    { from: ["csv"], to: "sqlite", options: CSV },
    { from: ["tsv"], to: "sqlite", options: TSV },
    { from: ["json", "ndjson"], to: "sqlite", options: ["encoding"] },
  ] as const
).map((row) => ({ ...row, engine: "sqlite", fidelity: "lossless", costMs: 60 }));

export const tableConversions: readonly ConversionRow[] = [...byRecords, ...byDuckdb, ...bySheets, ...bySqlite];
