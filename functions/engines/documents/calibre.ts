import { copyFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { MOBI_BYTES_MAX } from "../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { extensionOf, type FormatId, formatOf } from "../../domain/formats/formats.ts";
import type { Engine, EngineResult, EngineTask } from "../core/engine.ts";
import { checkInput } from "../core/input.ts";
import { runProgram } from "../core/program.ts";
import { writeSafeBook } from "./calibre/book.ts";
import { type BookResult, convertBook } from "./calibre/worker.ts";

/**
 * Books converted by Calibre: it writes Mobipocket, Kindle and FictionBook, and reads the formats of old devices.
 * Calibre follows every reference in a book, so its input is an EPUB that we have rewritten. Its output is rewritten as
 * well.
 */
export const calibreEngine: Engine = {
  name: "calibre",
  version: async () => {
    const { stdout } = await runProgram({
      program: "calibre-debug",
      arguments: ["--version"],
      folder: "/",
      timeoutMs: 30_000,
    });
    return /calibre (\d[\d.]*)/.exec(stdout.toString("latin1"))?.[1] ?? "unknown";
  },
  convert: (task) => (task.from === "epub" ? write(task) : read(task)),
};

/** Options for every conversion: preserve the book, and add no chapters, contents or page breaks. */
const PRESERVE = [
  "--chapter=/",
  "--chapter-mark=none",
  "--page-breaks-before=/",
  "--no-chapters-in-toc",
  "--max-toc-links=0",
  "--toc-threshold=0",
  "--disable-font-rescaling",
];

/** Additional options by target. A Kindle generates its own contents page; older devices show one only as a page. */
const TARGET_OPTIONS: Partial<Record<FormatId, readonly string[]>> = {
  azw3: ["--no-inline-toc"],
  fb2: ["--sectionize=toc"],
};

const write = async (task: EngineTask): Promise<EngineResult> => {
  const { folder, input, to } = task;
  const [book, output] = [join(folder, "book.epub"), join(folder, `made.${extensionOf(to)}`)];
  const warnings = await writeSafeBook(input, book);
  task.progress(0.2);
  const result = await convertBook({ folder, arguments: [book, output, ...PRESERVE, ...(TARGET_OPTIONS[to] ?? [])] });
  await checkResult(output, result, (log) => new Error(`Calibre failed to write ${to}: ${log}`));
  await copyFile(output, task.output);
  return { warnings };
};

const read = async (task: EngineTask): Promise<EngineResult> => {
  const { folder, input, from } = task;
  const { name } = formatOf(from);
  await checkInput(input, { max: MOBI_BYTES_MAX, name: "book" });
  // Calibre detects the format from the extension.
  const [book, output] = [join(folder, `book.${extensionOf(from)}`), join(folder, "made.epub")];
  await copyFile(input, book);
  const result = await convertBook({ folder, arguments: [book, output, "--no-default-epub-cover", ...PRESERVE] });
  await checkResult(output, result, (log) =>
    /\bDRM/.test(log)
      ? new JobError("unsupported_feature", "The book is protected by DRM and can be opened only in the store's apps.")
      : new JobError("source_corrupt", `The file is not a readable ${name} book.`, { cause: log }),
  );
  task.progress(0.8);
  return { warnings: await writeSafeBook(output, task.output) };
};

/** Exit code 0 does not prove success. */
const checkResult = async (
  output: string,
  { code, log }: BookResult,
  failure: (log: string) => Error,
): Promise<void> => {
  const { size } = await stat(output).catch(() => ({ size: 0 }));
  if (code !== 0 || size === 0) {
    throw failure(log);
  }
};
