import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { JobError } from "../../../domain/errors.ts";
import { runProgram } from "../../core/program.ts";
import type { JobPart } from "./job.ts";

/** The program may use the complete time of a conversion. */
const TIMEOUT_MS = 290_000;

/** Exit code for a file that was read with warnings, most of which concern spelling that every reader accepts. */
const WARNED = 3;
const REPAIRED = /file is damaged|reconstruct|recover/i;

/**
 * Runs a job of qpdf. It is a file: passwords on a command line can be read by every process, and could be read as options.
 *
 * @param folder the step's folder
 *
 * @returns standard output, and whether the file was repaired
 * @throws JobError `password_required`, `unsupported_feature`, `source_corrupt`
 */
export const runQpdf = async (
  job: JobPart,
  folder: string,
): Promise<{ readonly stdout: string; readonly repaired: boolean }> => {
  const path = join(folder, `qpdf-${crypto.randomUUID()}.json`);
  await writeFile(path, JSON.stringify(job), { flag: "wx", mode: 0o600 });
  const { code, stdout, stderr } = await runProgram({
    program: "qpdf",
    arguments: [`--job-json-file=${path}`],
    folder,
    timeoutMs: TIMEOUT_MS,
  });
  if (code !== 0 && code !== WARNED) {
    throw errorOf(stderr, "password" in job);
  }
  return { stdout: stdout.toString("utf8"), repaired: code === WARNED && REPAIRED.test(stderr) };
};

const errorOf = (stderr: string, hasPassword: boolean): JobError => {
  const cause = stderr;
  if (/invalid password/i.test(stderr)) {
    const what = hasPassword ? "is encrypted with a different password" : "is encrypted and requires a password";
    return new JobError("password_required", `The PDF ${what}.`, { cause });
  }
  return /unsupported encryption|unable to (?:decrypt|initialize crypto)/i.test(stderr)
    ? new JobError("unsupported_feature", "The PDF uses an unsupported encryption method.", { cause })
    : new JobError("source_corrupt", "The PDF could not be read.", { cause });
};
