import { readContent } from "../content/read-content.ts";
import type { PdfDocument } from "../page/document.ts";
import type { DocumentLayout } from "./model.ts";
export const readLayout = async (document: PdfDocument, numbers: readonly number[], progress: (share: number) => void): Promise<DocumentLayout> => {
  throw new TypeError(`stub ${document.pages} ${numbers.length} ${progress.length} ${readContent.name}`);
};
