import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OUTPUT_BYTES_MAX, PAGE_DRAWING_BYTES_MAX } from "../../domain/conversions/conversion-limits.ts";
import { chosenPages } from "../../domain/conversions/page-ranges.ts";
import { JobError } from "../../domain/errors.ts";
import { extensionOf } from "../../domain/formats/formats.ts";
import type { Engine, EngineResult, EngineTask, Part } from "../core/engine.ts";
import { runProgram } from "../core/program.ts";
import { withDocument } from "./pdfium/page/document.ts";
import { pageName } from "./pdfium/page/names.ts";
import { missingWarning, repairedWarning } from "./pdfium/write/write.ts";
import { savePdf } from "./pdflib/album.ts";
import { openBook } from "./pdflib/book.ts";

const PROGRAM = "pdftocairo";

/** Timeout per page: most take 0.05 s, a map with a million lines 60. */
const PAGE_MS_MAX = 120_000;

/** PDF pages as vector drawings, by Poppler and cairo: drawings stay lines and areas, and letters become shapes. */
export const popplerEngine: Engine = {
  name: "poppler",
  version: async () => {
    const { stderr } = await runProgram({ program: PROGRAM, arguments: ["-v"], folder: "/", timeoutMs: 10_000 });
    return /version (\S+)/.exec(stderr)?.[1] ?? "unknown";
  },
  convert: async (task) => {
    const { options } = task;
    // PDFium diagnoses the file: Poppler accepts many damaged files and draws nothing.
    const { pages, warnings } = await withDocument(task.input, options.password, async (document) => ({
      pages: document.pages,
      warnings: repairedWarning(document),
    }));
    const chosen = { numbers: chosenPages(options.pages, pages), pages };
    const drawn = await draw({ ...task, input: await openInput(task) }, chosen);
    return { ...drawn, warnings: [...warnings, ...drawn.warnings] };
  },
};

/**
 * @returns a file that opens without a password: a password in the program's arguments would be readable by everyone
 */
const openInput = async ({ input, folder, options }: EngineTask): Promise<string> => {
  if (options.password === undefined) {
    return input;
  }
  const open = join(folder, "open.pdf");
  await writeFile(open, await savePdf(await openBook(input, options.password)), { flag: "wx" });
  return open;
};

interface Chosen {
  readonly numbers: readonly number[];
  /** Number of pages in the document. */
  readonly pages: number;
}

const draw = async (task: EngineTask, { numbers, pages }: Chosen): Promise<EngineResult> => {
  const parts: Part[] = [];
  const missing: number[] = [];
  let bytes = 0;
  for (const [index, number] of numbers.entries()) {
    const name = pageName(number, pages);
    const part = { path: join(task.folder, `${name}.${extensionOf(task.to)}`), name };
    const size = await drawPage(task, number, part.path);
    bytes += size;
    if (size > PAGE_DRAWING_BYTES_MAX || bytes > OUTPUT_BYTES_MAX) {
      throw new JobError(
        "output_too_large",
        `The drawing of page ${number} has ${size} bytes, which exceeds the limit.`,
      );
    }
    if (size === 0) {
      missing.push(number);
    } else {
      parts.push(part);
    }
    task.progress((index + 1) / numbers.length);
  }
  if (parts.length === 0) {
    throw new JobError("source_corrupt", "No page of the PDF can be rendered.");
  }
  return { warnings: missingWarning(missing), parts };
};

/** @returns the size of the drawing in bytes; 0 if there is none, even if the program reports success */
const drawPage = async ({ input, folder, to }: EngineTask, number: number, output: string): Promise<number> => {
  const page = ["-f", String(number), "-l", String(number)];
  const { code } = await runProgram({
    program: PROGRAM,
    arguments: [to === "eps" ? "-eps" : "-svg", ...page, input, output],
    folder,
    timeoutMs: PAGE_MS_MAX,
  });
  const { size } = await stat(output).catch(() => ({ size: 0 }));
  return code === 0 ? size : 0;
};
