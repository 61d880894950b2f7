import * as z from "zod/mini";
import { RequestError } from "../domain/errors.ts";
import { extensionOf, formatNamed } from "../domain/formats.ts";
import { newId, sha256Hex } from "../domain/ids.ts";
import { isUnfinished, type Job, jobView, newJob } from "../domain/jobs.ts";
import {
  FILENAME_CHARACTERS_MAX,
  IDEMPOTENCY_KEY_CHARACTERS_MAX,
  IDEMPOTENCY_RETENTION_MS,
  METADATA_ENTRIES_MAX,
  METADATA_KEY_CHARACTERS_MAX,
  METADATA_VALUE_CHARACTERS_MAX,
} from "../domain/limits.ts";
import { checkOptions } from "../domain/options.ts";
import type { Context, IdempotencyClaim } from "../domain/ports.ts";
import { quotaExceeded } from "../domain/quotas.ts";
import type { Route } from "../domain/routes.ts";
import { safeFilename, type Upload, withExtension } from "../domain/uploads.ts";
import { asError, logger } from "../logger.ts";
import { http, type Operation } from "./http.ts";
import { type Answer, type ApiRequest, claimOf } from "./request.ts";
import { waitForJob, waitMilliseconds } from "./wait.ts";

const metadata = z
  .record(
    z.string().check(z.minLength(1), z.maxLength(METADATA_KEY_CHARACTERS_MAX)),
    z.string().check(z.maxLength(METADATA_VALUE_CHARACTERS_MAX)),
  )
  .check(
    z.refine(
      (entries) => Object.keys(entries).length <= METADATA_ENTRIES_MAX,
      `At most ${METADATA_ENTRIES_MAX} entries.`,
    ),
  );

/** The body of the request. `options` is checked against what the conversion takes, once that is known. */
export const conversionRequest = z.strictObject({
  upload_id: z.string().check(z.minLength(1), z.maxLength(64)),
  target_format: z.string().check(z.minLength(1), z.maxLength(100)),
  options: z.optional(z.record(z.string(), z.unknown())),
  filename: z.optional(z.string().check(z.minLength(1), z.maxLength(FILENAME_CHARACTERS_MAX))),
  metadata: z.optional(metadata),
});

export type ConversionRequest = z.infer<typeof conversionRequest>;

/** Accepts a conversion: the job, its idempotency record and the counted request are written at once, then queued. */
export const createJob: Operation<ConversionRequest> = (context) => async (request) => {
  const claim = claimOf(request);
  const milliseconds = waitMilliseconds(request);
  const idempotency = idempotencyOf(request);
  const job = await accept(context, request);
  const creation = await context.jobs.createJob(job, claim, idempotency);
  if (creation.outcome === "quota_exceeded") {
    throw quotaExceeded(claim, request.now);
  }
  if (creation.outcome === "replayed") {
    return replay(context, request, { ...creation, idempotency, milliseconds });
  }
  await announce(context, job);
  return answer(request, await waitForEnd(context, job, milliseconds), context.clock());
};

export const handler = http("createJob", createJob, conversionRequest);

/** @returns the job that the request asks for, all of it checked */
const accept = async (context: Context, request: ApiRequest<ConversionRequest>): Promise<Job> => {
  const { body, now, accountId } = request;
  const upload = await ownUpload(context, request);
  const route = routeFor(context, upload, body);
  const options = checkOptions(route.options, body.options);
  if (upload.bytes > route.inputBytesMax) {
    const detail = `This conversion takes files of at most ${route.inputBytesMax} bytes; this one has ${upload.bytes}.`;
    throw new RequestError("payload_too_large", detail);
  }
  return newJob({
    id: newId("job", now, context.random),
    accountId,
    uploadId: upload.id,
    inputKey: upload.key,
    inputBytes: upload.bytes,
    sourceFormat: route.from,
    targetFormat: route.to,
    options,
    steps: route.steps,
    fidelity: route.fidelity,
    lane: route.lane,
    filename: body.filename ? safeFilename(body.filename) : withExtension(upload.filename, extensionOf(route.to)),
    ...(body.metadata && { metadata: body.metadata }),
    quotaMonth: claimOf(request).month,
    createdAt: now,
  });
};

