import { realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";

/**
 * Mounts folders read-only without the hidden folders in them. Arguments are sorted by path, so that a folder comes
 * before those in it: `/usr` is mounted, then the hidden `/usr/src/app` is covered by an empty folder, then the code
 * `/usr/src/app/functions` is mounted in that.
 *
 * @param visible folders and files, each mounted at its own path if it exists and this user may access it: bwrap fails
 * for a folder of another user on the PATH
 * @param hidden folders, with all paths by which they could be reached
 * @returns arguments of bwrap(1), and those that follow when everything is mounted
 */
export const readOnlyMounts = (visible: readonly string[], hidden: readonly string[]) => {
  const accessible = [...new Set(visible)].filter((path) => realPath(path) !== undefined);
  const covered = new Set(hidden.flatMap((folder) => accessible.flatMap((mount) => positionIn(mount, folder))));
  const mounts = accessible.map((path) => ({ path, args: ["--ro-bind-try", path, path] }));
  const covers = [...covered].map((path) => ({ path, args: ["--tmpfs", path] }));
  // The sort is stable: a cover comes after a mount at the same path.
  const sorted = [...mounts, ...covers].sort((one, other) => compare(one.path, other.path));
  return { mounts: sorted.flatMap(({ args }) => args), seals: [...covered].flatMap((path) => ["--remount-ro", path]) };
};

/** @returns the path at which the mount shows the folder, if it does */
const positionIn = (mount: string, folder: string): readonly string[] => {
  const [source, target] = [realPath(mount), realPath(folder)];
  return source !== undefined && target !== undefined && isIn(source, target)
    ? [join(mount, relative(source, target))]
    : [];
};

/** @returns the path without symbolic links; undefined if it does not exist or is not accessible */
const realPath = (path: string): string | undefined => {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
};

/** Whether the path is the folder or in it. */
export const isIn = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
