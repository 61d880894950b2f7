import type { FormatId } from "../../../formats/formats.ts";
import type { ConversionRow } from "../../conversion.ts";
import type { OptionName } from "../../options.ts";
import { CSV_RULES } from "./csv-rules.ts";

const SPREADSHEETS = ["xlsx", "xls", "xlsb", "ods", "fods", "numbers"] as const satisfies readonly FormatId[];
const without = (target: FormatId): FormatId[] => SPREADSHEETS.filter((format) => format !== target);

const CSV = ["encoding", "delimiter", "header"] as const satisfies readonly OptionName[];
const TSV = ["encoding", "header"] as const satisfies readonly OptionName[];

/** LibreOffice computes formulas without stored results. */
const COMPUTED = { helper: "soffice" } as const;

const WRITING_MS = { xlsx: 400, xls: 800, xlsb: 1_600, ods: 800 };

/** All of them lose cell styles, and SheetJS writes no formulas to the binary formats. */
const intoSpreadsheet = (to: "xlsx" | "xls" | "xlsb" | "ods"): ConversionRow[] => {
  const row = { to, fidelity: "lossless", costMs: WRITING_MS[to] } as const;
  return [
    {
      ...row,
      ...COMPUTED,
      from: without(to),
      options: ["sheet"],
      loses: to === "xls" || to === "xlsb" ? ["styles", "formulas"] : ["styles"],
    },
    { ...row, from: ["csv"], options: CSV },
    { ...row, from: ["tsv"], options: TSV },
    { ...row, from: ["json"], options: ["encoding"] },
  ];
};

/** Spreadsheets, both ways. */
export const sheetConversions: readonly ConversionRow[] = [
  ...(["xlsx", "xls", "xlsb", "ods"] as const).flatMap(intoSpreadsheet),
  {
    ...COMPUTED,
    from: SPREADSHEETS,
    to: "csv",
    fidelity: "lossless",
    options: ["sheet", "delimiter", "values"],
    rules: CSV_RULES,
    costMs: 400,
  },
  { ...COMPUTED, from: SPREADSHEETS, to: "tsv", fidelity: "lossless", options: ["sheet", "values"], costMs: 400 },
  {
    ...COMPUTED,
    from: SPREADSHEETS,
    to: "json",
    fidelity: "lossless",
    options: ["sheet", "header", "indent", "values"],
    costMs: 400,
  },
  { ...COMPUTED, from: SPREADSHEETS, to: "html", fidelity: "content_only", options: ["sheet"], costMs: 400 },
  { from: ["csv"], to: "html", fidelity: "lossless", options: CSV, costMs: 60 },
  { from: ["tsv"], to: "html", fidelity: "lossless", options: TSV, costMs: 60 },
];
