import { Logger } from "@aws-lambda-powertools/logger";
import type { Job } from "./domain/jobs.ts";
import { loggedError } from "./logged-error.ts";

/**
 * Writes one JSON line per event. Its level is `POWERTOOLS_LOG_LEVEL`; names, options, addresses, tokens and contents of
 * clients never go in, and of an error only what `loggedError` leaves.
 */
export const logger = new Logger({
  serviceName: "anyform",
  jsonReplacerFn: (_key, value) => (value instanceof Error ? loggedError(value) : value),
});

/** Anything can be thrown; the log wants an Error. */
export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** @returns what every line about a job carries */
export const jobKeys = ({ id, accountId, lane, attempt }: Pick<Job, "id" | "accountId" | "lane" | "attempt">) => ({
  job_id: id,
  account_id: accountId,
  lane,
  attempt,
});
