import type { FormatId } from "../../domain/formats/formats.ts";
import type { Engine, EngineResult, EngineTask } from "../core/engine.ts";
import { fromSpreadsheet } from "./sheets/from-spreadsheet.ts";
import { writeHtmlOfText } from "./sheets/html.ts";
import { intoSpreadsheet } from "./sheets/into-spreadsheet.ts";

/**
 * Spreadsheets with SheetJS: reads and writes XLSX, XLS, XLSB and ODS, reads FODS and Numbers; converts them from and
 * to CSV, TSV and JSON, and to HTML. A streaming writer in this folder creates XLSX from tables of any size.
 */
export const sheetsEngine: Engine = {
  name: "sheets",
  version: async () => (await import("@e965/xlsx")).version,
  convert: (task) => {
    const read = READERS[task.from] ?? fromSpreadsheet;
    return read(task);
  },
};

const fromText = (task: EngineTask): Promise<EngineResult> =>
  task.to === "html" ? writeHtmlOfText(task) : intoSpreadsheet(task);

const READERS: Partial<Record<FormatId, (task: EngineTask) => Promise<EngineResult>>> = {
  csv: fromText,
  tsv: fromText,
  json: fromText,
};
