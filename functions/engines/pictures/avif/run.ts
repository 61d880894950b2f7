import { lanes } from "../../../domain/conversions/lanes.ts";
import { runProgram } from "../../core/program.ts";

/** The pool stops jobs that exceed the time of their lane; this timeout applies without a pool. */
const TIMEOUT_MS = lanes.media.conversionSecondsMax * 1_000;

/**
 * Runs ffmpeg in the folder of the step. Its decoders continue after damage and only report it, so any message counts
 * as a failure.
 *
 * @returns whether it succeeded without a message
 */
export const runFfmpeg = async (args: readonly string[], folder: string): Promise<boolean> => {
  const { code, stderr } = await runProgram({
    program: "ffmpeg",
    arguments: ["-hide_banner", "-nostdin", "-xerror", "-loglevel", "error", ...args],
    folder,
    timeoutMs: TIMEOUT_MS,
    isPatient: true,
  });
  return code === 0 && stderr.trim() === "";
};
