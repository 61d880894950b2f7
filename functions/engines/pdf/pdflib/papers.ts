import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import { DOCUMENT_PAGES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { chosenPages } from "../../../domain/conversions/page-ranges.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineResult, EngineTask, Part } from "../../core/engine.ts";
import { isOcrOn } from "../ocr/ocr.ts";
import { savePdf } from "./album.ts";
import { addPages, lossesOf, openBook } from "./book.ts";
import { readScans } from "./scans.ts";

/** Extracts pages of a PDF, merges several PDFs, removes encryption, or writes one file per page. */
export const rewrite = async (task: EngineTask): Promise<EngineResult> => {
  const { document, warnings } = await gather(task);
  if (isOcrOn(task.options)) {
    await readScans(document, await savePdf(document), {
      dpi: task.options.dpi,
      languages: task.options.ocr_language,
      progress: task.progress,
    });
  }
  if (task.options.split) {
    return { warnings, parts: await splitUp(document, task) };
  }
  await writeFile(task.output, await savePdf(document), { flag: "wx" });
  return { warnings };
};

interface Gathered {
  readonly document: PDFDocument;
  readonly warnings: readonly Warning[];
}

/** @returns a single document unchanged if all of it is requested; else a new document of the selected pages */
const gather = async (task: EngineTask): Promise<Gathered> => {
  const { input, further, options } = task;
  const first = await openBook(input, options.password);
  if (further.length === 0 && options.pages === undefined) {
    return { document: first, warnings: [] };
  }
  const target = await PDFDocument.create({ updateMetadata: false });
  const warnings: Warning[] = [];
  for (const [index, path] of [input, ...further.map((file) => file.path)].entries()) {
    const source = index === 0 ? first : await openBook(path, options.password);
    const numbers = chosenPages(options.pages, source.getPageCount()).map((number) => number - 1);
    if (target.getPageCount() + numbers.length > DOCUMENT_PAGES_MAX) {
      throw new JobError(
        "too_many_pages",
        `The PDF would have more than ${DOCUMENT_PAGES_MAX} pages, which is the maximum.`,
      );
    }
    await addPages(target, source, numbers);
    warnings.push(...lossesOf(source));
    task.progress((index + 1) / (further.length + 2));
  }
  copyInformation(first, target);
  return { document: target, warnings };
};

/** The result takes title, author, subject and keywords from the first document. */
const copyInformation = (from: PDFDocument, to: PDFDocument): void => {
  const [title, author, subject] = [from.getTitle(), from.getAuthor(), from.getSubject()];
  if (title !== undefined) {
    to.setTitle(title);
  }
  if (author !== undefined) {
    to.setAuthor(author);
  }
  if (subject !== undefined) {
    to.setSubject(subject);
  }
};

const splitUp = async (document: PDFDocument, task: EngineTask): Promise<Part[]> => {
  const count = document.getPageCount();
  const digits = String(count).length;
  const parts: Part[] = [];
  for (let number = 0; number < count; number += 1) {
    const target = await PDFDocument.create({ updateMetadata: false });
    await addPages(target, document, [number]);
    copyInformation(document, target);
    const name = `page-${String(number + 1).padStart(digits, "0")}`;
    const path = join(task.folder, `${name}.pdf`);
    await writeFile(path, await savePdf(target), { flag: "wx" });
    parts.push({ path, name });
    task.progress((number + 1) / count);
  }
  return parts;
};
