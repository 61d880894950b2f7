import type { Warning } from "../../../domain/warning.ts";
import { type Budget, counted } from "./budget.ts";
import type { ArchiveEntry, RawEntry } from "./entry.ts";
import { namer, type SafePath, safePath } from "./names.ts";

/** Entries that are safe to write anywhere, and what was changed to make them safe. */
export interface Guarded {
  readonly entries: AsyncIterable<ArchiveEntry>;
  /** Complete only after the last entry has been read. */
  warnings(): readonly Warning[];
}

export interface GuardSettings {
  readonly budget: Budget;
  /** Whether the result supports links. */
  readonly keepsLinks: boolean;
  /** Maximum length of one file or folder name, in UTF-8 bytes. @default unlimited */
  readonly nameBytesMax?: number;
}

/**
 * Filters everything that an archive declares before it is written: makes paths safe, counts bytes and entries, and
 * drops links that the result does not support or that point outside of it.
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
      // Nothing is ever written through a link: the namer treats it as a file, and a file has no children.
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

/** Links that are missing from the result. */
const LINKS_DROPPED: Warning = {
  code: "links_dropped",
  detail: "Links and devices in the archive were left out.",
};

/** Names that differ from those in the archive. */
const NAMES_CHANGED: Warning = {
  code: "names_changed",
  detail: "Some names in the archive were changed: they were duplicates, pointed outside, or had control characters.",
};

/** @returns the kind of the entry in the result; undefined when it is left out */
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
 * @returns whether a symbolic link in a folder of this depth points inside the archive. `..` is allowed only at the
 * start of the target: after a name, which may itself be a link, it could lead anywhere.
 */
const staysInside = (target: string, depth: number): boolean => {
  const parts = target.split("/");
  const up = parts.findIndex((part) => part !== "..");
  const rises = up === -1 ? parts.length : up;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are not allowed in names
  return rises <= depth && !parts.slice(rises).includes("..") && target !== "" && !/^\/|[\\\u0000-\u001f]/.test(target);
};
