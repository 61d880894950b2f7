import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Changes, textAt, unpackAt } from "./changes.ts";
import { changedFormats } from "./format-rows.ts";
import { changedPackages } from "./packages.ts";
import type { Touched } from "./select-pairs.ts";
import { FORMATS, PLAN, ROOT, tableModules } from "./source-graph.ts";

/** Files that may change every result: the installed programs, and how tests run. */
const EVERYTHING = ["layers/image/packages.txt", "vitest.config.ts"];

const LOCK = "package-lock.json";
const ROUTES_BYTES_MAX = 50_000_000;

/** @returns what a change affects, or why everything has to be tested */
export const touchedBy = (changes: Changes): Touched | string => {
  const files = new Set(changes.files);
  const { plan, formats } = tableModules();
  const wide = EVERYTHING.find((path) => files.has(path));
  if (wide !== undefined) {
    return `${wide} has changed`;
  }
  const rows = changedRows(changes, formats.files);
  if (typeof rows === "string") {
    return rows;
  }
  const pairs = files.isDisjointFrom(plan.files) ? new Set<string>() : changedRoutes(changes);
  if (pairs === undefined) {
    return `the plan of ${changes.base} cannot be read`;
  }
  const packages = files.has(LOCK)
    ? changedPackages(textAt(ROOT, changes.commit, LOCK), readFileSync(join(ROOT, LOCK), "utf8"))
    : new Set<string>();
  const parts = changes.files.filter((path) => path.startsWith("functions/engines/") && !path.endsWith(".ts"));
  // The plan is compared pair by pair.
  files.delete(PLAN);
  return { files, packages, pairs, formats: rows, folders: new Set(parts.map((path) => dirname(path))) };
};

/** @returns IDs of the formats whose rows differ, or the file in which more than rows differs */
const changedRows = ({ commit, files }: Changes, modules: ReadonlySet<string>): ReadonlySet<string> | string => {
  const changed = new Set<string>();
  for (const path of files.filter((name) => modules.has(name) && name !== FORMATS)) {
    const ids = changedFormats(textAt(ROOT, commit, path) ?? "", readFileSync(join(ROOT, path), "utf8"));
    if (ids === undefined) {
      return `${path} has changed, which all formats depend on`;
    }
    for (const id of ids) {
      changed.add(id);
    }
  }
  return changed;
};

/** @returns the pairs that the commit converted differently or not at all; undefined if its plan cannot be read */
const changedRoutes = ({ commit }: Changes): ReadonlySet<string> | undefined => {
  const folder = mkdtempSync(join(tmpdir(), "anyform-base-"));
  try {
    unpackAt(ROOT, commit, [folder, "functions/domain", "package.json"]);
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    const [before, now] = [routesIn(folder), routesIn(ROOT)];
    return new Set([...now].filter(([pair, way]) => before.get(pair) !== way).map(([pair]) => pair));
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const routesIn = (root: string): ReadonlyMap<string, string> => {
  const program = join(import.meta.dirname, "print-routes.ts");
  const options = { encoding: "utf8", stdio: "pipe", maxBuffer: ROUTES_BYTES_MAX } as const;
  return new Map(Object.entries(JSON.parse(execFileSync(process.execPath, [program, root], options))));
};
