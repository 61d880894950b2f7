/**
 * Remembers uploads of large files that have not ended, so that a file that is chosen again, after a broken line or a
 * reload, goes on where it was.
 */
export interface Resumes {
  /** @returns the id of the upload that the file began; undefined when there is none that still holds */
  find(file: FileMark): string | undefined;
  keep(file: FileMark, uploadId: string): void;
  forget(file: FileMark): void;
}

/** What a browser tells of a file before it is read. */
export type FileMark = Pick<File, "lastModified" | "name" | "size">;

/** Bytes from which a file is sent in parts, so that going on saves something. */
export const RESUMED_BYTES_MIN = 100_000_000;
/** The service keeps an upload for 24 hours; one less, so that there is time to end it. */
const KEPT_MS = 23 * 3_600_000;
const KEPT_MAX = 20;
const KEY = "anyform-uploads";

interface Kept {
  readonly mark: string;
  readonly uploadId: string;
  readonly at: number;
}

/** @param storage where it is kept; a browser that forbids it costs the resuming, nothing else */
export const resumesIn = (storage: Pick<Storage, "getItem" | "setItem">, now: () => number = Date.now): Resumes => {
  const read = (): readonly Kept[] =>
    keptIn(storage.getItem(KEY)).filter(({ at }) => at > now() - KEPT_MS && at <= now());
  const write = (kept: readonly Kept[]): void => storage.setItem(KEY, JSON.stringify(kept.slice(0, KEPT_MAX)));
  const without = (file: FileMark): readonly Kept[] => read().filter(({ mark }) => mark !== markOf(file));
  return {
    find: (file) => read().find(({ mark }) => mark === markOf(file))?.uploadId,
    keep: (file, uploadId) => write([{ mark: markOf(file), uploadId, at: now() }, ...without(file)]),
    forget: (file) => write(without(file)),
  };
};

const markOf = ({ name, size, lastModified }: FileMark): string => JSON.stringify([name, size, lastModified]);

/** What stands in the storage may be another version's, or anybody's. */
const keptIn = (text: string | null): readonly Kept[] => {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) ? value.filter(isKept) : [];
  } catch {
    return [];
  }
};

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
