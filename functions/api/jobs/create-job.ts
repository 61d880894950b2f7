import * as z from "zod/mini";
import { COUNTED_REQUESTS } from "../../domain/accounts/quotas.ts";
import { jobView } from "../../domain/jobs/job.ts";
import { conversionFiles, conversionVariants } from "../conversion/conversion-files.ts";
import { conversionRequest } from "../conversion/conversion-request.ts";
import { jobAnswer } from "../conversion/converted-answer.ts";
import { idempotencyOf } from "../middleware/idempotency.ts";
import { waitForJob, waitMilliseconds } from "../middleware/wait.ts";
import { example, operation } from "../operation.ts";
import { acceptsJobs } from "../permissions.ts";
import { acceptJob } from "./accept-job.ts";
import { convertFiles } from "./convert-files.ts";
import { acceptPage } from "./convert-page.ts";
import { convertUpload } from "./convert-upload.ts";

/** Accepts a conversion of uploads, or of the files in the body, and waits for its end as long as the client requests. */
export const createJob = operation({
  id: "createJob",
  methods: ["POST", "PUT"],
  path: "/api/v1/convert",
  aliases: { convertFile: "/api/v1/convert/file" },
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
  summary: "Convert uploads",
  description: `Converts an upload, merges several, or renders the web page at \`url\`. \`options\` must match the JSON Schema that \`getConversion\` returns for the conversion. Without \`wait\` the response is immediate: poll \`getJob\`, or set \`webhook_url\`. The account's webhook URL is the default.

This path accepts the file itself as well, like \`convertFile\` (a form) and \`convertFilePut\` (the body), and returns the result.

${COUNTED_REQUESTS}`,
  parameters: ["wait", "prefer", "idempotencyKey"],
  requests: ["conversion", "merge", "page"],
  alsoServes: ["convertFile", "convertFilePut"],
  variants: () => conversionVariants,
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
    page: example("ConversionRequest", "A web page as PDF", {
      url: "https://example.com/report",
      target_format: "pdf",
      options: { wait_until: "network_idle", page_size: "a4", page_margin: 15 },
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
    const accept = body.url === undefined ? acceptJob : acceptPage;
    const conversion = { ...request, body };
    const start = context.clock();
    const { job, replayed } =
      (await convertUpload(context, conversion, milliseconds)) ?? (await accept(context, conversion, idempotency));
    const left = Math.max(0, start + milliseconds - context.clock());
    const waited = await waitForJob(context, job, { milliseconds: left, enough: () => false });
    return jobAnswer(context, request, { job: waited, replayed });
  },
});
