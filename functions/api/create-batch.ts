import { RequestError } from "../domain/errors.ts";
import { jobView } from "../domain/jobs.ts";
import { outageMeasured } from "../domain/measured.ts";
import { outageOf, unavailable } from "../domain/outages.ts";
import type { Context } from "../domain/ports.ts";
import { problemView } from "../domain/problem.ts";
import { fieldErrors } from "../domain/schema.ts";
import type { BatchView } from "../domain/views.ts";
import { asError, logger } from "../logger.ts";
import { acceptJob } from "./accept-job.ts";
import { type BatchRequest, batchRequest, type ConversionRequest, conversionRequest } from "./conversion-request.ts";
import { http, type Operation } from "./http.ts";
import { idempotencyOf } from "./idempotency.ts";
import { type ApiRequest, requestKeys } from "./request.ts";

/** Accepts many conversions, each by itself: one that is refused takes nothing from the others. */
export const createBatch: Operation<BatchRequest> = (context) => async (request) => {
  const items: BatchView["items"] = [];
  // One after the other, so that the quota goes to the first ones.
  for (const [index, conversion] of request.body.conversions.entries()) {
    try {
      const body = checked(conversion, index);
      const idempotency = idempotencyOf(request, `createBatch ${index}`, JSON.stringify(body));
      const { job } = await acceptJob(context, { ...request, body }, idempotency);
      items.push({ status: 202, job: jobView(job, request.baseUrl, context.clock()), problem: null });
    } catch (error) {
      const problem = problemOf(request, told(context, request, error));
      items.push({ status: problem.status, job: null, problem });
    }
  }
  return { status: 200, body: { items } satisfies BatchView };
};

export const handler = http("createBatch", createBatch, batchRequest);

const checked = (conversion: unknown, index: number): ConversionRequest => {
  const result = conversionRequest.safeParse(conversion);
  if (!result.success) {
    const errors = fieldErrors(result.error, `/conversions/${index}`);
    throw new RequestError("invalid_request", "The conversion does not fit.", { errors });
  }
  return result.data;
};

/**
 * What is not from the table is ours, and ends the whole request. A disk that fills up in between does not: those that were
 * accepted before are the client's.
 */
const told = ({ metrics }: Context, request: ApiRequest<unknown>, error: unknown): RequestError => {
  const outage = outageOf(error);
  if (outage !== undefined) {
    metrics.record(outageMeasured(outage));
    logger.error("a conversion of a batch", { ...requestKeys(request), error: asError(error) });
  }
  const known = error instanceof RequestError ? error : unavailable(error);
  if (known === undefined) {
    throw error;
  }
  return known;
};

const problemOf = ({ baseUrl, path, id }: ApiRequest<unknown>, error: RequestError) =>
  problemView({ baseUrl, path, requestId: id }, error);
