import { copyFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { MOBI_BYTES_MAX } from "../domain/conversion-limits.ts";
import { JobError } from "../domain/errors.ts";
import { extensionOf, type FormatId, formatOf } from "../domain/formats.ts";
import { writeSafeBook } from "./calibre/book.ts";
import { type BookResult, convertBook } from "./calibre/worker.ts";
import type { Engine, EngineResult, EngineTask } from "./engine.ts";
import { runProgram } from "./io/program.ts";

/**
 * Books by Calibre: it writes Mobipocket, Kindle and FictionBook, and reads what old devices had. What it reads of ours
 * is an EPUB that was written anew, because it follows whatever a book refers to; what it makes of others is written
 * anew as well.
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

/** All of them say: the book is as it is, with no chapters, contents or page breaks that it did not have. */
const AS_IT_IS = [
  "--chapter=/",
  "--chapter-mark=none",
  "--page-breaks-before=/",
  "--no-chapters-in-toc",
  "--max-toc-links=0",
  "--toc-threshold=0",
  "--disable-font-rescaling",
];

/** What a target wants beside that: a Kindle shows the contents by itself, what was before it only as a page. */
const OWN: Partial<Record<FormatId, readonly string[]>> = {
  azw3: ["--no-inline-toc"],
  fb2: ["--sectionize=toc"],
};

const write = async (task: EngineTask): Promise<EngineResult> => {
  const { folder, input, to } = task;
  const [book, made] = [join(folder, "book.epub"), join(folder, `made.${extensionOf(to)}`)];
  const warnings = await writeSafeBook(input, book);
  task.progress(0.2);
  const result = await convertBook({ folder, arguments: [book, made, ...AS_IT_IS, ...(OWN[to] ?? [])] });
  await checkMade(made, result, (log) => new Error(`Calibre did not write ${to}: ${log}`));
  await copyFile(made, task.output);
  return { warnings };
};

const read = async (task: EngineTask): Promise<EngineResult> => {
  const { folder, input, from } = task;
  const { name } = formatOf(from);
  const { size } = await stat(input);
  if (size > MOBI_BYTES_MAX) {
    throw new JobError("output_too_large", `The book has ${size} bytes; at most ${MOBI_BYTES_MAX} are allowed here.`);
  }
  // Calibre tells by the extension what a book is.
  const [book, made] = [join(folder, `book.${extensionOf(from)}`), join(folder, "made.epub")];
  await copyFile(input, book);
  const result = await convertBook({ folder, arguments: [book, made, "--no-default-epub-cover", ...AS_IT_IS] });
  await checkMade(made, result, (log) =>
    /\bDRM/.test(log)
      ? new JobError(
          "unsupported_feature",
          "The book is locked by a digital rights management (DRM); only the shop's own programs open it.",
        )
      : new JobError("source_corrupt", `The book could not be read as ${name}.`, { cause: log }),
  );
  task.progress(0.8);
  return { warnings: await writeSafeBook(made, task.output) };
};

/** Exit code 0 proves nothing. */
const checkMade = async (made: string, { code, log }: BookResult, failure: (log: string) => Error): Promise<void> => {
  const { size } = await stat(made).catch(() => ({ size: 0 }));
  if (code !== 0 || size === 0) {
    throw failure(log);
  }
};
