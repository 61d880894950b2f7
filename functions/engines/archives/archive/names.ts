import { unsafe } from "./budget.ts";

/** Maximum length of a path in characters (as on Linux), and maximum depth of folders. */
const PATH_CHARACTERS_MAX = 4_096;
const DEPTH_MAX = 200;

/** A path that is safe to unpack anywhere. */
export interface SafePath {
  readonly parts: readonly string[];
  /** Whether it differs from the path in the archive. */
  readonly changed: boolean;
}

/**
 * Makes a path safe, as 7-Zip does, so that it stays inside the folder it is unpacked to: removes the root, drive, `.`
 * and `..`, and writes `_` for characters that a system does not allow in names or uses as a separator.
 *
 * @param nameBytesMax maximum bytes of one name; a longer one is truncated before its extension
 * @returns no parts for the archive's root (`./`)
 * @throws JobError `archive_unsafe` for paths that point outside and have no other parts, and for paths that are too
 * long
 */
export const safePath = (path: string, nameBytesMax = Number.POSITIVE_INFINITY): SafePath => {
  const all = path.split("/");
  const named = all.filter((part, index) => !isEmpty(part) && part !== ".." && !(index === 0 && DRIVE.test(part)));
  const parts = named.map((part) => shortened(part.replace(NOT_IN_NAMES, "_"), nameBytesMax));
  if (path.length > PATH_CHARACTERS_MAX || parts.length > DEPTH_MAX) {
    throw unsafe(`has a path of ${path.length} characters and ${parts.length} folders, which is too long`);
  }
  const led = path.startsWith("/") || named.length < all.filter((part) => !isEmpty(part)).length;
  if (parts.length === 0 && led && path !== "/") {
    throw unsafe(`has an unsafe path: ${JSON.stringify(path)}`);
  }
  return { parts, changed: led || parts.some((part, index) => part !== named[index]) };
};

const shortened = (name: string, bytesMax: number): string => {
  if (Buffer.byteLength(name) <= bytesMax) {
    return name;
  }
  const extension = /\.[^.]{1,10}$/.exec(name)?.[0] ?? "";
  const room = bytesMax - NUMBER_BYTES - Buffer.byteLength(extension);
  let stem = "";
  for (const letter of name) {
    if (Buffer.byteLength(stem + letter) > room) {
      break;
    }
    stem += letter;
  }
  return stem + extension;
};

/** Bytes reserved for the number that a duplicate name gets. */
const NUMBER_BYTES = 8;

const isEmpty = (part: string): boolean => part === "" || part === ".";
const DRIVE = /^[a-z]:$/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are not allowed in names
const NOT_IN_NAMES = /[\u0000-\u001f\u007f\\]/g;

/** Gives each entry of an archive a unique path. */
export interface Namer {
  /** @returns the path; undefined for a folder that already exists */
  pathOf(parts: readonly string[], kind: "file" | "folder"): { path: string; changed: boolean } | undefined;
}

/** Duplicate names get a number, so that no file is lost. So does a folder with the name of a file. */
export const namer = (): Namer => {
  const taken = new Map<string, "file" | "folder">();
  const folders = new Map<string, string>();
  const free = (path: string): string => {
    const [, stem = path, extension = ""] = /^(.*[^/])(\.[^./]+)$/s.exec(path) ?? [];
    let count = 2;
    while (taken.has(`${stem} (${count})${extension}`)) {
      count += 1;
    }
    return `${stem} (${count})${extension}`;
  };
  const folderOf = (parts: readonly string[]): string => {
    const wanted = parts.join("/");
    const known = folders.get(wanted);
    if (known !== undefined || parts.length === 0) {
      return known ?? "";
    }
    const above = folderOf(parts.slice(0, -1));
    const path = `${above === "" ? "" : `${above}/`}${parts.at(-1)}`;
    const made = taken.get(path) === "file" ? free(path) : path;
    taken.set(made, "folder");
    folders.set(wanted, made);
    return made;
  };
  return {
    pathOf: (parts, kind) => {
      const wanted = parts.join("/");
      if (kind === "folder") {
        const known = folders.has(wanted);
        const path = folderOf(parts);
        return known ? undefined : { path, changed: path !== wanted };
      }
      const above = folderOf(parts.slice(0, -1));
      const path = `${above === "" ? "" : `${above}/`}${parts.at(-1)}`;
      const made = taken.has(path) ? free(path) : path;
      taken.set(made, "file");
      return { path: made, changed: made !== wanted };
    },
  };
};
