import { realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { settingsPath } from "../command/settings.ts";
import { ToolError } from "./tool-error.ts";

/** The folders that a model may use; links do not lead out of them. */
export interface Folders {
  readonly roots: readonly string[];
  /** @returns where the file really is @throws ToolError for one outside */
  readable(path: string): Promise<string>;
  /** @returns where a file may be written @throws ToolError for a place outside, or in no folder */
  writable(path: string): Promise<string>;
}

/** @throws ToolError for a folder that is not there */
export const folders = async (given: readonly string[]): Promise<Folders> => {
  const roots = await Promise.all(given.map((folder) => real(resolve(folder), "There is no folder")));
  const absolute = (path: string): string => resolve(roots[0] ?? ".", path);
  const inside = (path: string): string => {
    if (!roots.some((root) => isWithin(root, path))) {
      throw new ToolError(`${path} is outside of ${roots.join(", ")}. The user may allow more with --root.`);
    }
    return path;
  };
  return {
    roots,
    readable: async (path) => {
      const found = inside(await real(inside(absolute(path)), "There is no file"));
      // It holds the API key.
      if (found === (await realpath(settingsPath()).catch(() => undefined))) {
        throw new ToolError(`${found} is not for conversions.`);
      }
      return found;
    },
    writable: async (path) => {
      const folder = inside(await real(dirname(absolute(path)), "There is no folder"));
      return join(folder, basename(absolute(path)));
    },
  };
};

const real = (path: string, otherwise: string): Promise<string> =>
  realpath(path).catch(() => {
    throw new ToolError(`${otherwise} ${path}.`);
  });

const isWithin = (root: string, path: string): boolean => {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && resolve(root, way) === resolve(path);
};
