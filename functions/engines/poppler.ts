import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OUTPUT_BYTES_MAX, PAGE_DRAWING_BYTES_MAX } from "../domain/conversion-limits.ts";
import { JobError } from "../domain/errors.ts";
import { extensionOf } from "../domain/formats.ts";
import { chosenPages } from "../domain/page-ranges.ts";
import type { Engine, EngineResult, EngineTask, Part } from "./engine.ts";
import { runProgram } from "./io/program.ts";
import { withDocument } from "./pdfium/document.ts";
import { pageName } from "./pdfium/names.ts";
import { missingWarning, repairedWarning } from "./pdfium/write.ts";
import { savePdf } from "./pdflib/album.ts";
import { openBook } from "./pdflib/book.ts";

const PROGRAM = "pdftocairo";

/** Of one page: most take 0.05 s, a map with a million lines 60. */
const PAGE_MS_MAX = 120_000;

/** Pages of a PDF as drawings, by Poppler and cairo: what is drawn stays lines and areas, and letters become shapes. */
export const popplerEngine: Engine = {
  name: "poppler",
  version: async () => {
    const { stderr } = await runProgram({ program: PROGRAM, arguments: ["-v"], folder: "/", timeoutMs: 10_000 });
    return /version (\S+)/.exec(stderr)?.[1] ?? "unknown";
  },
  convert: async (task) => {
    const { options } = task;
    // PDFium tells what is wrong with a file: Poppler says of many that they are well, and draws nothing.
    const { pages, warnings } = await withDocument(task.input, options.password, async (document) => ({
      pages: document.pages,
      warnings: repairedWarning(document),
    }));
    const chosen = { numbers: chosenPages(options.pages, pages), pages };
    const drawn = await draw({ ...task, input: await openInput(task) }, chosen);
    return { ...drawn, warnings: [...warnings, ...drawn.warnings] };
  },
};

/** @returns a file that opens without a password: it would stand in the program's arguments, where everyone can read it */
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
  /** Pages that the document has. */
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
      throw new JobError("output_too_large", `The drawing of page ${number} has ${size} bytes, which is too much.`);
    }
    if (size === 0) {
      missing.push(number);
    } else {
      parts.push(part);
    }
    task.progress((index + 1) / numbers.length);
  }
  if (parts.length === 0) {
    throw new JobError("source_corrupt", "No page of the PDF can be drawn.");
  }
  return { warnings: missingWarning(missing), parts };
};

/** @returns the bytes of the drawing; 0 where there is none, whatever the program says */
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
