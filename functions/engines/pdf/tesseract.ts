import type { FormatId } from "../../domain/formats/formats.ts";
import { type Engine, type EngineResult, type EngineTask, rowFor } from "../core/engine.ts";
import { runProgram } from "../core/program.ts";
import { convertPdf } from "./pdfium/convert-pdf.ts";
import { makePaper } from "./pdflib/paper.ts";
import { writeReadPages } from "./tesseract/read-pages.ts";
import { writeReadText } from "./tesseract/text.ts";

/**
 * Text recognition in pictures, and text layers of scans, by the program Tesseract in all installed languages. A job
 * reaches this engine only if it requests the text, so `ocr` is on unless the job turns it off.
 */
export const tesseractEngine: Engine = {
  name: "tesseract",
  version: async () => {
    const { stdout, stderr } = await runProgram({
      program: "tesseract",
      arguments: ["--version"],
      folder: "/",
      timeoutMs: 10_000,
    });
    return /tesseract (\d\S*)/.exec(`${stdout}${stderr}`)?.[1] ?? "unknown";
  },
  convert: (task) => {
    const requested: EngineTask = { ...task, options: { ...task.options, ocr: task.options.ocr ?? "auto" } };
    return rowFor(WRITERS, task.to, "tesseract")(requested);
  },
};

type Writer = (task: EngineTask) => Promise<EngineResult>;

/** Writer for each target. */
const WRITERS: Partial<Record<FormatId, Writer>> = {
  // The pages of a PDF only in jobs of an earlier release.
  txt: (task) => (task.from === "pdf" ? convertPdf({ ...task, helper: "here" }) : writeReadText(task)),
  pdf: makePaper,
  docx: writeReadPages,
  xlsx: writeReadPages,
};
