import { storedList } from "../../stored-list.ts";

/**
 * Remembers unfinished uploads of large files, so that a file that is chosen again after a lost connection or a reload
 * is resumed.
 */
export interface Resumes {
  /** @returns the id of the file's unfinished upload; undefined if there is none that is still valid */
  find(file: FileMark): string | undefined;
  keep(file: FileMark, uploadId: string): void;
  forget(file: FileMark): void;
}

/** What is known about a file before it is read. */
export type FileMark = Pick<File, "lastModified" | "name" | "size">;

/** Size from which a file is uploaded in parts, so that resuming saves time. */
export const RESUMED_BYTES_MIN = 100_000_000;
/** The service keeps an upload for 24 hours; one hour less, so that there is time to finish it. */
const KEPT_MS = 23 * 3_600_000;
const KEPT_MAX = 20;
const KEY = "anyform-uploads";

interface Kept {
  readonly mark: string;
  readonly uploadId: string;
  readonly at: number;
}

/** @param storage where uploads are kept; without storage, only resuming is not available */
export const resumesIn = (storage: Pick<Storage, "getItem" | "setItem">, now: () => number = Date.now): Resumes => {
  const read = (): readonly Kept[] =>
    storedList(storage.getItem(KEY), isKept).filter(({ at }) => at > now() - KEPT_MS && at <= now());
  const write = (kept: readonly Kept[]): void => storage.setItem(KEY, JSON.stringify(kept.slice(0, KEPT_MAX)));
  const without = (file: FileMark): readonly Kept[] => read().filter(({ mark }) => mark !== markOf(file));
  return {
    find: (file) => read().find(({ mark }) => mark === markOf(file))?.uploadId,
    keep: (file, uploadId) => write([{ mark: markOf(file), uploadId, at: now() }, ...without(file)]),
    forget: (file) => write(without(file)),
  };
};

const markOf = ({ name, size, lastModified }: FileMark): string => JSON.stringify([name, size, lastModified]);

const isKept = (value: unknown): value is Kept =>
  typeof value === "object" &&
  value !== null &&
  "mark" in value &&
  typeof value.mark === "string" &&
  "uploadId" in value &&
  typeof value.uploadId === "string" &&
  /^upl_[\w-]+$/.test(value.uploadId) &&
  "at" in value &&
  typeof value.at === "number";
