import { outageOf, unavailable } from "../../functions/domain/errors/resource-errors.ts";
import { RequestError } from "../../functions/domain/errors.ts";
import { outageMeasured } from "../../functions/domain/measurements.ts";
import type { Metrics } from "../../functions/domain/metrics.ts";
import { asError, logger } from "../../functions/logger.ts";

/**
 * Converts an error while reading or writing a file to a response. Errors that the client did not cause are logged with
 * their cause, and outages are counted: signed URLs do not pass the middleware that does this for the API.
 *
 * @param detail the message of internal errors
 */
export const fileError = (metrics: Metrics, error: unknown, detail: string): RequestError => {
  const outage = outageOf(error);
  if (outage !== undefined) {
    metrics.record(outageMeasured(outage));
  }
  const known = error instanceof RequestError ? error : unavailable(error);
  if (known === undefined || outage !== undefined) {
    logger.error("a file was not served", { error: asError(error) });
  }
  return known ?? new RequestError("internal_error", detail);
};
