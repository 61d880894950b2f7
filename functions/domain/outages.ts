import { RequestError } from "./errors.ts";
import { RETRY_AFTER_SECONDS_MAX } from "./limits.ts";

/**
 * What may be wrong with the machine itself, whatever was asked of it. None of it is a mistake in the program, and all of
 * it passes: so the client is told to come back, and whoever looks after the service what to look at.
 */
export const outages = {
  /** Files expire as time goes by, and somebody has to make room where they do not. */
  disk_full: { detail: "There is no room on the disk now.", retryAfterSeconds: RETRY_AFTER_SECONDS_MAX },
  read_only: { detail: "Nothing can be written to the disk now.", retryAfterSeconds: RETRY_AFTER_SECONDS_MAX },
  disk_failed: { detail: "The disk did not do what it was asked to.", retryAfterSeconds: RETRY_AFTER_SECONDS_MAX },
  /** Another process holds the database, for example one that copies it. */
  database_busy: { detail: "The database is in other hands for a moment.", retryAfterSeconds: 2 },
  /** Each request and each converter gives its files back when it ends. */
  files_used_up: { detail: "Too many files are open for the moment.", retryAfterSeconds: 5 },
} as const satisfies Record<string, { readonly detail: string; readonly retryAfterSeconds: number }>;

export type OutageId = keyof typeof outages;

export const outageIds = Object.keys(outages) as OutageId[];

/** Codes of the system, as Node names them (errno(3)). */
const systemCodes: ReadonlyMap<unknown, OutageId> = new Map([
  ["ENOSPC", "disk_full"],
  ["EDQUOT", "disk_full"],
  ["EROFS", "read_only"],
  ["EIO", "disk_failed"],
  ["EMFILE", "files_used_up"],
  ["ENFILE", "files_used_up"],
]);

/** Primary result codes of SQLite (sqlite.org/rescode.html): BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN. */
const sqliteCodes: ReadonlyMap<unknown, OutageId> = new Map([
  [5, "database_busy"],
  [6, "database_busy"],
  [8, "read_only"],
  [10, "disk_failed"],
  [13, "disk_full"],
  [14, "disk_failed"],
]);

/** An extended result code has its primary one in the lowest eight bits. */
const PRIMARY_CODE = 0xff;

/** @returns which outage an error tells of, or the error that caused it; undefined: none */
export const outageOf = (error: unknown): OutageId | undefined =>
  error instanceof Error
    ? (toldBy(error) ?? (error.cause instanceof Error ? toldBy(error.cause) : undefined))
    : undefined;

const toldBy = (error: Error): OutageId | undefined => {
  if ("errcode" in error && typeof error.errcode === "number") {
    return sqliteCodes.get(error.errcode & PRIMARY_CODE);
  }
  return "code" in error ? systemCodes.get(error.code) : undefined;
};

/** @returns `temporarily_unavailable` with its reason and `Retry-After` for an error that tells of an outage; else undefined */
export const unavailable = (error: unknown): RequestError | undefined => {
  const outage = outageOf(error);
  if (outage === undefined) {
    return undefined;
  }
  const { detail, retryAfterSeconds } = outages[outage];
  const headers = { "retry-after": String(retryAfterSeconds) };
  const told = new RequestError("temporarily_unavailable", `${detail} Try again in ${retryAfterSeconds} s.`, {
    headers,
  });
  told.cause = error;
  return told;
};
