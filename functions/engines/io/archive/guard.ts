import type { Warning } from "../../../domain/jobs.ts";
import { type Budget, counted } from "./budget.ts";
import type { ArchiveEntry, RawEntry } from "./entry.ts";
import { namer, type SafePath, safePath } from "./names.ts";

/** Entries that may be written anywhere, and what had to be changed for it. */
export interface Guarded {
  readonly entries: AsyncIterable<ArchiveEntry>;
  /** Whole only when the last entry has been read. */
  warnings(): readonly Warning[];
}

export interface GuardSettings {
  readonly budget: Budget;
  /** Whether the result can hold links. */
  readonly keepsLinks: boolean;
  /** Bytes of the name of one file or folder, in UTF-8. @default any number */
  readonly nameBytesMax?: number;
}

/**
 * Stands between what an archive says and what we write: paths are made safe, bytes and entries counted, links that the
 * result cannot hold or that lead out of it dropped.
 */
export const guarded = (
  raw: AsyncIterable<RawEntry>,
  { budget, keepsLinks, nameBytesMax = Number.POSITIVE_INFINITY }: GuardSettings,
): Guarded => {
  let links = 0;
  let names = 0;
  const entries = async function* (): AsyncGenerator<ArchiveEntry> {
    const paths = namer();
    const files = new Set<string>();
    for await (const entry of raw) {
      budget.entry();
      const safe = safePath(entry.path, nameBytesMax);
      const kept = safe.parts.length === 0 ? undefined : keptKind(entry, { safe, files, keepsLinks });
      if (kept === undefined) {
        links += entry.kind === "folder" ? 0 : 1;
        continue;
      }
      // Nothing is ever written through a link: to the namer it is a file, and no file has others below it.
      const named = paths.pathOf(safe.parts, kept === "folder" ? "folder" : "file");
      if (named === undefined) {
        continue;
      }
      names += safe.changed || named.changed ? 1 : 0;
      files.add(named.path);
      const target = kept === "hardlink" ? safePath(entry.target ?? "").parts.join("/") : entry.target;
      const content = () => counted(entry.content(), budget);
      const modified = Number.isNaN(entry.modified.getTime()) ? new Date(0) : entry.modified;
      yield { ...entry, kind: kept, path: named.path, modified, content, ...(target !== undefined && { target }) };
    }
  };
  return {
    entries: entries(),
    warnings: () => [...(links > 0 ? [LINKS_DROPPED] : []), ...(names > 0 ? [NAMES_CHANGED] : [])],
  };
};

/** Links that are not in the result. */
export const LINKS_DROPPED: Warning = {
  code: "links_dropped",
  detail: "Links and devices in the archive were left out.",
};

/** Names that are not as the archive has them. */
export const NAMES_CHANGED: Warning = {
  code: "names_changed",
  detail: "Some names in the archive were changed: they led out of it, stood there twice, or had control characters.",
};

/** @returns what the entry is in the result; undefined when it is left out */
const keptKind = (
  { kind, target = "", path }: RawEntry,
  { safe, files, keepsLinks }: { safe: SafePath; files: ReadonlySet<string>; keepsLinks: boolean },
): ArchiveEntry["kind"] | undefined => {
  if (kind === "file" || kind === "folder") {
    return kind;
  }
  if (kind === "special" || !keepsLinks || path === "") {
    return undefined;
  }
  const stays =
    kind === "hardlink" ? files.has(safePath(target).parts.join("/")) : staysInside(target, safe.parts.length - 1);
  return stays ? kind : undefined;
};

/**
 * @returns whether a symbolic link in a folder of this depth leads to a place in the archive. It may go up at its
 * beginning only: a `..` behind a name would go up from wherever that name, which may be a link, leads.
 */
const staysInside = (target: string, depth: number): boolean => {
  const parts = target.split("/");
  const up = parts.findIndex((part) => part !== "..");
  const rises = up === -1 ? parts.length : up;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters have no place in a name
  return rises <= depth && !parts.slice(rises).includes("..") && target !== "" && !/^\/|[\\\u0000-\u001f]/.test(target);
};
