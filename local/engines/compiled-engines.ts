import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { constants, setPriority } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Attempts, PROBE } from "../../functions/engines/core/sandbox/reach.ts";
import { sourceFiles } from "../files/source-files.ts";

/**
 * Programs in the sandbox read compiled sources from Node's compile cache: they start sooner, and need 14 MB less without the
 * compiler of TypeScript. They cannot write there, so separate processes fill the cache after the sources changed.
 */

const ROOT = join(import.meta.dirname, "../..");
const PROGRAM = join(import.meta.dirname, "compile-engines.ts");

/** For the program that checks the sandbox: nothing to reach. */
const NO_ATTEMPTS: Attempts = { paths: [], port: 0, service: { pid: process.pid, startedAt: undefined } };

/** Loading all engines takes about 3 s of CPU time, but at the lowest priority, on a busy machine, some minutes. */
const COMPILE_MS_MAX = 600_000;

/**
 * Compiles the sources of converters, and of the program that checks the sandbox, at the lowest priority, unless they are
 * compiled, or this process has no cache.
 *
 * @param nodeOptions those of the converters: V8 compiles for its options
 * @param folder the value of `NODE_COMPILE_CACHE`. @default that of this process
 * @returns whether it compiled them
 */
export const compileEngines = async (nodeOptions: readonly string[], folder = ownFolder()): Promise<boolean> => {
  const stamp = stateOfSources(nodeOptions);
  if (folder === undefined || readStamp(stampIn(folder)) === stamp) {
    return false;
  }
  await compileBy([...nodeOptions, PROGRAM], folder);
  await compileBy([PROBE, JSON.stringify(NO_ATTEMPTS)], folder);
  writeFileSync(stampIn(folder), stamp);
  return true;
};

/** Runs a program that compiles what it loads. */
const compileBy = async (programArguments: readonly string[], folder: string): Promise<void> => {
  const running = promisify(execFile)(process.execPath, programArguments, {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: folder },
    timeout: COMPILE_MS_MAX,
  });
  setPriority(running.child.pid ?? 0, constants.priority.PRIORITY_LOW);
  await running;
};

const ownFolder = (): string | undefined => {
  const folder = getCompileCacheDir();
  return folder === undefined ? undefined : dirname(folder);
};

const stampIn = (folder: string): string => join(folder, "engines.stamp");

/** @returns a hash of what the compiled sources depend on: the version of Node, its options, sizes and times of sources */
const stateOfSources = (nodeOptions: readonly string[]): string => {
  const sources = sourceFiles(ROOT, [["functions", ".ts"]]);
  return createHash("sha256")
    .update(JSON.stringify([process.version, process.arch, nodeOptions, ROOT, sources]))
    .digest("hex");
};

const readStamp = (path: string): string | undefined =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, "utf8") : undefined;
