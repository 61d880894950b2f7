import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isWithin } from "../command/folder-files.ts";
import { settingsPath } from "../command/settings.ts";
import { ToolError } from "./tool-error.ts";

/** The folders that a model may access. Symbolic links cannot lead outside. */
export interface Folders {
  readonly roots: readonly string[];
  /** @returns the real path of the file @throws ToolError for a path outside */
  readable(path: string): Promise<string>;
  /** @returns the path to write to @throws ToolError for a path outside, or in a folder that does not exist */
  writable(path: string): Promise<string>;
}

/** @throws ToolError for a folder that does not exist */
export const folders = async (given: readonly string[]): Promise<Folders> => {
  const roots = await Promise.all(given.map((folder) => real(resolve(folder), "Folder not found:")));
  const absolute = (path: string): string => resolve(roots[0] ?? ".", path);
  const inside = (path: string): string => {
    if (!roots.some((root) => isWithin(root, path))) {
      throw new ToolError(
        `${path} is outside of the allowed folders (${roots.join(", ")}). The user can allow more with --root.`,
      );
    }
    return path;
  };
  return {
    roots,
    readable: async (path) => {
      const found = inside(await real(inside(absolute(path)), "File not found:"));
      // This file contains the API key.
      if (found === (await realpath(settingsPath()).catch(() => undefined))) {
        throw new ToolError(`Access to ${found} is not allowed.`);
      }
      return found;
    },
    writable: async (path) => {
      const folder = inside(await real(dirname(absolute(path)), "Folder not found:"));
      return join(folder, basename(absolute(path)));
    },
  };
};

const real = (path: string, otherwise: string): Promise<string> =>
  realpath(path).catch(() => {
    throw new ToolError(`${otherwise} ${path}`);
  });
