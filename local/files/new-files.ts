import { closeSync, fstatSync } from "node:fs";
import { rm } from "node:fs/promises";
import { makeNewFile } from "./file-bytes.ts";

/** A new, empty file that only the owner can read, open for writing. Its taker closes it, and moves or removes it. */
export interface NewFile {
  readonly path: string;
  readonly descriptor: number;
}

/** New files. */
export interface NewFiles {
  /** @throws RequestError `temporarily_unavailable` if the disk is full, read-only or defective */
  take(): Promise<NewFile>;
  /** Removes the files that nobody has taken. Later files are not made in advance. */
  close(): Promise<void>;
}

/**
 * Making a file waits for the journal of the file system, and on ext4 for a search if many files were deleted in the last
 * minutes. So the files that are taken next are made in advance, in the thread pool.
 *
 * @param newPath returns a path that no file has
 * @param prepared files that are made in advance, after the first was taken. @default 0
 */
export const newFiles = (newPath: () => string, prepared = 0): NewFiles => {
  const ready: NewFile[] = [];
  let wanted = prepared;
  let making: Promise<void> | undefined;
  const make = async (): Promise<NewFile> => {
    const path = newPath();
    return { path, descriptor: await makeNewFile(path) };
  };
  const prepare = async (): Promise<void> => {
    try {
      while (ready.length < wanted) {
        ready.push(await make());
      }
    } catch {
      // The next file that is taken is not made in advance then, and reports the error.
    }
    making = undefined;
  };
  /** @returns the oldest file that was made in advance, unless somebody has deleted it */
  const shift = (): NewFile | undefined => {
    for (let file = ready.shift(); file !== undefined; file = ready.shift()) {
      if (fstatSync(file.descriptor).nlink > 0) {
        return file;
      }
      closeSync(file.descriptor);
    }
    return undefined;
  };
  return {
    take: async () => {
      const file = shift() ?? (await make());
      if (ready.length < wanted / 2) {
        making ??= prepare();
      }
      return file;
    },
    close: async () => {
      wanted = 0;
      await making;
      for (const { path, descriptor } of ready.splice(0)) {
        closeSync(descriptor);
        await rm(path, { force: true });
      }
    },
  };
};
