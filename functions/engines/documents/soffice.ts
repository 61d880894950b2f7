import { join } from "node:path";
import { type FormatId, formatOf } from "../../domain/formats/formats.ts";
import type { Engine, EngineResult, EngineTask } from "../core/engine.ts";
import { convertByOffice } from "./soffice/convert-office.ts";
import { office } from "./soffice/office.ts";

/** LibreOffice: office documents to each other and to PDF, and the cells of old workbooks. */
export const sofficeEngine: Engine = {
  name: "soffice",
  version: () => office.use(async ({ version }) => version),
  convert: (task) => (isTable(task) ? convertTable(task) : convertDocument(task)),
};

const convertDocument = async (task: EngineTask): Promise<EngineResult> => ({ warnings: await convertByOffice(task) });

const TABLES: readonly FormatId[] = ["csv", "tsv", "json", "html"];

const isTable = ({ from, to }: EngineTask): boolean => formatOf(from).family === "spreadsheet" && TABLES.includes(to);

/** LibreOffice writes one sheet as a table, without the sheets' names: it writes a workbook, which is then read. */
const convertTable = async (task: EngineTask): Promise<EngineResult> => {
  const workbook = join(task.folder, "workbook.xlsx");
  const { sheet: _, ...options } = task.options;
  const warned = await convertByOffice({ ...task, output: workbook, to: "xlsx", options });
  task.progress(0.5);
  const { fromSpreadsheet } = await import("../data/sheets/from-spreadsheet.ts");
  const { warnings, ...result } = await fromSpreadsheet({ ...task, input: workbook, from: "xlsx" });
  return { ...result, warnings: [...warned, ...warnings] };
};
