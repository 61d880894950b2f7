import { closeSync, constants, fsync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { groupSync } from "../sqlite/transactions/group-sync.ts";

const waitForDisk = promisify(fsync);

/**
 * Moves a file on the same file system, and resolves when its new name is on the disk. The file is moved, or the error
 * thrown, before this returns.
 */
export type MoveFile = (from: string, to: string) => Promise<void>;

/**
 * Syncing a file does not sync its name: after a power failure, the file could be missing, or have its previous name
 * (fsync(2)). Concurrent moves into the same folder share disk syncs.
 *
 * @param folders those with concurrent moves
 */
export const fileMover = (folders: readonly string[]): MoveFile => {
  const syncs = new Map(folders.map((folder) => [folder, groupSync(() => syncFolder(folder))]));
  return (from, to) => {
    renameSync(from, to);
    const folder = dirname(to);
    return syncs.get(folder)?.() ?? syncFolder(folder);
  };
};

/** Resolves when the names in the folder are on the disk. */
export const syncFolder = async (folder: string): Promise<void> => {
  // Opening and closing take microseconds, and several times that in the thread pool.
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await waitForDisk(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/** Syncs the names in a folder, for the start: the process does nothing else meanwhile. */
export const syncFolderNow = (folder: string): void => {
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/**
 * Writes a new file that only the owner can read, and returns when it is on the disk.
 * @throws the error of the system, `EEXIST` if the file exists
 */
export const writeSecretFile = (path: string, content: Uint8Array): void => {
  const descriptor = openSync(path, "wx", 0o600);
  try {
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  syncFolderNow(dirname(path));
};
