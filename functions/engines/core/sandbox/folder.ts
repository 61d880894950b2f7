import {
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { resolve as absolute, basename, dirname, join, sep } from "node:path";
import { OUTPUT_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Protection } from "./enclosure.ts";
import { seccompFilter } from "./seccomp.ts";

/** The files that every task has. */
export interface TaskFiles {
  readonly input: string;
  readonly further?: readonly FileOfTask[];
  readonly optionFiles?: readonly FileOfTask[];
  /** The task's working directory, which is writable. */
  readonly folder: string;
}

interface FileOfTask {
  readonly path: string;
}

/** The directory in which a converter finds the files of its current job. In a sandbox it sees no other job's files. */
export interface SandboxFolder {
  readonly folder: string;
  /** Further folders that the converter writes to, in addition to the task's. */
  readonly written: readonly string[];
  /** Moves the task's files in. Only one task is inside at a time. */
  admit<Task extends TaskFiles>(task: Task): Admitted<Task>;
  /** Removes the folder after the converter has exited. */
  remove(): Promise<void>;
}

export interface Admitted<Task> {
  /** The task, with its paths inside the sandbox. */
  readonly task: Task;
  /** @returns the path outside the sandbox for a path in the task's folder */
  outside(path: string): string;
  /**
   * Moves the task's folder, with its contents, back to its original path.
   * @throws JobError `engine_crashed` when the converter deleted it; an empty folder replaces it
   */
  release(): void;
  /**
   * In place of {@link release}, for a converter that is being killed: moves the result to a new folder at the path of
   * the task's, where the converter cannot reach it. The other files are removed with the converter's folder.
   *
   * @param output path of the result inside the sandbox
   * @returns its path outside
   * @throws JobError `engine_crashed` when it is not a file, or as `release` does
   */
  take(output: string): string;
}

/** The folder that the converter sees as /tmp. */
export const temporaryIn = (folder: string): string => join(folder, "tmp");

/** The folder that the task's folder is moved to. */
export const jobsIn = (folder: string): string => join(folder, "jobs");

/** The folder of read-only input files. */
export const inputsIn = (folder: string): string => join(folder, "inputs");

/** The filter for system calls, which the converter does not see. */
export const filterIn = (folder: string): string => join(folder, "seccomp");

/** A converter without file isolation uses the task's original paths. */
const everywhere: SandboxFolder = {
  folder: "",
  written: [],
  admit: (task) => ({ task, outside: (path) => path, release: () => {}, take: (output) => output }),
  remove: async () => {},
};

/** @returns the directory of a converter with these protections */
export const sandboxFolderFor = (protections: readonly Protection[], scratchFolder: string): SandboxFolder => {
  if (protections.includes("files")) {
    return newSandboxFolder(scratchFolder);
  }
  // The process namespace ends with the converter, so no process remains that could clean up.
  return protections.includes("processes") ? temporarySandboxFolder(scratchFolder) : everywhere;
};

/** A converter without file isolation, with a separate folder for temporary files. */
const temporarySandboxFolder = (scratchFolder: string): SandboxFolder => {
  const folder = mkdtempSync(join(scratchFolder, "converter-"));
  return { ...everywhere, folder, written: [folder], remove: () => rm(folder, { recursive: true, force: true }) };
};

/**
 * Creates the directory of one converter. Converters start before their jobs are known, so each has a folder, and a
 * task's folder is moved into it for the duration of the task. No converter sees the files of another converter's job.
 *
 * @param scratchFolder on the same file system as the task folders
 */
export const newSandboxFolder = (scratchFolder: string): SandboxFolder => {
  const folder = mkdtempSync(join(scratchFolder, "converter-"));
  for (const path of [temporaryIn(folder), jobsIn(folder), inputsIn(folder)]) {
    mkdirSync(path, { mode: 0o700 });
  }
  writeFileSync(filterIn(folder), seccompFilter() ?? "", { mode: 0o600 });
  return {
    folder,
    written: [temporaryIn(folder)],
    admit: (task) => admit(folder, task),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};

const admit = <Task extends TaskFiles>(folder: string, task: Task): Admitted<Task> => {
  const moved = join(jobsIn(folder), basename(task.folder));
  const lent: string[] = [];
  const enter = (path: string): string => {
    if (path.startsWith(`${task.folder}${sep}`)) {
      return `${moved}${path.slice(task.folder.length)}`;
    }
    const inside = join(inputsIn(folder), `${lent.length}-${basename(path)}`);
    lent.push(inside);
    lend(path, inside);
    return inside;
  };
  const clear = (): void => {
    for (const path of lent) {
      rmSync(path, { force: true });
    }
  };
  try {
    const input = enter(task.input);
    const entered = (files: readonly FileOfTask[] = []) => files.map((file) => ({ ...file, path: enter(file.path) }));
    const [further, optionFiles] = [entered(task.further), entered(task.optionFiles)];
    renameSync(task.folder, moved);
    const release = (): void => {
      clear();
      takeOut(moved, task.folder);
    };
    const outside = (path: string): string => `${task.folder}${path.slice(moved.length)}`;
    const take = (output: string): string => {
      const aside = join(folder, "taken");
      clear();
      mkdirSync(task.folder, { mode: 0o700 });
      takeOut(moved, aside);
      const taken = join(task.folder, basename(output));
      // A link is moved, not followed, and then refused.
      renameSync(join(aside, basename(output)), taken);
      if (!isResult(taken, task.folder)) {
        rmSync(taken, { force: true });
        throw new JobError("engine_crashed", "The converter replaced its result.");
      }
      return taken;
    };
    return { task: { ...task, folder: moved, input, further, optionFiles }, outside, release, take };
  } catch (error) {
    clear();
    throw error;
  }
};

/**
 * A converter could replace its task's folder with a symbolic link, and the service would then read and deliver the
 * files at the link's target. So the folder is checked after the converter can no longer reach it.
 */
const takeOut = (moved: string, folder: string): void => {
  try {
    renameSync(moved, folder);
    if (lstatSync(folder).isDirectory()) {
      return;
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) {
      throw error;
    }
  }
  rmSync(folder, { force: true });
  mkdirSync(folder, { mode: 0o700 });
  throw new JobError("engine_crashed", "The converter deleted its working directory.");
};

/** Whether the path is a regular file in the folder. With a link, the service would deliver any file the link names. */
export const isResult = (output: string, folder: string): boolean => {
  const stats = dirname(output) === absolute(folder) ? lstatSync(output, { throwIfNoEntry: false }) : undefined;
  return stats?.isFile() === true && stats.size <= OUTPUT_BYTES_MAX;
};

/** A hard link costs nothing, and the sandbox mounts it read-only. Files on another disk are copied. */
const lend = (path: string, inside: string): void => {
  try {
    linkSync(path, inside);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && (error.code === "EXDEV" || error.code === "EPERM"))) {
      throw error;
    }
    copyFileSync(path, inside, constants.COPYFILE_FICLONE);
  }
};
