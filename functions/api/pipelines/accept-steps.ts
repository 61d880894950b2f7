import { RequestError } from "../../domain/errors.ts";
import type { Job } from "../../domain/jobs/job.ts";
import type { Context, IdempotencyClaim, Replay } from "../../domain/ports.ts";
import type { ConversionRequest } from "../conversion/conversion-request.ts";
import { webhookOf } from "../jobs/new-job.ts";
import type { RequestWithSteps } from "../presets/with-preset.ts";
import { type ApiRequest, invalidValue } from "../request.ts";
import { checkVisitorsExport, checkVisitorsWebhook } from "../sign-in/visitors.ts";
import { jobExportOf } from "../storages/job-export.ts";
import { readyUpload } from "../uploads/require-upload.ts";
import type { PlacedStep } from "./compile-pipeline.ts";
import { storePipeline } from "./store-pipeline.ts";

/** The job of the last step, or an earlier use of the idempotency key. */
export type AcceptedSteps = { readonly outcome: "created"; readonly job: Job; readonly replayed: false } | Replay;

/**
 * Accepts a conversion with further steps, as a pipeline of one result. The last job stands for it: the response, the
 * webhook, the export and the status are those of a conversion.
 *
 * @throws RequestError when the request is rejected; nothing is stored or counted then
 */
export const acceptSteps = async (
  context: Context,
  { request, steps }: RequestWithSteps,
  idempotency: IdempotencyClaim | undefined,
): Promise<AcceptedSteps> => {
  const { body } = request;
  checkVisitorsWebhook(request, body.webhook_url);
  checkVisitorsExport(request, body.export);
  const inputs = await inputsOf(context, request);
  const webhook = await webhookOf(context, request);
  const stored = await storePipeline(context, request, {
    inputs,
    steps: stepsOf(body, steps, [...inputs.keys()]),
    record: {},
    finish: async (jobs) => {
      const last = lastOf(jobs);
      const exported = await jobExportOf(context, request, last);
      const settings = { ...webhook, ...exported, ...(body.metadata && { metadata: body.metadata }) };
      return [...jobs.slice(0, -1), { ...last, ...settings }];
    },
    answers: ({ jobs }) => lastOf(jobs).id,
    idempotency,
  });
  return stored.outcome === "replayed" ? stored : { outcome: "created", job: lastOf(stored.jobs), replayed: false };
};

const inputsOf = async (context: Context, request: ApiRequest<ConversionRequest>) => {
  const { upload_id, upload_ids = upload_id === undefined ? [] : [upload_id] } = request.body;
  const uploads = await Promise.all(upload_ids.map((id) => readyUpload(context, request, id)));
  return new Map(uploads.map((upload, index) => [`upload-${index + 1}`, upload]));
};

/** @returns the conversion as the first step, unless it has no target, and the steps after it */
const stepsOf = (
  body: ConversionRequest,
  steps: RequestWithSteps["steps"],
  inputs: readonly string[],
): readonly PlacedStep[] => {
  const { target_format, options, filename } = body;
  const further = steps.map((step, index) => ({ name: `step-${index + 1}`, pointer: `/steps/${index}`, ...step }));
  const [first, ...rest] = further;
  const last = further.at(-1);
  if (first === undefined || last === undefined) {
    throw new RequestError("invalid_request", "`steps` is empty.");
  }
  if (target_format === undefined && options !== undefined) {
    const detail =
      "`options` belong to the conversion to `target_format`, which is missing. Set them in the first step.";
    throw invalidValue("/options", detail);
  }
  const operation = body.upload_ids === undefined ? "convert" : "merge";
  const all: readonly PlacedStep[] =
    target_format === undefined
      ? [{ ...first, from: [...inputs] }, ...rest]
      : [
          { name: "convert", pointer: "", operation, from: [...inputs], target_format, ...(options && { options }) },
          ...further,
        ];
  return filename === undefined ? all : all.map((step) => (step.name === last.name ? { filename, ...step } : step));
};

const lastOf = (jobs: readonly Job[]): Job => {
  const last = jobs.at(-1);
  if (last === undefined) {
    throw new TypeError("A pipeline has no jobs.");
  }
  return last;
};
