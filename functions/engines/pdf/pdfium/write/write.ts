import { open } from "node:fs/promises";
import { OUTPUT_BYTES_MAX } from "../../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../../domain/errors.ts";
import type { Warning } from "../../../../domain/warning.ts";
import type { EngineResult, EngineTask } from "../../../core/engine.ts";
import type { DocumentLayout } from "../layout/model.ts";
import { readLayout } from "../layout/read-layout.ts";
import type { PdfDocument } from "../page/document.ts";
import { pageText } from "./write-text.ts";

/** Writes plain text; pages are separated by a line with a form feed. */
export const writeText = async (
  document: PdfDocument,
  task: EngineTask,
  numbers: readonly number[],
): Promise<EngineResult> => {
  const layout = await readLayout(document, numbers, task);
  const pages = Array.from(layout.pages, pageText);
  await writeFile(task.output, [`${pages.join("\n\n\f\n").trim()}\n`]);
  return { warnings: warningsOf({ ...layout, empty: pages.every((page) => page.trim() === "") }) };
};

/** @throws JobError `output_too_large` */
export const writeFile = async (path: string, parts: AsyncIterable<string> | Iterable<string>): Promise<void> => {
  const file = await open(path, "wx");
  let bytes = 0;
  try {
    for await (const part of parts) {
      bytes += (await file.write(part)).bytesWritten;
      if (bytes > OUTPUT_BYTES_MAX) {
        throw new JobError("output_too_large", `The output exceeds ${OUTPUT_BYTES_MAX} bytes.`);
      }
    }
  } finally {
    await file.close();
  }
};

/** @returns warnings about the extracted text */
export const warningsOf = ({ missing, empty }: Pick<DocumentLayout, "missing" | "empty">): Warning[] => [
  ...missingWarning(missing),
  ...(empty ? [NO_TEXT] : []),
];

const NO_TEXT: Warning = {
  code: "no_text",
  detail: "The PDF has no text.",
};

/** @returns warnings about unreadable pages */
export const repairedWarning = ({ repaired }: Pick<PdfDocument, "repaired">): Warning[] => (repaired ? [REPAIRED] : []);

const REPAIRED: Warning = {
  code: "source_repaired",
  detail: "The cross-reference table of the PDF was damaged and has been rebuilt. Some content may be missing.",
};

export const missingWarning = (missing: readonly number[]): Warning[] =>
  missing.length === 0
    ? []
    : [
        {
          code: "pages_dropped",
          detail: `Unreadable pages were left out: ${missing.join(", ").slice(0, 200)}.`,
        },
      ];

/** Pictures in the background, and pictures that cannot be drawn. */
export const PICTURES: Warning = {
  code: "pictures_dropped",
  detail: "Background pictures such as scans, and pictures that cannot be drawn, were left out.",
};

/** @returns a warning about headers and footers, if the document has any */
export const runningWarning = ({ pages }: DocumentLayout): Warning[] =>
  Iterator.from(pages).every(({ header, footer }) => header.length + footer.length === 0)
    ? []
    : [{ code: "running_lines_dropped", detail: "Repeated headers, footers and page numbers were left out." }];
