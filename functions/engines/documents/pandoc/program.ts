import { JobError } from "../../../domain/errors.ts";
import { NO_NETWORK } from "../../core/no-network.ts";
import { runProgram } from "../../core/program.ts";

export interface PandocRun {
  readonly arguments: readonly string[];
  readonly folder: string;
  readonly timeoutMs: number;
}

/** Pandoc's exit code and messages; its results are in files. */
export interface PandocResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The Haskell runtime ends the program when it uses more. This is half of the lane's memory, which it shares with the
 * converter.
 */
const HEAP = "-M1200M";

const ENVIRONMENT = {
  ...NO_NETWORK,
  no_proxy: "",
  NO_PROXY: "",
  // Pandoc's input and output use the encoding of the locale.
  LC_ALL: "C.UTF-8",
  // Prevents pandoc from using the user's data directory, with its templates and defaults.
  XDG_DATA_HOME: "/nonexistent",
  HOME: "/nonexistent",
} as const;

/** The Haskell runtime's messages when the heap or the stack is exhausted. */
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
    throw new JobError("out_of_memory", "The document needs more memory than a conversion may use.");
  }
  return { code, stdout: stdout.toString("utf8"), stderr };
};

/** The exit code of a Haskell program with an exhausted heap (GHC User's Guide, `-M`). */
const HEAP_EXHAUSTED = 251;
