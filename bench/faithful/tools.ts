import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Programs that the comparison runs next to the service, each with a limit of time, memory and output. */

const execute = promisify(execFile);

const TOOL_MS_MAX = 90_000;
const MEMORY_BYTES_MAX = 4 * 1_024 ** 3;
const OUTPUT_BYTES_MAX = 64 * 1_024 ** 2;

/** Runs a program within the limits. @returns its output @throws if it fails or is not installed */
export const run = async (program: string, args: readonly string[], folder?: string): Promise<string> =>
  (await outputsOf(program, args, folder)).stdout;

/** Runs a program within the limits. @returns its messages */
export const messagesOf = async (program: string, args: readonly string[]): Promise<string> =>
  (await outputsOf(program, args)).stderr;

const outputsOf = (program: string, args: readonly string[], folder?: string) => {
  const limited = [`--data=${MEMORY_BYTES_MAX}`, "--core=0", program, ...args];
  const limits = { timeout: TOOL_MS_MAX, killSignal: "SIGKILL", maxBuffer: OUTPUT_BYTES_MAX, cwd: folder } as const;
  return execute("prlimit", limited, limits);
};

const installed = new Map<string, Promise<boolean>>();

/** @returns whether the program is in the search path */
export const isInstalled = (program: string): Promise<boolean> => {
  const known =
    installed.get(program) ??
    execute("sh", ["-c", 'command -v -- "$0"', program]).then(
      () => true,
      () => false,
    );
  installed.set(program, known);
  return known;
};

/** Runs work after all earlier work with the same key. */
const inTurn = <T>(key: string, work: () => Promise<T>): Promise<T> => {
  const result = (turns.get(key) ?? Promise.resolve()).then(work);
  turns.set(key, result.then(done, done));
  return result;
};

const turns = new Map<string, Promise<void>>();
const done = (): void => undefined;

/** Runs LibreOffice with a separate profile, one at a time: a second process hands its work to the first. */
export const runOffice = (args: readonly string[]): Promise<string> =>
  inTurn("soffice", () =>
    run("soffice", [profileIn("-env:UserInstallation=file://", "office"), "--headless", ...args]),
  );

/** Runs Chromium on a file, with its scripts, one at a time. */
export const runChromium = (args: readonly string[]): Promise<string> =>
  inTurn("chromium", () =>
    run("chromium", [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--hide-scrollbars",
      profileIn("--user-data-dir=", "chromium"),
      ...args,
    ]),
  );

const profileIn = (option: string, name: string): string =>
  `${option}${join(tmpdir(), `anyform-faithful-${name}-${process.pid}`)}`;

/** Removes the profiles of the programs. */
export const removeProfiles = async (): Promise<void> => {
  for (const name of ["office", "chromium"]) {
    await rm(profileIn("", name), { recursive: true, force: true });
  }
};
