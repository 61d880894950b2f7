import { open } from "node:fs/promises";
import { OUTPUT_BYTES_MAX } from "../../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../../domain/errors.ts";
import type { Warning } from "../../../../domain/warning.ts";
import type { EngineResult, EngineTask } from "../../../core/engine.ts";
import { joinPages } from "../layout/joining.ts";
import { type PdfDocument, withPage } from "../page/document.ts";
import { type PictureFile, takePicture } from "../page/pictures.ts";
import { type DocumentText, foreground, type PageText, pageBlocks, readDocument } from "../page/text.ts";
import { HTML_TAIL, htmlHead, pageHtml } from "./write-html.ts";
import { pageText } from "./write-text.ts";

/** Reads the text of a PDF and writes it page by page, so that at most the pictures of one page are in memory. */

/** Writes plain text; pages are separated by a line with a form feed. */
export const writeText = async (
  document: PdfDocument,
  task: EngineTask,
  numbers: readonly number[],
): Promise<EngineResult> => {
  const text = await readDocument(document, numbers, task.progress);
  const pages = text.pages.map((page) => pageText(pageBlocks(page, { ...text, running: new Set() })));
  await writeFile(task.output, [`${pages.join("\n\n\f\n").trim()}\n`]);
  return { warnings: warningsOf({ ...text, empty: pages.every((page) => page.trim() === "") }) };
};

/** Writes one HTML file with embedded pictures. */
export const writeHtml = async (
  document: PdfDocument,
  task: EngineTask,
  numbers: readonly number[],
): Promise<EngineResult> => {
  const text = await readDocument(document, numbers, (share) => task.progress(share / 2));
  const pages = joinPages(text.pages.map((page) => pageBlocks(page, text)));
  const heading = pages.flatMap(({ blocks }) => blocks).find(({ kind }) => kind === "heading");
  const title = heading?.kind === "heading" ? heading.runs.map((run) => run.text).join("") : "PDF";
  let lost = false;
  const parts = async function* (): AsyncGenerator<string> {
    yield htmlHead(title);
    for (const [index, page] of text.pages.entries()) {
      const pictures = await takePictures(document, page);
      lost ||= pictures.size < page.pictures.length;
      yield pageHtml(pages[index]?.blocks ?? [], pictures);
      task.progress(0.5 + (index + 1) / (2 * pages.length));
    }
    yield HTML_TAIL;
  };
  await writeFile(task.output, parts());
  return { warnings: [...warningsOf(text), ...runningWarning(text), ...(lost ? [PICTURES] : [])] };
};

/** @returns the pictures of a page that can be drawn, by number */
const takePictures = async (document: PdfDocument, page: PageText): Promise<Map<number, PictureFile>> => {
  const taken = new Map<number, PictureFile>();
  const areas = foreground(page);
  if (areas.length > 0) {
    await withPage(document, page.number, async (open) => {
      for (const area of areas) {
        const file = await takePicture(open, area);
        file === undefined || taken.set(page.pictures.indexOf(area), file);
      }
    });
  }
  return taken;
};

const writeFile = async (path: string, parts: AsyncIterable<string> | Iterable<string>): Promise<void> => {
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
export const warningsOf = ({ missing, empty }: DocumentText): Warning[] => [
  ...missingWarning(missing),
  ...(empty ? [NO_TEXT] : []),
];

const NO_TEXT: Warning = {
  code: "no_text",
  detail: "The PDF has no text.",
};

/** @returns warnings about unreadable pages */
export const repairedWarning = ({ repaired }: PdfDocument): Warning[] => (repaired ? [REPAIRED] : []);

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

const PICTURES: Warning = {
  code: "pictures_dropped",
  detail: "Background pictures such as scans, and pictures that cannot be drawn, were left out.",
};

const runningWarning = ({ running }: DocumentText): Warning[] =>
  running.size === 0
    ? []
    : [
        {
          code: "running_lines_dropped",
          detail: "Repeated headers, footers and page numbers were left out.",
        },
      ];
