import type { WorkBook } from "@e965/xlsx";
import type { Options } from "../../../domain/conversions/options.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import { type Grid, gridOf } from "./cells.ts";

/** A sheet to convert. */
export interface ChosenSheet {
  readonly name: string;
  readonly grid: Grid;
}

/** @returns the names of the requested sheets, by default all. Chart sheets are excluded. */
export const chosenNames = ({ SheetNames, Sheets }: WorkBook, { sheet }: Options): string[] => {
  const names = SheetNames.filter((name) => Sheets[name]?.["!type"] !== "chart");
  if (sheet === undefined) {
    return names;
  }
  const found =
    typeof sheet === "number"
      ? names[sheet - 1]
      : (names.find((name) => name === sheet) ?? names.find((name) => name.toLowerCase() === sheet.toLowerCase()));
  if (found === undefined) {
    const known = names.slice(0, 20).join(", ").slice(0, 500);
    throw new JobError(
      "unsupported_feature",
      `Sheet ${sheet} does not exist. The workbook has ${names.length}: ${known}.`,
      { isFinal: true },
    );
  }
  return [found];
};

/** @returns the requested sheets without empty ones, unless all are empty */
export const chosenSheets = (workbook: WorkBook, options: Options): ChosenSheet[] => {
  const sheets = chosenNames(workbook, options).map((name) => ({ name, grid: gridOf(workbook.Sheets[name] ?? {}) }));
  const filled = sheets.filter(({ grid }) => grid.rows.length > 0);
  return filled.length > 0 ? filled : sheets.slice(0, 1);
};

/** @returns warnings for hidden sheets that are in the result, and for charts that are not */
export const sheetWarnings = (workbook: WorkBook, names: readonly string[]): Warning[] => {
  const hidden = (workbook.Workbook?.Sheets ?? [])
    .filter(({ Hidden }) => Hidden !== undefined && Hidden > 0)
    .flatMap(({ name }) => (name !== undefined && names.includes(name) ? [name] : []));
  const charts = workbook.SheetNames.filter((name) => workbook.Sheets[name]?.["!type"] === "chart");
  return [
    ...(hidden.length === 0
      ? []
      : [
          {
            code: "hidden_sheets",
            detail: `The result includes sheets that are hidden in the workbook: ${listed(hidden)}.`,
          },
        ]),
    ...(charts.length === 0
      ? []
      : [{ code: "charts_dropped", detail: `Chart sheets were left out: ${listed(charts)}.` }]),
  ];
};

const listed = (names: readonly string[]): string => names.join(", ").slice(0, 500);
