import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { dirname, join } from "node:path";
import { type Attempts, PROBE } from "../../functions/engines/core/sandbox/reach.ts";
import { sourceFiles } from "../files/source-files.ts";
import { inBackground } from "../in-background.ts";

/**
 * Programs in the sandbox read compiled sources from Node's compile cache: they start sooner, and need 14 MB less without the
 * compiler of TypeScript. They cannot write there, so separate processes fill the cache after the sources changed.
 */

const ROOT = join(import.meta.dirname, "../..");
const PROGRAM = join(import.meta.dirname, "compile-engines.ts");

/** For the program that checks the sandbox: nothing to reach. */
const NO_ATTEMPTS: Attempts = { paths: [], port: 0, service: { pid: process.pid, startedAt: undefined } };

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
  const environment = { PATH: process.env.PATH, NODE_COMPILE_CACHE: folder };
  await inBackground([...nodeOptions, PROGRAM], environment);
  await inBackground([PROBE, JSON.stringify(NO_ATTEMPTS)], environment);
  writeFileSync(stampIn(folder), stamp);
  return true;
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
