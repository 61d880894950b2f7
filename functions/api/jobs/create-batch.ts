import * as z from "zod/mini";
import { described } from "../../domain/conversions/options/described.ts";
import { problemView } from "../../domain/errors/problem.ts";
import { outageOf, unavailable } from "../../domain/errors/resource-errors.ts";
import { RequestError } from "../../domain/errors.ts";
import { jobView } from "../../domain/jobs/job.ts";
import type { BatchView } from "../../domain/jobs/job-views.ts";
import { BATCH_BODY_BYTES_MAX, BATCH_CONVERSIONS_MAX } from "../../domain/limits.ts";
import { outageMeasured } from "../../domain/measurements.ts";
import type { Context } from "../../domain/ports.ts";
import { fieldErrors, summaryOf } from "../../domain/schema.ts";
import { asError, logger } from "../../logger.ts";
import { type ConversionRequest, conversionRequest } from "../conversion/conversion-request.ts";
import { idempotencyOf } from "../middleware/idempotency.ts";
import { example, operation } from "../operation.ts";
import { acceptsJobs } from "../permissions.ts";
import { type ApiRequest, requestKeys } from "../request.ts";
import { acceptJob } from "./accept-job.ts";

/** Each conversion is validated, accepted and counted independently. */
export const batchRequest = z.strictObject({
  conversions: described(
    z.array(z.unknown()).check(z.minLength(1), z.maxLength(BATCH_CONVERSIONS_MAX)),
    "The bodies of `createJob` (`ConversionRequest`). Invalid items are rejected individually.",
  ),
});

export type BatchRequest = z.infer<typeof batchRequest>;

/** Accepts many conversions independently: one that is rejected does not affect the others. */
export const createBatch = operation({
  id: "createBatch",
  methods: ["POST"],
  path: "/api/v1/convert/batch",
  auth: "key",
  scope: "convert",
  metered: "convert",
  jsonBytesMax: BATCH_BODY_BYTES_MAX,
  memoryMegabytes: 1_024,
  timeoutSeconds: 29,
  permissions: acceptsJobs,
  tag: "Conversions",
  summary: "Create a batch of jobs",
  description:
    "Creates up to 100 jobs, each with the body of `createJob`. Each one is validated, accepted and counted independently, in order. The response is 200 even if all are rejected.",
  parameters: ["idempotencyKey"],
  requests: ["batchRequest"],
  answers: {
    200: { description: "The outcome of each conversion, in order.", examples: ["batch"] },
  },
  examples: ({ baseUrl, now, uploads, jobs, problem }) => ({
    batchRequest: example("BatchRequest", "Two targets of one file", {
      conversions: ["jpg", "mp3"].map((target_format) => ({ upload_id: uploads.ready.id, target_format })),
    }),
    batch: example("Batch", "One accepted, one rejected", {
      items: [
        { status: 202, job: jobView(jobs.queued, baseUrl, now), problem: null },
        { status: 422, job: null, problem: problem("unsupported_conversion") },
      ],
    } satisfies BatchView),
  }),
  schemas: () => ({ BatchRequest: batchRequest }),
  body: batchRequest,
  run: (context) => async (request) => {
    const items: BatchView["items"] = [];
    // One after the other, so that the quota goes to the first ones.
    for (const [index, conversion] of request.body.conversions.entries()) {
      try {
        const body = checked(conversion, index);
        const idempotency = idempotencyOf(request, `createBatch ${index}`, JSON.stringify(body));
        const { job } = await acceptJob(context, { ...request, body }, idempotency);
        items.push({ status: 202, job: jobView(job, request.baseUrl, context.clock()), problem: null });
      } catch (error) {
        const problem = problemOf(request, rejectionOf(context, request, error));
        items.push({ status: problem.status, job: null, problem });
      }
    }
    return { status: 200, body: { items } satisfies BatchView };
  },
});

const checked = (conversion: unknown, index: number): ConversionRequest => {
  const result = conversionRequest.safeParse(conversion);
  if (!result.success) {
    const errors = fieldErrors(
      { schema: conversionRequest, input: conversion, error: result.error },
      { pointer: `/conversions/${index}`, name: "The conversion", member: "field" },
    );
    throw new RequestError("invalid_request", `Invalid conversion. ${summaryOf(errors)}`, { errors });
  }
  return result.data;
};

/**
 * An error that is not in the error table is an internal error and fails the entire request. A disk that fills up
 * meanwhile only rejects the conversion: earlier ones are already accepted.
 */
const rejectionOf = ({ metrics }: Context, request: ApiRequest<unknown>, error: unknown): RequestError => {
  const outage = outageOf(error);
  if (outage !== undefined) {
    metrics.record(outageMeasured(outage));
    logger.error("batch item failed", { ...requestKeys(request), error: asError(error) });
  }
  const known = error instanceof RequestError ? error : unavailable(error);
  if (known === undefined) {
    throw error;
  }
  return known;
};

const problemOf = ({ path, id }: ApiRequest<unknown>, error: RequestError) =>
  problemView({ path, requestId: id }, error);
