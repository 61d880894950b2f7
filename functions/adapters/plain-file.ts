import { closeSync, constants, fstatSync, openSync, type Stats } from "node:fs";
import { JobError } from "../domain/errors.ts";

/** An open file and its properties. */
export interface PlainFile {
  /** The file descriptor, which the caller closes. */
  readonly descriptor: number;
  readonly stats: Stats;
}

/**
 * Opens the result of an engine. A tool or a compromised engine may create a link there, which would expose any file of
 * the service. The checked file is the one that is read, because both use the descriptor.
 *
 * @param access `O_RDONLY` or `O_RDWR`
 * @throws JobError `engine_failed` for a link, a folder, a pipe or a device
 */
export const openPlain = (path: string, access: number): PlainFile => {
  const descriptor = openOrRefuse(path, access);
  const stats = fstatSync(descriptor);
  if (!stats.isFile()) {
    closeSync(descriptor);
    throw refused();
  }
  return { descriptor, stats };
};

/** Without `O_NONBLOCK`, opening a pipe blocks until it has a writer. It does not affect files (open(2)). */
const openOrRefuse = (path: string, access: number): number => {
  try {
    return openSync(path, access | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    throw cause instanceof Error && "code" in cause && NO_FILES.has(cause.code) ? refused(cause) : cause;
  }
};

/** System errors for links (FreeBSD: `EMLINK`), folders and sockets. */
const NO_FILES: ReadonlySet<unknown> = new Set(["ELOOP", "EMLINK", "EISDIR", "ENXIO", "EOPNOTSUPP"]);

const refused = (cause?: Error): JobError =>
  new JobError("engine_failed", "The result of the engine is not a regular file.", { cause });
