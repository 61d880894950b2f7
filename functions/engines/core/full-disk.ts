import { statfsSync } from "node:fs";
import { JobError, type JobErrorCode } from "../../domain/errors.ts";

/** A disk with less free space counts as full: tools need more than that to unpack even a small document. */
const FULL_BYTES_MAX = 1_000_000;

/**
 * When the disk is full, tools report a corrupt file, or truncate their result without an error. The file is not at
 * fault, so the step fails with `engine_failed`, which is retried. Space may be free again when the tool has ended, so the
 * disk is also checked before.
 */
export const withFullDiskCheck = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  const wasFull = isFull(folder);
  const diskFull = (cause?: unknown) =>
    new JobError("engine_failed", "The disk was full during the conversion.", { cause });
  let result: T;
  try {
    result = await work();
  } catch (error) {
    const isFileError = error instanceof JobError && FILE_ERRORS.includes(error.code);
    throw isFileError && (wasFull || isFull(folder)) ? diskFull(error) : error;
  }
  if (isFull(folder)) {
    throw diskFull();
  }
  return result;
};

const isFull = (folder: string): boolean => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < FULL_BYTES_MAX;
};

const FILE_ERRORS: readonly JobErrorCode[] = ["source_corrupt", "source_mismatch"];
