import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { JobError } from "../../../domain/errors.ts";
import { inTime } from "../../core/in-time.ts";
import { NO_NETWORK } from "../../core/no-network.ts";
import { programIdleMs } from "../../core/pool/program-places.ts";
import { startProgram, wasKilled } from "../../core/program.ts";
import { lostProgram, type WarmProgram, warm } from "../../core/warm.ts";
import { writeEpub } from "../epub/writer.ts";
import { cleanTree } from "../html/clean.ts";
import { parseHtml } from "../html/tree.ts";

/** A book conversion; both files are in the folder. */
export interface BookJob {
  readonly folder: string;
  /** Arguments of `ebook-convert`: input, output, options. */
  readonly arguments: readonly string[];
}

/** The exit status: 0 is success; otherwise the log has the reason. */
export interface BookResult {
  readonly code: number;
  /** The end of Calibre's output. */
  readonly log: string;
}

interface Calibre extends WarmProgram {
  ask(line: object, timeoutMs: number): Promise<Answer>;
}

/** The status of a job as returned by wait(2); absent if there was no job. */
interface Answer {
  readonly status?: number;
}

const PROGRAM = "calibre-debug";

/** Measured memory usage is 0.11 GB. Books do not add to it because they are converted in separate processes. */
const MEMORY_BYTES_MAX = 500_000_000;
const JOBS_MAX = 500;
const IDLE_MS_MAX = 300_000;
const HEALTH_MS_MAX = 2_000;
const START_MS_MAX = 60_000;
/** The time limit of the lane, minus the time for the rest of the job. The pool kills workers that exceed it. */
const BOOK_MS_MAX = 280_000;

/** Maximum size in bytes of a file that Calibre may write. */
const FILE_BYTES_MAX = 1_000_000_000;

const calibre = warm<Calibre>({
  start: () => start(),
  jobsMax: JOBS_MAX,
  memoryBytesMax: MEMORY_BYTES_MAX,
  idleMsMax: programIdleMs(IDLE_MS_MAX),
  healthMsMax: HEALTH_MS_MAX,
});

/**
 * Converts a book with a warm Calibre process.
 *
 * @throws JobError `engine_crashed` when it was killed by a signal, `timed_out`
 */
export const convertBook = (job: BookJob): Promise<BookResult> =>
  calibre.use(async (program) => {
    const { status = 1 } = await program.ask({ ...job, bytesMax: FILE_BYTES_MAX }, BOOK_MS_MAX);
    const log = (await readFile(join(job.folder, "calibre.log"), "utf8").catch(() => "")).slice(-LOG_CHARACTERS_MAX);
    // wait(2): the low seven bits are the signal, the next byte is the exit code.
    if ((status & 0x7f) !== 0) {
      throw new JobError("engine_crashed", `Calibre was killed by signal ${status & 0x7f}.`, { cause: log });
    }
    return { code: status >> 8, log };
  });

const LOG_CHARACTERS_MAX = 8_000;

/** @returns the environment of the program, for `env`, which is replaced by the program */
const environmentOf = (folder: string): string[] => {
  const names = ["CALIBRE_CONFIG_DIRECTORY", "CALIBRE_CACHE_DIRECTORY", "CALIBRE_TEMP_DIR", "XDG_RUNTIME_DIR"];
  return [
    ...names.map((name) => `${name}=${folder}`),
    // Proxy settings for code that does not go through Python. Such code may not connect at all.
    ...Object.entries(NO_NETWORK).map(([name, value]) => `${name}=${value}`),
    "QT_QPA_PLATFORM=offscreen",
    // Otherwise Calibre uses the system's language in books and in its log.
    "CALIBRE_OVERRIDE_LANG=en",
    "LC_ALL=C.UTF-8",
  ];
};

const start = async (): Promise<Calibre> => {
  const folder = await mkdtemp(join(tmpdir(), "calibre-"));
  // A minimal book. Converting it loads everything that books need.
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
      // A late response must not be taken for the response to the next job.
      await kill();
      throw error;
    }
  };
  await ask(undefined, START_MS_MAX);
  return { pid: child.pid ?? 0, isHealthy: async () => (await ask({}, HEALTH_MS_MAX)).status === undefined, ask, kill };
};

/** @returns a function that waits for the next line of output */
const answersOf = (child: ReturnType<typeof startProgram>): ((timeoutMs: number) => Promise<Answer>) => {
  // A program that ended is detected by its exit, not by the broken pipe.
  child.stdin?.on("error", () => {});
  if (child.stdout === null) {
    throw new TypeError("Calibre was started without an output pipe.");
  }
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (timeoutMs) => {
    const line = await inTime(timeoutMs, lines.next(), () => {
      throw new JobError("timed_out", `Calibre did not respond within ${timeoutMs / 1_000} s.`);
    });
    if (line.done) {
      throw lostProgram("Calibre", { wasKilled: await wasKilled(child), blame: "The book crashes Calibre." });
    }
    return JSON.parse(line.value);
  };
};
