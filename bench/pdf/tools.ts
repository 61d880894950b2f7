import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);
const TOOL_MS_MAX = 120_000;
const OUTPUT_BYTES_MAX = 64 * 1_048_576;

/** Runs a program. @returns its output @throws if it fails, or is not installed (`ENOENT`) */
export const run = async (program: string, args: readonly string[]): Promise<string> => {
  const { stdout } = await execute(program, [...args], { timeout: TOOL_MS_MAX, maxBuffer: OUTPUT_BYTES_MAX });
  return stdout;
};
