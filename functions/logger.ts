import { Logger } from "@aws-lambda-powertools/logger";
import type { Job } from "./domain/jobs/job.ts";
import { loggedError } from "./logged-error.ts";

/**
 * Writes one JSON line per event. The level is `POWERTOOLS_LOG_LEVEL`. Clients' filenames, options, addresses, tokens
 * and contents are never logged, and errors only as reduced by `loggedError`.
 */
export const logger = new Logger({
  serviceName: "anyform",
  jsonReplacerFn: (_key, value) => (value instanceof Error ? loggedError(value) : value),
});

/** Anything can be thrown; the log requires an Error. */
export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** What identifies a job and its attempt in the log. */
export type JobKeys = Pick<Job, "id" | "accountId" | "lane" | "attempt">;

/** @returns the log fields of every line about a job */
export const jobKeys = ({ id, accountId, lane, attempt }: JobKeys) => ({
  job_id: id,
  account_id: accountId,
  lane,
  attempt,
});
