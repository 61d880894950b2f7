import { constants, copyFileSync, linkSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { resolve as absolute, basename, dirname, join, sep } from "node:path";
import { OUTPUT_BYTES_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import type { Wall } from "./enclosure.ts";

/** The files of a task, as every conversion has them. */
export interface TaskFiles {
  readonly input: string;
  readonly further?: readonly FileOfTask[];
  /** The task's own, which it writes to. */
  readonly folder: string;
}

interface FileOfTask {
  readonly path: string;
}

/** Where a converter that sees no other files finds those of the job in its hands. */
export interface Place {
  readonly folder: string;
  /** Folders that the converter writes to, beside the task's. */
  readonly written: readonly string[];
  /** Brings the task's files in. Only one task is inside at a time. */
  admit<Task extends TaskFiles>(task: Task): Admitted<Task>;
  /** Removes the folder, when the converter is gone. */
  remove(): Promise<void>;
}

export interface Admitted<Task> {
  /** The task with the paths that it has inside. */
  readonly task: Task;
  /** @returns where a path of the task's folder is when the task is outside again */
  outside(path: string): string;
  /**
   * Takes the task's folder back to where it was, with all that is in it.
   * @throws JobError `engine_crashed` when the converter did away with it: there is an empty one then
   */
  giveBack(): void;
}

/** The folder that is /tmp to the converter. */
export const temporaryIn = (folder: string): string => join(folder, "tmp");

/** The folder that the task's folder is moved to. */
export const jobsIn = (folder: string): string => join(folder, "jobs");

/** The folder of files that the converter may read, and not write. */
export const inputsIn = (folder: string): string => join(folder, "inputs");

/** A converter that sees all files finds the task where it is. */
const everywhere: Place = {
  folder: "",
  written: [],
  admit: (task) => ({ task, outside: (path) => path, giveBack: () => {} }),
  remove: async () => {},
};

/** @returns the place of a converter within these walls */
export const placeFor = (walls: readonly Wall[], scratchFolder: string): Place => {
  if (walls.includes("files")) {
    return newPlace(scratchFolder);
  }
  // Where none of its processes outlives it, none is left to tidy up either.
  return walls.includes("processes") ? temporaryPlace(scratchFolder) : everywhere;
};

/** A converter that sees all files, and has a folder for its temporary ones. */
const temporaryPlace = (scratchFolder: string): Place => {
  const folder = mkdtempSync(join(scratchFolder, "converter-"));
  return { ...everywhere, folder, written: [folder], remove: () => rm(folder, { recursive: true, force: true }) };
};

/**
 * Makes the place of one converter. Converters start before anyone knows their jobs, so each has a folder, and a task's
 * folder is moved into it for as long as it takes: no converter sees the files of a job that another one has.
 *
 * @param scratchFolder on the same file system as the folders of tasks
 */
export const newPlace = (scratchFolder: string): Place => {
  const folder = mkdtempSync(join(scratchFolder, "converter-"));
  for (const path of [temporaryIn(folder), jobsIn(folder), inputsIn(folder)]) {
    mkdirSync(path, { mode: 0o700 });
  }
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
    const further = (task.further ?? []).map((file) => ({ ...file, path: enter(file.path) }));
    renameSync(task.folder, moved);
    const giveBack = (): void => {
      clear();
      takeOut(moved, task.folder);
    };
    const outside = (path: string): string => `${task.folder}${path.slice(moved.length)}`;
    return { task: { ...task, folder: moved, input, further }, outside, giveBack };
  } catch (error) {
    clear();
    throw error;
  }
};

/**
 * A converter can put a link in the place of its task's folder, and would have us read, and hand out, what lies where that
 * leads to. It is looked at when it is out of its reach.
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
  throw new JobError("engine_crashed", "The converter did away with the folder of its task.");
};

/** Whether it is a plain file of the folder. A link would have us read, and hand out, whatever file of ours it names. */
export const isResult = (output: string, folder: string): boolean => {
  const stats = dirname(output) === absolute(folder) ? lstatSync(output, { throwIfNoEntry: false }) : undefined;
  return stats?.isFile() === true && stats.size <= OUTPUT_BYTES_MAX;
};

/** A second name for the file costs nothing, and cannot be written through inside; from another disk it is copied. */
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
