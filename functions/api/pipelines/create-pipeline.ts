import { RequestError } from "../../domain/errors.ts";
import { PIPELINE_RESULTS_MAX, PIPELINE_STEPS_MAX } from "../../domain/limits.ts";
import { hasEnded, jobsOf, type Pipeline, pipelineView } from "../../domain/pipelines/pipeline.ts";
import type { Context } from "../../domain/ports.ts";
import { pipelineTypes } from "../../domain/webhooks/message.ts";
import { webhookOf } from "../jobs/new-job.ts";
import { checkReplay, idempotencyOf } from "../middleware/idempotency.ts";
import { waitMilliseconds } from "../middleware/wait.ts";
import { example, operation } from "../operation.ts";
import { acceptsJobs } from "../permissions.ts";
import type { ApiRequest } from "../request.ts";
import { readyUpload } from "../uploads/require-upload.ts";
import { type PipelineRequest, pipelineRequest } from "./pipeline-request.ts";
import { storePipeline } from "./store-pipeline.ts";
import { waitForPipeline } from "./wait-for-pipeline.ts";

/** Accepts conversions that read each other's results. */
export const createPipeline = operation({
  id: "createPipeline",
  methods: ["POST"],
  path: "/api/v1/pipelines",
  auth: "key",
  scope: "convert",
  metered: "convert",
  memoryMegabytes: 1_024,
  timeoutSeconds: 29,
  permissions: acceptsJobs,
  tag: "Pipelines",
  summary: "Create a pipeline",
  description: `Converts uploads in up to ${PIPELINE_STEPS_MAX} steps, each of which reads uploads or results of other steps: convert, watermark, merge, encrypt. Everything is checked before the pipeline is accepted: names, cycles, conversions and options. Each step is a job. If one fails, the steps that read its result fail with the same error, and the others continue.

Each result that is offered for download counts as one request, at most ${PIPELINE_RESULTS_MAX}; other steps are free. The requests are counted when the pipeline is accepted. A result that the service fails to make is refunded, as for a job. Results of other steps are deleted when the pipeline ends.

A step reads one file. The result of a step that makes several files, such as the pages of a PDF as images, can be downloaded but not read by other steps.`,
  parameters: ["wait", "prefer", "idempotencyKey"],
  requests: ["pipelineRequest", "pipelineOutputs"],
  answers: {
    200: {
      description: "The pipeline ended while the request waited.",
      examples: ["pipelineCompleted"],
      headers: ["Location", "Idempotent-Replayed"],
    },
    202: {
      description: "The pipeline was accepted.",
      examples: ["pipelineQueued"],
      headers: ["Location", "Retry-After", "Idempotent-Replayed"],
    },
  },
  errors: [
    "not_found",
    "upload_incomplete",
    "upload_failed",
    "expired",
    "unsupported_conversion",
    "invalid_options",
    "idempotency_mismatch",
  ],
  examples: ({ baseUrl, now, uploads, pipelines: { pipeline, completed, queued } }) => ({
    pipelineRequest: example("PipelineRequest", "A letter and a photo as one protected PDF", {
      inputs: { letter: uploads.ready.id, photo: uploads.ready.id.replace(/.$/, "h") },
      steps: [
        { name: "pdf", operation: "convert", from: "letter", target_format: "pdf" },
        { name: "stamped", operation: "watermark", options: { watermark_text: "DRAFT" } },
        { name: "all", operation: "merge", from: ["stamped", "photo"] },
        { name: "protected", operation: "encrypt", options: { user_password: "secret" } },
      ],
      webhook_url: "https://example.com/hooks/anyform",
    } satisfies PipelineRequest),
    pipelineOutputs: example("PipelineRequest", "Several results of one photo", {
      inputs: { photo: uploads.ready.id },
      steps: [
        { name: "web", operation: "convert", from: "photo", target_format: "webp", options: { width: 1_600 } },
        { name: "small", operation: "thumbnail", from: "photo", options: { width: 200 } },
      ],
    } satisfies PipelineRequest),
    pipelineQueued: example("Pipeline", "A queued pipeline", pipelineView(pipeline, queued, { baseUrl, now })),
    pipelineCompleted: example("Pipeline", "A completed pipeline", pipelineView(pipeline, completed, { baseUrl, now })),
  }),
  schemas: () => ({ PipelineRequest: pipelineRequest }),
  body: pipelineRequest,
  run: (context) => async (request) => {
    const milliseconds = waitMilliseconds(request);
    const { pipeline, replayed } = await accept(context, request);
    const read = { pipeline, jobs: await jobsOf(pipeline, context.jobs.getJob) };
    const { jobs } = await waitForPipeline(context, read, milliseconds);
    const isOpen = !hasEnded(pipeline, jobs);
    return {
      status: isOpen ? 202 : 200,
      headers: {
        location: `/api/v1/pipelines/${pipeline.id}`,
        ...(isOpen && { "retry-after": "1" }),
        ...(replayed && { "idempotent-replayed": "true" }),
      },
      body: pipelineView(pipeline, jobs, { baseUrl: request.baseUrl, now: context.clock() }),
    };
  },
});

interface AcceptedPipeline {
  readonly pipeline: Pipeline;
  readonly replayed: boolean;
}

/** A repeated request is answered before its uploads are read: they may have expired since. */
const accept = async (context: Context, request: ApiRequest<PipelineRequest>): Promise<AcceptedPipeline> => {
  const { body } = request;
  const idempotency = idempotencyOf(request, "createPipeline", JSON.stringify(body));
  const earlier = idempotency && (await context.jobs.findReplay(idempotency.key, request.now));
  const names = Object.entries(body.inputs);
  const stored =
    earlier ??
    (await storePipeline(context, request, {
      inputs: new Map(
        await Promise.all(names.map(async ([name, id]) => [name, await readyUpload(context, request, id)] as const)),
      ),
      steps: body.steps,
      record: {
        ...(await webhookOf(context, request, pipelineTypes)),
        ...(body.metadata && { metadata: body.metadata }),
      },
      answers: ({ pipeline }) => pipeline.id,
      idempotency,
    }));
  if (stored.outcome === "created") {
    return { pipeline: stored.pipeline, replayed: false };
  }
  checkReplay(stored, idempotency);
  const pipeline = await context.pipelines.getPipeline(stored.id);
  if (pipeline === undefined) {
    throw new RequestError("expired", `Pipeline ${stored.id} of this Idempotency-Key was deleted.`);
  }
  return { pipeline, replayed: true };
};
