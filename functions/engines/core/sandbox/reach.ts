import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { runProgram } from "../program.ts";
import type { Protection } from "./enclosure.ts";
import { startedAt } from "./tree.ts";

/** What the probe tries to reach. */
export interface Attempts {
  /** Files outside the sandbox. */
  readonly paths: readonly string[];
  /** A port of the loopback interface on which the service listens. */
  readonly port: number;
  /** The service's process: its ID, and its start in clock ticks. */
  readonly service: { readonly pid: number; readonly startedAt: string | undefined };
}

/** What the probe reached, by the protection that should have prevented it. */
export type Reached = Readonly<Record<Exclude<Protection, "files" | "limits">, boolean>> & {
  /** The paths that it opened. */
  readonly files: readonly string[];
};

interface Surroundings {
  /** A folder in which other converters have their files. */
  readonly scratchFolder: string;
  /** Folders with data of the service. */
  readonly hidden?: readonly string[];
}

/** The program that tries to leave the sandbox. Its argument is what it tries, as JSON of {@link Attempts}. */
export const PROBE = join(import.meta.dirname, "probe.ts");
const PROBE_MS_MAX = 20_000;
const ERROR_CHARACTERS_MAX = 200;

/**
 * Runs a program in a sandbox that tries to open files of the service and of another job, to connect to the loopback
 * interface, to see the service's process, and to create a user namespace.
 *
 * @param command adds the sandbox to a command
 * @throws Error when the program does not run in the sandbox, with the reason
 */
export const reachFrom = async (
  command: (inner: readonly string[]) => readonly [string, ...string[]],
  { scratchFolder, hidden = [] }: Surroundings,
): Promise<Reached> => {
  const other = mkdtempSync(join(scratchFolder, "other-job-"));
  const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  try {
    writeFileSync(join(other, "file"), "");
    await once(server, "listening");
    const address = server.address();
    const attempts: Attempts = {
      paths: [...hidden.flatMap(filesIn), join(other, "file")],
      port: typeof address === "object" && address !== null ? address.port : 0,
      service: { pid: process.pid, startedAt: startedAt(process.pid) },
    };
    const [program, ...args] = command([process.execPath, PROBE, JSON.stringify(attempts)]);
    const run = { program, arguments: args, folder: "/", timeoutMs: PROBE_MS_MAX };
    const { code, stdout, stderr } = await runProgram(run);
    if (code !== 0) {
      throw new Error(stderr.trim().slice(0, ERROR_CHARACTERS_MAX) || `exited with code ${code}`);
    }
    return JSON.parse(stdout.toString("utf8"));
  } finally {
    server.close();
    rmSync(other, { recursive: true, force: true });
  }
};

const FILES_MAX = 100;

/** @returns the files directly in the folder: the database and the secrets of the service */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .slice(0, FILES_MAX)
    .map(({ name }) => join(folder, name));
