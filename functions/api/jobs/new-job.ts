import { currentOptions } from "../../domain/conversions/former-names.ts";
import { jobOptions } from "../../domain/conversions/job-options.ts";
import type { Route } from "../../domain/conversions/plan.ts";
import { RequestError } from "../../domain/errors.ts";
import { extensionOf } from "../../domain/formats/formats.ts";
import { newId } from "../../domain/ids.ts";
import { type Job, type JobInput, newJob } from "../../domain/jobs/job.ts";
import { laneOfJob } from "../../domain/jobs/job-lane.ts";
import type { Context } from "../../domain/ports.ts";
import { HOUR_MS } from "../../domain/times.ts";
import { type ReadyUpload, safeFilename, withExtension } from "../../domain/uploads/upload.ts";
import { endpointsFor } from "../../domain/webhooks/endpoint.ts";
import { jobTypes, type WebhookType } from "../../domain/webhooks/message.ts";
import type { CompleteRequest } from "../conversion/conversion-request.ts";
import { optionFilesOf } from "../conversion/option-files.ts";
import { simulatedJobError } from "../middleware/simulated-errors.ts";
import type { ApiRequest } from "../request.ts";
import { checkVisitorsExport, checkVisitorsWebhook } from "../sign-in/visitors.ts";
import { jobExportOf } from "../storages/job-export.ts";
import { readyUpload } from "../uploads/require-upload.ts";
import { webhookSecrets } from "../webhooks/webhook-secrets.ts";
import { chooseRoute, type Uploads } from "./choose-route.ts";

/**
 * @param known the uploads, if they are not recorded
 * @returns the job that the request describes
 * @throws RequestError for anything in the request that is not valid
 */
export const jobFor = async (context: Context, request: ApiRequest<CompleteRequest>, known?: Uploads): Promise<Job> => {
  const { account, accountId, now } = request;
  // Here, and not in the schema, so that the hash of an idempotency key is that of the body as sent.
  const body = { ...request.body, ...(request.body.options && { options: currentOptions(request.body.options) }) };
  checkVisitorsWebhook(request, body.webhook_url);
  checkVisitorsExport(request, body.export);
  const uploads = known ?? (await uploadsOf(context, request));
  const [upload, ...further] = uploads;
  const route = chooseRoute(context, uploads, body);
  const { options, warnings } = jobOptions(context.routes, route, body.options);
  const optionFiles = await optionFilesOf(context, request, { route, options, uploads });
  const forcedError = simulatedJobError(request, upload.filename);
  const id = newId("job", now, context.random);
  const filename = body.filename ? safeFilename(body.filename) : withExtension(upload.filename, extensionOf(route.to));
  return newJob({
    id,
    accountId,
    uploadId: upload.id,
    inputKey: upload.key,
    inputBytes: upload.bytes,
    sourceFilename: upload.filename,
    ...nameOf(upload, route),
    ...(further.length > 0 && { further: further.map((other, index) => inputOf(other, route, index)) }),
    ...(optionFiles.length > 0 && { optionFiles }),
    sourceFormat: route.from,
    targetFormat: route.to,
    options,
    ...(warnings.length > 0 && { warnings }),
    steps: route.steps,
    fidelity: route.fidelity,
    lane: laneOfJob(route, upload.bytes, options),
    ...(route.helperLane && { helperLane: route.helperLane }),
    filename,
    ...(body.metadata && { metadata: body.metadata }),
    ...(await webhookOf(context, request)),
    ...(await jobExportOf(context, request, { id, filename })),
    ...(account?.retentionHours !== undefined && { retentionMs: account.retentionHours * HOUR_MS }),
    ...(request.keyId !== undefined && { keyId: request.keyId }),
    ...(forcedError && { forcedError }),
    quotaMonth: request.claim?.month ?? "",
    ...(request.claim?.key && { quotaKey: request.claim.key.id }),
    createdAt: now,
  });
};

const uploadsOf = async (context: Context, request: ApiRequest<CompleteRequest>): Promise<Uploads> => {
  const { body } = request;
  const ids = body.upload_ids ?? (body.upload_id === undefined ? [] : [body.upload_id]);
  const [first, ...further] = await Promise.all(ids.map((id) => readyUpload(context, request, id)));
  if (first === undefined) {
    throw new RequestError("invalid_request", "Missing upload: set `upload_id` or `upload_ids`.");
  }
  return [first, ...further];
};

/** Only files that are packed into an archive need their filename. */
const nameOf = ({ filename }: ReadyUpload, { steps }: Route): { inputFilename?: string } =>
  steps[0]?.packs ? { inputFilename: filename } : {};

const inputOf = (upload: ReadyUpload, route: Route, index: number): JobInput => ({
  uploadId: upload.id,
  inputKey: upload.key,
  inputBytes: upload.bytes,
  format: upload.format,
  ...nameOf(upload, route),
  ...stepsOf(route, index),
});

/** The steps that convert a further file before the merge, if it has any. */
const stepsOf = ({ further = [] }: Route, index: number): Pick<JobInput, "steps"> => {
  const steps = further[index] ?? [];
  return steps.length === 0 ? {} : { steps };
};

/** What receives the end of a job or a pipeline. */
export type Webhooks = Pick<Job, "endpoints" | "webhook">;

/**
 * The job's webhook URL, or the account's, and the endpoints of the account. The first webhook of an account creates its
 * signing secret.
 *
 * @param events the events that can follow
 */
export const webhookOf = async (
  context: Context,
  request: ApiRequest<{
    readonly webhook_url?: string | undefined;
    readonly webhook_body?: "file" | "job" | undefined;
  }>,
  events: readonly WebhookType[] = jobTypes,
): Promise<Webhooks> => {
  const { account, baseUrl, body } = request;
  const to = account === undefined ? [] : endpointsFor(account, events);
  const endpoints = to.length > 0 && { endpoints: { baseUrl, to } };
  const url = body.webhook_url ?? account?.webhookUrl;
  if (url === undefined) {
    return { ...endpoints };
  }
  await webhookSecrets(context, request);
  return { webhook: { url, baseUrl, ...(body.webhook_body === "file" && { sendsFile: true }) }, ...endpoints };
};
