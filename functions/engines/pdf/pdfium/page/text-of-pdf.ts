import { chosenPages } from "../../../../domain/conversions/page-ranges.ts";
import type { EngineResult, EngineTask } from "../../../core/engine.ts";
import { repairedWarning, writeText } from "../write/write.ts";
import { withDocument } from "./document.ts";

/** Writes the text of a PDF, including the text of scanned pages if requested. */
export const writePdfText = (task: EngineTask): Promise<EngineResult> =>
  withDocument(task.input, task.options.password, async (document) => {
    const { warnings } = await writeText(document, task, chosenPages(task.options.pages, document.pages));
    return { warnings: [...repairedWarning(document), ...warnings] };
  });
