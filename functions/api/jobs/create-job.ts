import { isUnfinished, type Job, jobView } from "../../domain/jobs/job.ts";
import { idempotencyOf } from "../middleware/idempotency.ts";
import { waitForJob, waitMilliseconds } from "../middleware/wait.ts";
import { example, operation } from "../operation.ts";
import { acceptsJobs } from "../permissions.ts";
import type { Answer, ApiRequest } from "../request.ts";
import { acceptJob } from "./accept-job.ts";
import { conversionRequest } from "./conversion-request.ts";

/** Accepts a conversion, and waits for its end as long as the client requests. */
export const createJob = operation({
  id: "createJob",
  methods: ["POST"],
  path: "/api/v1/convert",
  auth: "key",
  visitors: true,
  scope: "convert",
  metered: "convert",
  timeoutSeconds: 29,
  permissions: acceptsJobs,
  tag: "Conversions",
  summary: "Convert an uploaded file",
  description:
    "Converts an uploaded file, or merges several into one. `options` must match the JSON Schema that `listFormats` returns for the conversion. Without `wait` the response is immediate: poll `getJob`, or set `webhook_url`. The account's webhook URL is the default.",
  parameters: ["wait", "prefer", "idempotencyKey"],
  requests: ["conversion", "merge"],
  answers: {
    200: {
      description: "The job ended while the request waited.",
      examples: ["jobCompleted", "jobFailed"],
      headers: ["Location", "Idempotent-Replayed"],
    },
    202: {
      description: "The job was accepted.",
      examples: ["jobQueued"],
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
  examples: ({ baseUrl, now, uploads: { ready }, jobs }) => ({
    conversion: example("ConversionRequest", "A photo, with options", {
      upload_id: ready.id,
      target_format: "jpg",
      options: { quality: 85 },
      webhook_url: "https://example.com/hooks/anyform",
      metadata: { order: "17" },
    }),
    merge: example("ConversionRequest", "Several images merged into one PDF", {
      upload_ids: [ready.id, ready.id.replace(/.$/, "h")],
      target_format: "pdf",
      filename: "receipts.pdf",
    }),
    jobQueued: example("Job", "A queued job", jobView(jobs.queued, baseUrl, now)),
    jobCompleted: example("Job", "A completed job", jobView(jobs.completed, baseUrl, now)),
    jobFailed: example("Job", "A failed job", jobView(jobs.failed, baseUrl, now)),
  }),
  schemas: () => ({ ConversionRequest: conversionRequest }),
  body: conversionRequest,
  run: (context) => async (request) => {
    const milliseconds = waitMilliseconds(request);
    const idempotency = idempotencyOf(request, "createJob", JSON.stringify(request.body));
    const { job, replayed } = await acceptJob(context, request, idempotency);
    const waited = await waitForJob(context, job, { milliseconds, enough: () => false });
    return answer(request, waited, { now: context.clock(), replayed });
  },
});

const answer = (
  request: ApiRequest<unknown>,
  job: Job,
  { now, replayed }: { now: number; replayed: boolean },
): Answer => ({
  status: isUnfinished(job) ? 202 : 200,
  headers: {
    location: `/api/v1/convert/${job.id}/status`,
    ...(isUnfinished(job) && { "retry-after": "1" }),
    ...(replayed && { "idempotent-replayed": "true" }),
  },
  body: jobView(job, request.baseUrl, now),
});
