import { RequestError } from "../errors.ts";
import { RETRY_AFTER_SECONDS_MAX } from "../limits.ts";

/**
 * Errors of the machine itself, independent of the request. They are temporary and not bugs: clients are asked to
 * retry, and operators see the cause.
 */
export const outages = {
  /** Expiring files free space; otherwise the operator must. */
  disk_full: { detail: "The server's disk is full.", retryAfterSeconds: RETRY_AFTER_SECONDS_MAX },
  read_only: { detail: "The server's disk is read-only.", retryAfterSeconds: RETRY_AFTER_SECONDS_MAX },
  disk_failed: { detail: "The server's disk reported an error.", retryAfterSeconds: RETRY_AFTER_SECONDS_MAX },
  /** Another process has locked the database, such as a backup. */
  database_busy: { detail: "The database is locked.", retryAfterSeconds: 2 },
  /** Each request and each converter closes its files when it ends. */
  files_used_up: { detail: "The server has too many open files.", retryAfterSeconds: 5 },
} as const satisfies Record<string, { readonly detail: string; readonly retryAfterSeconds: number }>;

export type OutageId = keyof typeof outages;

export const outageIds = Object.keys(outages) as OutageId[];

/** System error codes (errno(3)), as Node names them. */
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

/** The lowest eight bits of an extended result code are the primary code. */
const PRIMARY_CODE = 0xff;

/** @returns the primary result code of an error of SQLite; undefined for other errors */
export const sqliteCodeOf = (error: unknown): number | undefined =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode & PRIMARY_CODE
    : undefined;

/** @returns the outage that the error or its cause indicates; undefined: none */
export const outageOf = (error: unknown): OutageId | undefined =>
  error instanceof Error
    ? (indicatedBy(error) ?? (error.cause instanceof Error ? indicatedBy(error.cause) : undefined))
    : undefined;

const indicatedBy = (error: Error): OutageId | undefined => {
  const code = sqliteCodeOf(error);
  if (code !== undefined) {
    return sqliteCodes.get(code);
  }
  return "code" in error ? systemCodes.get(error.code) : undefined;
};

/** @returns `temporarily_unavailable` with the reason and `Retry-After` for an outage; otherwise undefined */
export const unavailable = (error: unknown): RequestError | undefined => {
  const outage = outageOf(error);
  if (outage === undefined) {
    return undefined;
  }
  const { detail, retryAfterSeconds } = outages[outage];
  const headers = { "retry-after": String(retryAfterSeconds) };
  const refusal = new RequestError("temporarily_unavailable", `${detail} Try again in ${retryAfterSeconds} s.`, {
    headers,
  });
  refusal.cause = error;
  return refusal;
};
