import type { PageContent } from "../content/content.ts";
import { declaredOf } from "../content/declared.ts";
import { readContent } from "../content/read-content.ts";
import type { PdfDocument } from "../page/document.ts";
import { layoutOf } from "./layout.ts";
import type { DocumentLayout } from "./model.ts";

/**
 * Reads the layout of pages, one at a time.
 *
 * @param numbers pages from 1
 * @param progress called with the share of pages read so far
 */
export const readLayout = async (
  document: PdfDocument,
  numbers: readonly number[],
  progress: (share: number) => void,
): Promise<DocumentLayout> => {
  const pages: PageContent[] = [];
  const missing: number[] = [];
  for (const number of numbers) {
    const content = await readContent(document, number);
    if (content === undefined) {
      missing.push(number);
    } else {
      pages.push((await document.scans?.read(content)) ?? content);
    }
    progress((pages.length + missing.length) / numbers.length);
  }
  return { ...layoutOf(pages, missing), ...(await declaredOf(document)) };
};
