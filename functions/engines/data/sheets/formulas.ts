import { join } from "node:path";
import type { WorkBook, WorkSheet } from "@e965/xlsx";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import { type EngineTask, HelperNeeded } from "../../core/engine.ts";
import { holds } from "./cells.ts";

/**
 * Formulas without a stored result, as programs write them that do not compute: in XLSX a cell without a value, in
 * OpenDocument one without a type. A tag never contains `<`, so each is scanned once.
 */
const OPEN_FORMULAS = [
  {
    hint: "<f",
    cells: /<c\b(?![^<>]*\bt="str")[^<>]*>\s*<f\b[^<>]*(?:\/>|>[^<]*<\/f>)\s*(?:<v\s*(?:\/>|>\s*<\/v>)\s*)?<\/c>/g,
  },
  {
    hint: "table:formula",
    cells: /<table:table-cell\b(?=[^<>]*\btable:formula=)(?![^<>]*\boffice:value-type=)[^<>]*>/g,
  },
];

/** @returns the number of formulas without a stored result in a part of a workbook: the XML of a sheet, or of all */
export const countOpenFormulas = (part: Buffer): number =>
  OPEN_FORMULAS.reduce(
    (sum, { hint, cells }) => sum + (part.includes(hint) ? (part.toString("latin1").match(cells)?.length ?? 0) : 0),
    0,
  );

/**
 * Computes the formulas that have no stored result with LibreOffice, if the deployment has it. All other cells keep
 * their stored values.
 *
 * @param workbook gets the results
 * @param open the number of formulas without a stored result
 * @param reread reads the computed workbook, an XLSX
 * @returns warnings for the client
 * @throws HelperNeeded if another lane has LibreOffice
 */
export const computeFormulas = async (
  workbook: WorkBook,
  open: number,
  task: EngineTask,
  reread: (path: string) => Promise<WorkBook>,
): Promise<Warning[]> => {
  if (open === 0) {
    return [];
  }
  if (task.helper === "elsewhere") {
    throw new HelperNeeded();
  }
  const computed = task.helper === "here" ? await computedWorkbook(task, reread) : undefined;
  if (computed === undefined) {
    return [notComputed(open)];
  }
  for (const [name, sheet] of Object.entries(workbook.Sheets)) {
    fillFrom(computed.Sheets[name], sheet);
  }
  return [];
};

/** @returns the computed workbook; undefined if LibreOffice cannot open the source */
const computedWorkbook = async (
  task: EngineTask,
  reread: (path: string) => Promise<WorkBook>,
): Promise<WorkBook | undefined> => {
  const output = join(task.folder, "computed.xlsx");
  const { convertByOffice } = await import("../../documents/soffice/convert-office.ts");
  try {
    await convertByOffice({ ...task, to: "xlsx", output, options: {} }, { computes: true });
    return await reread(output);
  } catch (error) {
    // The cells have been read, so the file is not at fault.
    if (error instanceof JobError && REFUSED.includes(error.code)) {
      return undefined;
    }
    throw error;
  }
};

const REFUSED: readonly JobError["code"][] = ["source_corrupt", "source_mismatch", "unsupported_feature"];

/** Copies the results of formulas into cells without a value. */
const fillFrom = (computed: WorkSheet | undefined, sheet: WorkSheet): void => {
  const data = sheet["!data"] ?? [];
  // Rows and cells can be missing.
  for (const [row, cells] of Object.entries(computed?.["!data"] ?? [])) {
    for (const [column, cell] of Object.entries(cells ?? [])) {
      const known = data[Number(row)] ?? [];
      if (cell?.f !== undefined && holds(cell) && !holds(known[Number(column)])) {
        known[Number(column)] = cell;
        data[Number(row)] = known;
      }
    }
  }
  sheet["!data"] = data;
};

const notComputed = (count: number): Warning => ({
  code: "formulas_not_computed",
  detail:
    `Formulas without a stored result were not computed: ${count}. Their cells are empty. To store the results, open ` +
    "and save the workbook in a spreadsheet program.",
});
