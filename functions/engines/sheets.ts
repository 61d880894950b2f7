import type { FormatId } from "../domain/formats.ts";
import type { Engine, EngineResult, EngineTask } from "./engine.ts";
import { fromSpreadsheet } from "./sheets/from-spreadsheet.ts";
import { writeHtmlOfText } from "./sheets/html.ts";
import { intoSpreadsheet } from "./sheets/into-spreadsheet.ts";

/**
 * Spreadsheets by SheetJS: XLSX, XLS, XLSB and ODS both ways, FODS and Numbers in; CSV, TSV and JSON into them and out of
 * them, and HTML out. A table of any size becomes an XLSX by a writer of our own, which streams.
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
