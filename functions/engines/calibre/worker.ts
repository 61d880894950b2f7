import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { JobError } from "../../domain/errors.ts";
import { writeEpub } from "../io/epub-writer.ts";
import { cleanTree } from "../io/html-clean.ts";
import { parseHtml } from "../io/html-tree.ts";
import { inTime } from "../io/in-time.ts";
import { NO_NETWORK } from "../io/no-network.ts";
import { startProgram } from "../io/program.ts";
import { ProgramLost, type WarmProgram, warm } from "../io/warm.ts";

/** A book to be made of another, both in the folder. */
export interface BookJob {
  readonly folder: string;
  /** Of `ebook-convert`: input, output, options. */
  readonly arguments: readonly string[];
}

/** How it ended: 0 is well; else the log says why. */
export interface BookResult {
  readonly code: number;
  /** The end of what Calibre wrote. */
  readonly log: string;
}

interface Calibre extends WarmProgram {
  ask(line: object, timeoutMs: number): Promise<Answer>;
}

/** How a job ended, as wait(2) has it; nothing where there was none. */
interface Answer {
  readonly status?: number;
}

const PROGRAM = "calibre-debug";

/** As measured, it holds 0.11 GB, and a book nothing of it: that is another process's. */
const MEMORY_BYTES_MAX = 500_000_000;
const JOBS_MAX = 500;
const IDLE_MS_MAX = 300_000;
const HEALTH_MS_MAX = 2_000;
const START_MS_MAX = 60_000;
/** The lane's whole time, less what the rest of a job may take; the pool ends what takes longer. */
const BOOK_MS_MAX = 280_000;

/** Bytes of a file that Calibre may write. */
const FILE_BYTES_MAX = 1_000_000_000;

const calibre = warm<Calibre>({
  start: () => start(),
  jobsMax: JOBS_MAX,
  memoryBytesMax: MEMORY_BYTES_MAX,
  idleMsMax: IDLE_MS_MAX,
  healthMsMax: HEALTH_MS_MAX,
});

/**
 * Makes a book of another by Calibre, which is kept warm.
 *
 * @throws JobError `engine_crashed` when a signal ended it, `timed_out`
 */
export const convertBook = (job: BookJob): Promise<BookResult> =>
  calibre.use(async (program) => {
    const { status = 1 } = await program.ask({ ...job, bytesMax: FILE_BYTES_MAX }, BOOK_MS_MAX);
    const log = (await readFile(join(job.folder, "calibre.log"), "utf8").catch(() => "")).slice(-LOG_CHARACTERS_MAX);
    // wait(2): the low seven bits are the signal, the next byte is the exit code.
    if ((status & 0x7f) !== 0) {
      throw new JobError("engine_crashed", `Calibre was ended by signal ${status & 0x7f}.`, { cause: log });
    }
    return { code: status >> 8, log };
  });

const LOG_CHARACTERS_MAX = 8_000;

/** @returns what the program finds in its environment, for `env`, which becomes the program */
const environmentOf = (folder: string): string[] => {
  const names = ["CALIBRE_CONFIG_DIRECTORY", "CALIBRE_CACHE_DIRECTORY", "CALIBRE_TEMP_DIR", "XDG_RUNTIME_DIR"];
  return [
    ...names.map((name) => `${name}=${folder}`),
    // For what does not come through Python, which may not connect at all.
    ...Object.entries(NO_NETWORK).map(([name, value]) => `${name}=${value}`),
    "QT_QPA_PLATFORM=offscreen",
    // Otherwise it speaks the language of the system, in what it writes into books and in its log.
    "CALIBRE_OVERRIDE_LANG=en",
    "LC_ALL=C.UTF-8",
  ];
};

const start = async (): Promise<Calibre> => {
  const folder = await mkdtemp(join(tmpdir(), "calibre-"));
  // The smallest book there is: by it all is loaded that books need.
  await writeEpub(join(folder, "book.epub"), cleanTree(parseHtml("<title>Warm</title><h1>Warm</h1><p>Up")));
  const script = join(import.meta.dirname, "books.py");
  const child = startProgram("/usr/bin/env", [...environmentOf(folder), PROGRAM, "-e", script]);
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  const answers = answersOf(child);
  const ask = async (line: object | undefined, timeoutMs: number): Promise<Answer> => {
    if (line !== undefined) {
      child.stdin?.write(`${JSON.stringify(line)}\n`);
    }
    try {
      return await answers(timeoutMs);
    } catch (error) {
      // What it would answer later is no answer to the next question.
      await kill();
      throw error;
    }
  };
  await ask(undefined, START_MS_MAX);
  return { pid: child.pid ?? 0, isHealthy: async () => (await ask({}, HEALTH_MS_MAX)).status === undefined, ask, kill };
};

/** @returns a function that waits for the next line of the program */
const answersOf = (child: ReturnType<typeof startProgram>): ((timeoutMs: number) => Promise<Answer>) => {
  // A program that ended tells so by its exit, not by the broken pipe.
  child.stdin?.on("error", () => {});
  if (child.stdout === null) {
    throw new TypeError("Calibre has no output.");
  }
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (timeoutMs) => {
    const line = await inTime(timeoutMs, lines.next(), () => {
      throw new JobError("timed_out", `Calibre took over ${timeoutMs / 1_000} s.`);
    });
    if (line.done) {
      throw new ProgramLost("Calibre ended.", { cause: new JobError("engine_crashed", "Calibre ended in its work.") });
    }
    return JSON.parse(line.value);
  };
};
