import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { safeFilename } from "../../../domain/uploads/upload.ts";
import type { ArchiveEntry } from "./entry.ts";
import type { Guarded } from "./guard.ts";
import { safePath } from "./names.ts";

/** Maximum bytes of a file name: most file systems allow 255, and a number may be added. */
const NAME_BYTES_MAX = 247;

/** A file, and the name that the client gave it. */
export interface NamedFile {
  readonly path: string;
  readonly name?: string;
}

/**
 * Returns files as entries of an archive, all in its root, under their own names made safe. Names are unique regardless
 * of case, because some file systems ignore it. A name that the client chose needs no warning.
 */
export const packedFiles = (files: readonly NamedFile[], progress: (share: number) => void): Guarded => {
  const names = distinct(files.map(({ name = "file" }) => safeName(name)));
  const entries = async function* (): AsyncGenerator<ArchiveEntry> {
    for (const [index, file] of files.entries()) {
      const { size, mtime } = await stat(file.path);
      const content = () => createReadStream(file.path, { highWaterMark: CHUNK_BYTES });
      yield { path: names[index] ?? "file", kind: "file", modified: mtime, mode: 0, bytes: size, content };
      progress((index + 1) / files.length);
    }
  };
  return { entries: entries(), warnings: () => [] };
};

const CHUNK_BYTES = 262_144;

const safeName = (name: string): string => safePath(safeFilename(name), NAME_BYTES_MAX).parts[0] ?? "file";

/** @returns the names, with a number before the extension of duplicates */
const distinct = (names: readonly string[]): string[] => {
  const taken = new Set<string>();
  return names.map((name) => {
    const [, stem = name, extension = ""] = /^(.+?)((?:\.tar)?\.[^.]+)$/is.exec(name) ?? [];
    let free = name;
    for (let count = 2; taken.has(free.toLowerCase()); count += 1) {
      free = `${stem} (${count})${extension}`;
    }
    taken.add(free.toLowerCase());
    return free;
  });
};
