import type { Engine } from "../core/engine.ts";
import { runProgram } from "../core/program.ts";
import { writePdfText } from "./pdfium/page/text-of-pdf.ts";
import { makePaper } from "./pdflib/paper.ts";
import { writeReadText } from "./tesseract/text.ts";

/**
 * Text recognition in pictures and scans, by the program Tesseract in all installed languages. A job reaches this
 * engine only if it requests the text, so `ocr` is on unless the job turns it off.
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
    const requested = { ...task, options: { ...task.options, ocr: task.options.ocr ?? true } };
    if (task.to === "txt") {
      return task.from === "pdf" ? writePdfText(requested) : writeReadText(requested);
    }
    return makePaper(requested);
  },
};
