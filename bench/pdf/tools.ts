import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);
/** A run with low priority next to other work, such as `nice -n 19`, can wait for minutes. */
const TOOL_MS_MAX = 600_000;
const OUTPUT_BYTES_MAX = 64 * 1_048_576;

/** Runs a program. @returns its output @throws if it fails, or is not installed (`ENOENT`) */
export const run = async (program: string, args: readonly string[]): Promise<string> =>
  (await outputsOf(program, args)).stdout;

/** @returns its output and its messages */
export const outputsOf = (program: string, args: readonly string[]): Promise<{ stdout: string; stderr: string }> =>
  execute(program, [...args], { timeout: TOOL_MS_MAX, maxBuffer: OUTPUT_BYTES_MAX });

/** Runs LibreOffice with a separate profile: a second process with the same profile hands its work to the first. */
export const runOffice = (args: readonly string[]): Promise<string> =>
  run("soffice", [`-env:UserInstallation=file://${join(tmpdir(), "anyform-bench-office")}`, "--headless", ...args]);
