import { chosenPages } from "../../../domain/conversions/page-ranges.ts";
import { JobError } from "../../../domain/errors.ts";
import type { FormatId } from "../../../domain/formats/formats.ts";
import { type EngineResult, type EngineTask, rowFor } from "../../core/engine.ts";
import { withScans } from "../ocr/scan-reader.ts";
import { type PdfDocument, withDocument } from "./page/document.ts";
import { drawPages } from "./page/draw.ts";
import { joinTiffs } from "./page/tiff.ts";
import { writeWord } from "./word/write-word.ts";
import { missingWarning, repairedWarning, writeText } from "./write/write.ts";
import { writeHtml } from "./write/write-html.ts";
import { writeCsv, writeWorkbook } from "./write/write-sheets.ts";
import { writeSlides } from "./write/write-slides.ts";

/**
 * Converts a PDF with the writer for its target.
 *
 * @throws HelperNeeded if pages are scanned, and their text can only be recognized elsewhere
 */
export const convertPdf = (task: EngineTask): Promise<EngineResult> =>
  withDocument(task.input, task.options.password, (opened) =>
    withScans(opened, task, async (document) => {
      const write = rowFor(WRITERS, task.to, "pdfium");
      const result = await write(document, task, chosenPages(task.options.pages, document.pages));
      const scanned = document.scans.warnings();
      // What happened to scanned pages says more than that there is no text.
      const others = result.warnings.filter(({ code }) => code !== "no_text" || scanned.length === 0);
      return { ...result, warnings: [...repairedWarning(document), ...scanned, ...others] };
    }),
  );

type Writer = (document: PdfDocument, task: EngineTask, numbers: readonly number[]) => Promise<EngineResult>;

const draw: Writer = async (document, task, numbers) => {
  const { parts, missing } = await drawPages(document, task, numbers);
  if (parts.length === 0) {
    throw new JobError("source_corrupt", "The PDF has no readable pages.");
  }
  return { warnings: missingWarning(missing), parts };
};

const drawTogether: Writer = async (document, task, numbers) => {
  const { warnings, parts = [] } = await draw(document, task, numbers);
  await joinTiffs(
    parts.map(({ path }) => path),
    task.output,
  );
  return { warnings };
};

/** Writer for each target. */
const WRITERS: Partial<Record<FormatId, Writer>> = {
  png: draw,
  jpg: draw,
  webp: draw,
  avif: draw,
  tiff: drawTogether,
  txt: writeText,
  html: writeHtml,
  xlsx: writeWorkbook,
  csv: writeCsv,
  pptx: writeSlides,
  docx: writeWord,
};