const ownUpload = async (
  context: Context,
  { body, accountId, now }: ApiRequest<ConversionRequest>,
): Promise<Upload> => {
  const upload = await context.uploads.getUpload(body.upload_id);
  if (upload === undefined || upload.accountId !== accountId) {
    throw new RequestError("not_found", `There is no upload ${body.upload_id}.`);
  }
  if (upload.expiresAt <= now) {
    throw new RequestError(
      "expired",
      `The upload ${upload.id} expired at ${new Date(upload.expiresAt).toISOString()}.`,
    );
  }
  return upload;
};

const routeFor = (
  context: Context,
  upload: Upload,
  { target_format: target, options = {} }: ConversionRequest,
): Route => {
  const id = formatNamed(target);
  const route = id && context.routes.find(upload.format, id, Object.keys(options));
  if (!route) {
    const supported_targets = context.routes.targets(upload.format);
    const known = supported_targets.length === 0 ? "into nothing here" : `into ${supported_targets.join(", ")}`;
    const detail = `A ${upload.format} file cannot be converted into ${target}. It can be converted ${known}.`;
    throw new RequestError("unsupported_conversion", detail, { supported_targets });
  }
  return route;
};

const idempotencyOf = ({
  headers,
  accountId,
  body,
  now,
}: ApiRequest<ConversionRequest>): IdempotencyClaim | undefined => {
  const key = headers["idempotency-key"];
  if (key === undefined) {
    return undefined;
  }
  if (key === "" || key.length > IDEMPOTENCY_KEY_CHARACTERS_MAX) {
    throw new RequestError(
      "invalid_request",
      `An Idempotency-Key has 1 to ${IDEMPOTENCY_KEY_CHARACTERS_MAX} characters.`,
    );
  }
  return {
    key: sha256Hex(`${accountId}\ncreateJob\n${key}`),
    requestHash: sha256Hex(JSON.stringify(body)),
    expiresAt: now + IDEMPOTENCY_RETENTION_MS,
  };
};

/** The same key and request again: the same job, as it now stands. Nothing is counted a second time. */
const replay = async (
  context: Context,
  request: ApiRequest<ConversionRequest>,
  first: { jobId: string; requestHash: string; idempotency: IdempotencyClaim | undefined; milliseconds: number },
): Promise<Answer> => {
  if (first.requestHash !== first.idempotency?.requestHash) {
    throw new RequestError(
      "idempotency_mismatch",
      "This Idempotency-Key was used with another body in the last 24 hours.",
    );
  }
  const job = await context.jobs.getJob(first.jobId);
  if (job === undefined) {
    throw new RequestError("expired", `The job ${first.jobId} of this Idempotency-Key is gone.`);
  }
  const { headers, ...rest } = answer(request, await waitForEnd(context, job, first.milliseconds), context.clock());
  return { ...rest, headers: { ...headers, "idempotent-replayed": "true" } };
};

/** The job is accepted by now. Should its message not get through, the sweeper sends it again. */
const announce = async ({ queue }: Context, { id, lane, accountId }: Job): Promise<void> => {
  await queue.send(lane, { jobId: id, accountId }).catch((error: unknown) => {
    logger.warn("message was not sent", { job_id: id, error: asError(error) });
  });
};

const waitForEnd = (context: Context, job: Job, milliseconds: number): Promise<Job> =>
  waitForJob(context, job, { milliseconds, enough: () => false });

const answer = (request: ApiRequest<unknown>, job: Job, now: number): Answer => ({
  status: isUnfinished(job) ? 202 : 200,
  headers: {
    location: `/api/v1/convert/${job.id}/status`,
    ...(isUnfinished(job) && { "retry-after": "1" }),
  },
  body: jobView(job, request.baseUrl, now),
});
