import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./source-graph.ts";

/** Folders whose tests call functions, mostly in their own process. */
const FOLDERS = [
  "adapters",
  "api",
  "bench",
  "dashboard",
  "domain",
  "events",
  "infra",
  "local",
  "outbound",
  "supply-chain",
];

/** What changes a process for the files that run in it later: settings, and modules that are replaced. */
const CHANGES_PROCESS = /\bprocess\.env\b|\bvi\.(?:do)?[mM]ock\(|\/emulator-suite\.ts"/;

/**
 * @returns test files that can share a process, from the root. Half of their CPU was to start processes and to import the
 * same modules again.
 */
export const sharedFiles = (): readonly string[] =>
  globSync(`test/{${FOLDERS.join()}}/**/*.test.ts`, { cwd: ROOT })
    .filter((path) => !CHANGES_PROCESS.test(readFileSync(join(ROOT, path), "utf8")))
    .sort();
