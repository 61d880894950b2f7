import type { Engine } from "./engine.ts";
import { runProgram } from "./io/program.ts";
import { writePdfText } from "./pdfium/text-of-pdf.ts";
import { makePaper } from "./pdflib/paper.ts";
import { writeReadText } from "./tesseract/text.ts";

/**
 * Tesseract as a program of the system: twice as fast as WebAssembly, and in all languages that are installed. Who names
 * the language of a PDF wants it read.
 */
export const tesseractCliEngine: Engine = {
  name: "tesseract-cli",
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
    const asked = { ...task, options: { ...task.options, ocr: task.options.ocr ?? true } };
    if (task.to === "txt") {
      return task.from === "pdf" ? writePdfText(asked) : writeReadText(asked);
    }
    return makePaper(asked);
  },
};
