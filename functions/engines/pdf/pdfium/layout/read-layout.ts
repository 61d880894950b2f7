import type { EngineTask } from "../../../core/engine.ts";
import { declaredOf } from "../content/declared.ts";
import { readContent } from "../content/read-content.ts";
import type { PdfDocument } from "../page/document.ts";
import { pageCollector } from "./layout.ts";
import type { DocumentLayout } from "./model.ts";

/**
 * Reads the layout of pages, one at a time.
 *
 * @param numbers pages from 1
 * @param task the pages of a long document are stored in its folder, and its progress is the share of pages read so far
 */
export const readLayout = async (
  document: PdfDocument,
  numbers: readonly number[],
  { folder, progress }: Pick<EngineTask, "folder" | "progress">,
): Promise<DocumentLayout> => {
  const pages = pageCollector(folder);
  const missing: number[] = [];
  for (const [index, number] of numbers.entries()) {
    const content = await readContent(document, number);
    if (content === undefined) {
      missing.push(number);
    } else {
      pages.add((await document.scans?.read(content)) ?? content);
    }
    progress((index + 1) / numbers.length);
  }
  return { ...pages.layout(missing), ...(await declaredOf(document)) };
};
