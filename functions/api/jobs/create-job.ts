import * as z from "zod/mini";
import { COUNTED_REQUESTS } from "../../domain/accounts/quotas.ts";
import { jobView } from "../../domain/jobs/job.ts";
import { idempotencyOf } from "../middleware/idempotency.ts";
import { waitForJob, waitMilliseconds } from "../middleware/wait.ts";
import { example, operation } from "../operation.ts";
import { acceptsJobs } from "../permissions.ts";
import { acceptJob } from "./accept-job.ts";
import { conversionFiles } from "./conversion-files.ts";
import { conversionRequest } from "./conversion-request.ts";
import { convertFiles } from "./convert-files.ts";
import { jobAnswer } from "./converted-answer.ts";

const FILE_HEADERS = ["ETag", "Content-Disposition", "Content-Length"] as const;
const JOB_HEADERS = ["X-Job-Id", "X-Job-Url", "X-Job-Warnings"] as const;

/** Accepts a conversion of uploads, or of the files in the body, and waits for its end as long as the client requests. */
export const createJob = operation({
  id: "createJob",
  methods: ["POST", "PUT"],
  path: "/api/v1/convert",
  auth: "key",
  visitors: true,
  scope: "convert",
  metered: "convert",
  memoryMegabytes: 1_024,
  timeoutSeconds: 29,
  permissions: {
    ...acceptsJobs,
    // An idempotency key is held while files are received; results are erased after their first download.
    tables: { ...acceptsJobs.tables, jobs: ["GetItem", "PutItem", "UpdateItem"] },
    files: { uploads: ["DeleteObject", "PutObject"], results: ["GetObject"] },
    asks: ["erasures"],
  },
  tag: "Conversions",
  summary: "Convert a file",
  description: `Converts files in one call, or files that were uploaded.

1. A multipart form with the field \`file\` and \`target_format\`, or the file itself as the body with \`?target_format=\` in the URL. The response is the result if the job ends within 25 seconds (or \`wait\`), and otherwise 202 with the job. Several \`file\` fields are merged into one result. A failed job is a problem with its code: 422 if the file or the options caused it, 503 if the service did. \`Accept: application/json\` returns the job instead of the result. On AWS the body can have up to 4,500,000 bytes, and results above 4,000,000 bytes are a redirect: follow redirects (\`curl -L\`).
2. JSON with \`upload_id\` or \`upload_ids\`. \`options\` must match the JSON Schema that \`getConversion\` returns for the conversion. Without \`wait\` the response is immediate: poll \`getJob\`, or set \`webhook_url\`. The account's webhook URL is the default.

${COUNTED_REQUESTS}`,
  parameters: [
    "targetFormat",
    "sourceFormat",
    "sourceFilename",
    "resultFilename",
    "webhookUrl",
    "jobMetadata",
    "jobOptions",
    "wait",
    "prefer",
    "idempotencyKey",
  ],
  requests: ["conversion", "merge"],
  answers: {
    200: {
      description: "The result, or the job as JSON: it ended while the request waited.",
      examples: ["jobCompleted", "jobFailed"],
      media: ["*/*"],
      headers: ["Location", "Idempotent-Replayed", ...FILE_HEADERS, ...JOB_HEADERS],
    },
    202: {
      description: "The job was accepted.",
      examples: ["jobQueued"],
      headers: ["Location", "Retry-After", "Idempotent-Replayed"],
    },
    303: {
      description: "Redirects to the result, which is too large for the response.",
      headers: ["Location", "Idempotent-Replayed", ...JOB_HEADERS],
    },
  },
  errors: [
    "malformed_multipart",
    "not_found",
    "upload_incomplete",
    "upload_failed",
    "expired",
    "unsupported_conversion",
    "invalid_options",
    "unrecognized_format",
    "source_format_mismatch",
    "idempotency_conflict",
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
  files: () => conversionFiles,
  body: z.optional(conversionRequest),
  run: (context) => async (request) => {
    const { body } = request;
    if (body === undefined) {
      return convertFiles(context, request);
    }
    const milliseconds = waitMilliseconds(request);
    const idempotency = idempotencyOf(request, "createJob", JSON.stringify(body));
    const { job, replayed } = await acceptJob(context, { ...request, body }, idempotency);
    const waited = await waitForJob(context, job, { milliseconds, enough: () => false });
    return jobAnswer(context, request, { job: waited, replayed });
  },
});
