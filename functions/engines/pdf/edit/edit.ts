import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PDFDocument } from "@cantoo/pdf-lib";
import type { OptionName, Options } from "../../../domain/conversions/options.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineTask } from "../../core/engine.ts";
import { savePdf } from "../pdflib/album.ts";
import { lossesOf, openBook } from "../pdflib/book.ts";
import { attachInvoice, attachUpload } from "./attachments.ts";
import { setBookmarks } from "./bookmarks.ts";
import { cropPages } from "./crop.ts";
import { fillForm } from "./form.ts";
import { setInformation } from "./information.ts";
import { addPageNumbers } from "./page-numbers.ts";
import { makePdfA } from "./pdf-a.ts";
import { sheetsOf } from "./sheets.ts";
import { addWatermark } from "./watermark.ts";

/** A change of the content of a document, and the options that request it. */
interface Edit {
  readonly options: readonly OptionName[];
  readonly apply: (document: PDFDocument, task: EngineTask) => Promise<void>;
}

/** Changes of the document as a whole. They apply to the sheets, if there are several pages per sheet. */
const DATA_EDITS: readonly Edit[] = [
  { options: ["title", "author", "subject", "keywords", "strip_metadata"], apply: setInformation },
  { options: ["bookmarks"], apply: setBookmarks },
  { options: ["attachment_upload_id"], apply: attachUpload },
  { options: ["pdf_a"], apply: makePdfA },
  { options: ["facturx_upload_id"], apply: attachInvoice },
];

/** In the order in which they are applied. */
const EDITS: readonly Edit[] = [
  { options: ["crop_margins"], apply: cropPages },
  { options: ["watermark_text", "watermark_upload_id"], apply: addWatermark },
  { options: ["page_numbers", "page_number_format"], apply: addPageNumbers },
];

const isRequested = (options: Options, names: readonly OptionName[]): boolean =>
  names.some((name) => ![undefined, false, "none"].some((value) => value === options[name]));

/** @returns whether the options request a change of the content of pages, or of their arrangement on sheets */
export const isEdited = (options: Options): boolean =>
  options.pages_per_sheet !== undefined || [...EDITS, ...DATA_EDITS].some((edit) => isRequested(options, edit.options));

export interface Edited {
  readonly path: string;
  readonly warnings: readonly Warning[];
}

/**
 * Changes the content of a PDF.
 *
 * @param path of a PDF without encryption
 * @returns the path of the changed PDF
 * @throws JobError as {@link openBook}
 */
export const editPdf = async (path: string, task: EngineTask): Promise<Edited> => {
  const document = await openBook(path);
  await applyAll(EDITS, document, task);
  const { pages_per_sheet: count } = task.options;
  const result = count === undefined ? document : await sheetsOf(document, count);
  await applyAll(DATA_EDITS, result, task);
  const output = join(task.folder, "edited.pdf");
  await writeFile(output, await savePdf(result), { flag: "wx" });
  const isPdfA = task.options.pdf_a !== undefined || task.options.facturx_upload_id !== undefined;
  return {
    path: output,
    warnings: [...(count === undefined ? [] : lossesOf(document)), ...(isPdfA ? [UNPROVED] : [])],
  };
};

const UNPROVED: Warning = {
  code: "pdf_a_not_validated",
  detail: "Fonts, colors, actions, annotations and attachments were checked; a PDF/A validator was not run.",
};

/**
 * Fills the form of a PDF.
 *
 * @param path of a PDF without encryption
 * @returns the path of the filled PDF
 * @throws JobError as {@link openBook} and {@link fillForm}
 */
export const fillPdf = async (path: string, task: EngineTask): Promise<Edited> => {
  const document = await openBook(path);
  const warnings = await fillForm(document, task);
  const output = join(task.folder, "filled.pdf");
  await writeFile(output, await savePdf(document), { flag: "wx" });
  return { path: output, warnings };
};

const applyAll = async (edits: readonly Edit[], document: PDFDocument, task: EngineTask): Promise<void> => {
  for (const { apply } of edits.filter(({ options }) => isRequested(task.options, options))) {
    await apply(document, task);
  }
};
