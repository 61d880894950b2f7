import type { EngineTask } from "../../../core/engine.ts";
import type { PageContent } from "../content/content.ts";
import { declaredOf } from "../content/declared.ts";
import { readContent } from "../content/read-content.ts";
import { isBlank } from "../page/bitmap.ts";
import { type PdfDocument, withPage } from "../page/document.ts";
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
      pages.add(await drawnIfEmpty(document, (await document.scans?.read(content)) ?? content));
    }
    progress((index + 1) / numbers.length);
  }
  return { ...pages.layout(missing), ...(await declaredOf(document)) };
};

/** @returns the content, as one drawing if the page has neither text nor pictures, such as a note by hand on a grid */
const drawnIfEmpty = async (document: PdfDocument, content: PageContent): Promise<PageContent> => {
  const { number, width, height, words, turned, pictures } = content;
  if ([words, turned, pictures].some(({ length }) => length > 0) || (await withPage(document, number, isBlank))) {
    return content;
  }
  return { ...content, drawings: [{ left: 0, top: 0, right: width, bottom: height }], rules: [], fills: [] };
};
