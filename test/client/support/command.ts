import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** The program and environment of the command. */
export interface Shell {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** @default the command from source */
  readonly program?: readonly [string, ...string[]];
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export const sources: readonly [string, ...string[]] = [
  process.execPath,
  join(import.meta.dirname, "../../../client/command.ts"),
];

/** Variables that isolate the tests from the developer's settings. */
const cleared = { ANYFORM_API_KEY: "", ANYFORM_URL: "" };
const COMMAND_MS_MAX = 150_000;

export const start = ({ cwd, env, program = sources }: Shell, args: readonly string[]): ChildProcess => {
  const [name, ...before] = program;
  return spawn(name, [...before, ...args], {
    cwd,
    env: { ...process.env, ...cleared, ...env },
    stdio: "pipe",
    timeout: COMMAND_MS_MAX,
  });
};

/** Runs the command to its end. */
export const anyform = async (
  shell: Shell,
  args: readonly string[],
  input: string | Uint8Array = "",
): Promise<Ended> => {
  const child = start(shell, args);
  const ended = once(child, "close");
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk));
  // A command that does not read its input may exit before it is written.
  child.stdin?.on("error", () => undefined).end(input);
  const [code] = await ended;
  return { code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() };
};
