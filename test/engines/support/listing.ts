import { execFileSync } from "node:child_process";
import { lstatSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TreeItem } from "./file-tree.ts";

/** A file or folder unpacked from an archive. */
export type Unpacked = TreeItem & { readonly modified: Date };

const ENVIRONMENT = { ...process.env, LC_ALL: "C.UTF-8", TZ: "UTC" };

/** How third-party programs unpack the formats that we write, into the current directory. */
const UNPACKERS: Readonly<Record<string, (path: string) => readonly [string, ...string[]]>> = {
  bsdtar: (path) => ["bsdtar", "-xf", path],
  "7zz": (path) => ["7zz", "x", "-y", path],
  unzip: (path) => ["unzip", "-q", path],
};

/** @returns what the program unpacks from the archive into a fresh folder in `place` */
export const unpackedBy = (program: keyof typeof UNPACKERS, path: string, place: string): Map<string, Unpacked> => {
  const folder = mkdtempSync(join(place, "unpacked-"));
  const [name = "", ...args] = UNPACKERS[program]?.(path) ?? [];
  execFileSync(name, args, { cwd: folder, env: ENVIRONMENT, stdio: "pipe" });
  return new Map(
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((item) => {
      const state = lstatSync(join(folder, item));
      const bytes = state.isFile() ? { bytes: readFileSync(join(folder, item)) } : {};
      return [item, { path: item, mode: state.mode & 0o777, modified: state.mtime, ...bytes }];
    }),
  );
};

/** @returns the standard output of a program about a file */
export const outputOf = (program: string, ...args: readonly string[]): Buffer =>
  execFileSync(program, args, { env: ENVIRONMENT, stdio: ["ignore", "pipe", "pipe"] });
