import { RequestError } from "../domain/errors.ts";
import { extensionOf, formatNamed } from "../domain/formats.ts";
import { newId } from "../domain/ids.ts";
import { laneOfJob } from "../domain/job-lane.ts";
import { type Job, type JobInput, newJob } from "../domain/jobs.ts";
import { checkOptions } from "../domain/options.ts";
import { outageOf } from "../domain/outages.ts";
import type { Context, IdempotencyClaim, Replay } from "../domain/ports.ts";
import type { Route } from "../domain/routes.ts";
import { HOUR_MS } from "../domain/times.ts";
import { type ReadyUpload, safeFilename, withExtension } from "../domain/uploads.ts";
import { newWebhookSecret } from "../domain/webhooks.ts";
import { asError, jobKeys, logger } from "../logger.ts";
import type { ConversionRequest } from "./conversion-request.ts";
import { forcedJobError } from "./forced.ts";
import { checkReplay } from "./idempotency.ts";
import { readyUpload } from "./own-upload.ts";
import { type ApiRequest, quotaRefused, requestKeys } from "./request.ts";
import { checkVisitorsWebhook } from "./visitors.ts";

/** What came of a request for a conversion. */
export interface Acceptance {
  readonly job: Job;
  /** Whether the idempotency key was used before, and the job is the one of then. */
  readonly replayed: boolean;
}

/**
 * Accepts a conversion: the job, its idempotency record and the counted request are written at once, then it is queued. What
 * stands in the way of a new job, such as a full queue or an upload that has gone since, does not in that of a repetition.
 *
 * @throws RequestError for what cannot be accepted, or finds no room among the jobs that wait; nothing is counted then
 */
export const acceptJob = async (
  context: Context,
  request: ApiRequest<ConversionRequest>,
  idempotency: IdempotencyClaim | undefined,
): Promise<Acceptance> => {
  try {
    return await acceptNew(context, request, idempotency);
  } catch (error) {
    const isRefusal = error instanceof RequestError || outageOf(error) !== undefined;
    const earlier = isRefusal && idempotency && (await context.jobs.findReplay(idempotency.key, request.now));
    if (!earlier) {
      throw error;
    }
    return repeated(context, earlier, idempotency);
  }
};

const acceptNew: typeof acceptJob = async (context, request, idempotency) => {
  const giveBack = context.admission?.job(request.accountId);
  try {
    return await accept(context, request, idempotency);
  } finally {
    giveBack?.();
  }
};

const accept: typeof acceptJob = async (context, request, idempotency) => {
  const job = await jobFor(context, request);
  const creation = await context.jobs.createJob(job, request.claim, idempotency);
  if (creation.outcome === "quota_exceeded") {
    throw quotaRefused(request);
  }
  if (creation.outcome === "created") {
    await announce(context, request, job);
    return { job, replayed: false };
  }
  return repeated(context, creation, idempotency);
};

/** @throws RequestError `idempotency_mismatch`, `expired` when the job is gone */
const repeated = async (
  { jobs }: Context,
  replay: Replay,
  idempotency: IdempotencyClaim | undefined,
): Promise<Acceptance> => {
  checkReplay(replay, idempotency);
  const first = await jobs.getJob(replay.id);
  if (first === undefined) {
    throw new RequestError("expired", `The job ${replay.id} of this Idempotency-Key is gone.`);
  }
  return { job: first, replayed: true };
};

/** @returns the job that the request asks for, all of it checked */
const jobFor = async (context: Context, request: ApiRequest<ConversionRequest>): Promise<Job> => {
  const { body, now, accountId } = request;
  checkVisitorsWebhook(request, body.webhook_url);
  const [upload, ...further] = await uploadsOf(context, request);
  const route =
    body.upload_ids === undefined ? routeFor(context, upload, body) : mergeFor(context, [upload, ...further], body);
  checkInputs(route, [upload, ...further]);
  const options = checkOptions(route.options, body.options);
  const forcedError = forcedJobError(request, upload.filename);
  return newJob({
    id: newId("job", now, context.random),
    accountId,
    uploadId: upload.id,
    inputKey: upload.key,
    inputBytes: upload.bytes,
    ...nameOf(upload, route),
    ...(further.length > 0 && { further: further.map((other) => inputOf(other, route)) }),
    sourceFormat: route.from,
    targetFormat: route.to,
    options,
    steps: route.steps,
    fidelity: route.fidelity,
    lane: laneOfJob(route, upload.bytes),
    filename: body.filename ? safeFilename(body.filename) : withExtension(upload.filename, extensionOf(route.to)),
    ...(body.metadata && { metadata: body.metadata }),
    ...(await webhookOf(context, request)),
    ...retentionOf(request),
    ...(forcedError && { forcedError }),
    quotaMonth: request.claim?.month ?? "",
    createdAt: now,
  });
};

