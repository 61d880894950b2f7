import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { filesIn } from "../folder-files.ts";
import { isConvertible, resultName } from "../plan.ts";
import type { Target } from "../target.ts";

/** The files in a watched folder, and which of them are to be converted. */
export interface WatchedFiles {
  /** Reads the folder. @returns the files to convert now, in order */
  scan(now: number): Promise<readonly WatchedFile[]>;
  /** The conversion has begun: `scan` does not return the file again unless it changes. */
  begin(file: WatchedFile): void;
  /** The conversion has ended. */
  end(file: WatchedFile, outcome: "converted" | "failed" | "postponed"): void;
}

export interface WatchedFile {
  readonly path: string;
  readonly output: string;
  readonly bytes: number;
  /** Whether an existing output is replaced. */
  readonly replaces: boolean;
}

export interface WatchSettings {
  readonly folder: string;
  readonly out: string;
  readonly target: Target;
  /** Milliseconds that a file must be unchanged. */
  readonly settleMs: number;
  /** Whether to replace results that are older than their file. */
  readonly force: boolean;
}

interface Entry {
  readonly size: number;
  readonly mtimeMs: number;
  /** When this size and time were first seen. */
  readonly since: number;
  /** `ended`: converted, failed, or its output existed before. */
  state: "ended" | "running" | "waiting";
}

export const watchedFiles = (settings: WatchSettings): WatchedFiles => {
  const { folder, out, target, settleMs, force } = settings;
  const isSeparate = resolve(out) !== resolve(folder);
  const entries = new Map<string, Entry>();
  const owners = new Map<string, string>();
  const written = new Set<string>();
  const outputOf = (path: string): string =>
    claim(owners, join(out, dirname(path), resultName(baseOf(path), target)), path);
  const isDue = async (path: string, { mtimeMs }: Entry): Promise<boolean> => {
    const output = outputOf(path);
    const found = await stat(output).catch(() => undefined);
    return found === undefined || written.has(output) || (force && found.mtimeMs < mtimeMs);
  };
  return {
    scan: async (now) => {
      const isWanted = (name: string): boolean => isConvertible(target, name, isSeparate);
      const paths = await filesIn(folder, { isWanted, without: isSeparate ? out : undefined });
      const due: WatchedFile[] = [];
      for (const path of paths) {
        const entry = await refreshed(entries, { folder, path, now });
        if (entry?.state !== "waiting" || entry.size === 0 || now - entry.since < settleMs) {
          continue;
        }
        if (await isDue(path, entry)) {
          const output = outputOf(path);
          due.push({ path, output, bytes: entry.size, replaces: force || written.has(output) });
        } else {
          entry.state = "ended";
        }
      }
      forgetMissing(entries, owners, new Set(paths));
      return due;
    },
    begin: ({ path }) => mark(entries, path, "running"),
    end: ({ path, output }, outcome) => {
      mark(entries, path, outcome === "postponed" ? "waiting" : "ended");
      if (outcome === "converted") {
        written.add(output);
      }
    },
  };
};

const baseOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;

/** @returns the file's entry, which starts again when the file changed; undefined if the file is gone */
const refreshed = async (
  entries: Map<string, Entry>,
  { folder, path, now }: { readonly folder: string; readonly path: string; readonly now: number },
): Promise<Entry | undefined> => {
  const found = await stat(join(folder, path)).catch(() => undefined);
  const entry = entries.get(path);
  if (found === undefined || entry?.state === "running") {
    return entry;
  }
  const { size, mtimeMs } = found;
  if (entry?.size === size && entry.mtimeMs === mtimeMs) {
    return entry;
  }
  const changed: Entry = { size, mtimeMs, since: now, state: "waiting" };
  entries.set(path, changed);
  return changed;
};

const mark = (entries: ReadonlyMap<string, Entry>, path: string, state: Entry["state"]): void => {
  const entry = entries.get(path);
  if (entry !== undefined) {
    entry.state = state;
  }
};

/** Files with the same name and different extensions get results with different names: `a.jpg` and `a-2.jpg`. */
const claim = (owners: Map<string, string>, wanted: string, path: string): string => {
  const at = wanted.lastIndexOf(".");
  let output = wanted;
  for (let number = 2; (owners.get(output) ?? path) !== path; number += 1) {
    output = `${wanted.slice(0, at)}-${number}${wanted.slice(at)}`;
  }
  owners.set(output, path);
  return output;
};

/** Deleted files are forgotten, so that memory does not grow with the number of files that ever existed. */
const forgetMissing = (entries: Map<string, Entry>, owners: Map<string, string>, paths: ReadonlySet<string>): void => {
  for (const [path, { state }] of entries) {
    if (!paths.has(path) && state !== "running") {
      entries.delete(path);
    }
  }
  for (const [output, path] of owners) {
    if (!paths.has(path)) {
      owners.delete(output);
    }
  }
};
