import { JobError } from "../../domain/errors.ts";
import { NO_NETWORK } from "../io/no-network.ts";
import { runProgram } from "../io/program.ts";

export interface PandocRun {
  readonly arguments: readonly string[];
  readonly folder: string;
  readonly timeoutMs: number;
}

/** What pandoc said; its results lie in files. */
export interface PandocResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The runtime of Haskell ends a program that holds more; half of what a lane gives, which the converter shares. */
const HEAP = "-M1200M";

const ENVIRONMENT = {
  ...NO_NETWORK,
  no_proxy: "",
  NO_PROXY: "",
  // Pandoc writes and reads what it says in the encoding of the locale.
  LC_ALL: "C.UTF-8",
  // A data directory of the user's own, with templates and defaults, is not ours to take.
  XDG_DATA_HOME: "/nonexistent",
  HOME: "/nonexistent",
} as const;

/** What Haskell's runtime says when the heap or the stack is at its end. */
const EXHAUSTED = /heap (?:overflow|exhausted)|stack (?:space )?overflow|out of memory/i;

/** @throws JobError `timed_out`, `out_of_memory`, `engine_crashed` */
export const runPandoc = async (run: PandocRun): Promise<PandocResult> => {
  const { code, stdout, stderr } = await runProgram({
    program: "pandoc",
    arguments: ["+RTS", HEAP, "-RTS", ...run.arguments],
    folder: run.folder,
    environment: ENVIRONMENT,
    timeoutMs: run.timeoutMs,
  });
  if (code !== 0 && (code === HEAP_EXHAUSTED || EXHAUSTED.test(stderr))) {
    throw new JobError("out_of_memory", "The document needs more memory than a conversion may have.");
  }
  return { code, stdout: stdout.toString("utf8"), stderr };
};

/** The exit code of a Haskell program whose heap is at its end (GHC User's Guide, `-M`). */
const HEAP_EXHAUSTED = 251;