const uploadsOf = async (
  context: Context,
  request: ApiRequest<ConversionRequest>,
): Promise<[ReadyUpload, ...ReadyUpload[]]> => {
  const { body } = request;
  const ids = body.upload_ids ?? (body.upload_id === undefined ? [] : [body.upload_id]);
  const [first, ...further] = await Promise.all(ids.map((id) => readyUpload(context, request, id)));
  if (first === undefined) {
    throw new RequestError("invalid_request", "A conversion needs an upload.");
  }
  return [first, ...further];
};

const routeFor = (
  context: Context,
  upload: ReadyUpload,
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

/** @returns the way of several uploads into one file, also where there is only one */
const mergeFor = (
  context: Context,
  uploads: readonly [ReadyUpload, ...ReadyUpload[]],
  body: ConversionRequest,
): Route => {
  const id = formatNamed(body.target_format);
  const formats = uploads.map(({ format }) => format);
  const route = id && context.routes.merge(formats, id, Object.keys(body.options ?? {}));
  if (!route && (id === undefined || uploads.length === 1)) {
    return routeFor(context, uploads[0], body);
  }
  if (!route) {
    throw new RequestError("unsupported_conversion", context.routes.whyNotMerged(formats, id));
  }
  return route;
};

/** What is packed needs its name; nothing else does. */
const nameOf = ({ filename }: ReadyUpload, { steps }: Route): { inputFilename?: string } =>
  steps[0]?.packs ? { inputFilename: filename } : {};

const inputOf = (upload: ReadyUpload, route: Route): JobInput => ({
  uploadId: upload.id,
  inputKey: upload.key,
  inputBytes: upload.bytes,
  format: upload.format,
  ...nameOf(upload, route),
});

const checkInputs = (route: Route, uploads: readonly ReadyUpload[]): void => {
  const bytes = uploads.reduce((sum, upload) => sum + upload.bytes, 0);
  if (bytes > route.inputBytesMax) {
    const detail = `This conversion takes files of at most ${route.inputBytesMax} bytes in all; here are ${bytes}.`;
    throw new RequestError("payload_too_large", detail);
  }
};

/**
 * The job's own address, or the account's. An account whose first webhook this is gets the secret that it is signed with.
 */
const webhookOf = async (
  context: Context,
  { account, accountId, baseUrl, now, body }: ApiRequest<ConversionRequest>,
): Promise<Pick<Job, "webhook">> => {
  const url = body.webhook_url ?? account?.webhookUrl;
  if (url === undefined) {
    return {};
  }
  // Looked at anew, since a request that came before this one's turn may have made it.
  const latest = account?.webhookSecrets === undefined ? await context.accounts.getAccount(accountId) : account;
  if (latest?.webhookSecrets === undefined) {
    const webhookSecrets = [{ secret: newWebhookSecret(context.random), createdAt: now }];
    await context.accounts.change(accountId, { webhookSecrets });
  }
  return { webhook: { url, baseUrl } };
};

const retentionOf = ({ account }: ApiRequest<unknown>): { retentionMs?: number } =>
  account?.retentionHours === undefined ? {} : { retentionMs: account.retentionHours * HOUR_MS };

/** The job is accepted by now. Should its message not get through, the sweeper sends it again. */
const announce = async ({ queue }: Context, request: ApiRequest<unknown>, job: Job): Promise<void> => {
  await queue.send(job.lane, { jobId: job.id, accountId: job.accountId }).catch((error: unknown) => {
    logger.warn("message was not sent", { ...requestKeys(request), ...jobKeys(job), error: asError(error) });
  });
};
