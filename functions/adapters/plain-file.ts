import { closeSync, constants, fstatSync, openSync, type Stats } from "node:fs";
import { JobError } from "../domain/errors.ts";

/** A file that is open, and what it is. */
export interface PlainFile {
  /** Its descriptor, which the caller closes. */
  readonly descriptor: number;
  readonly stats: Stats;
}

/**
 * Opens what an engine left as its result. A tool may leave a link there, or an engine that was taken over: by it we would
 * hand out whatever file of ours it names. What was looked at is what is read, since both go by the descriptor.
 *
 * @param access `O_RDONLY` or `O_RDWR`
 * @throws JobError `engine_failed` when it is a link, a folder, a pipe or a device
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

/** Without `O_NONBLOCK` a pipe is waited for until somebody writes to it. Of files it changes nothing (open(2)). */
const openOrRefuse = (path: string, access: number): number => {
  try {
    return openSync(path, access | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    throw cause instanceof Error && "code" in cause && NO_FILES.has(cause.code) ? refused(cause) : cause;
  }
};

/** What the system says of links (FreeBSD: `EMLINK`), folders and sockets. */
const NO_FILES: ReadonlySet<unknown> = new Set(["ELOOP", "EMLINK", "EISDIR", "ENXIO", "EOPNOTSUPP"]);

const refused = (cause?: Error): JobError =>
  new JobError("engine_failed", "The engine left a result that is no plain file.", { cause });
