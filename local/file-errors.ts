import { RequestError } from "../functions/domain/errors.ts";
import { outageMeasured } from "../functions/domain/measured.ts";
import type { Metrics } from "../functions/domain/metrics.ts";
import { outageOf, unavailable } from "../functions/domain/outages.ts";
import { asError, logger } from "../functions/logger.ts";

/**
 * Tells what a client is answered whose bytes could not be written or read. What is no mistake of the client's is logged
 * with its cause, and an outage is counted: a signed URL does not pass the stack that does so for the API.
 *
 * @param detail what is said where it is not told what is wrong
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
