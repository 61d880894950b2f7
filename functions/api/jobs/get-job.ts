import { isUnfinished, jobEtag, jobView } from "../../domain/jobs/job.ts";
import { waitForJob, waitMilliseconds } from "../middleware/wait.ts";
import { example, operation } from "../operation.ts";
import { keyed, useOnly } from "../permissions.ts";
import { hasVersion } from "../request.ts";
import { requireJob } from "./require-job.ts";

/** Returns a job. With `Prefer: wait`, responds when its status changes. */
export const getJob = operation({
  id: "getJob",
  methods: ["GET"],
  path: "/api/v1/convert/{id}/status",
  aliases: { retrieveJob: "/api/v1/convert/{id}" },
  auth: "key",
  visitors: true,
  scope: "read",
  timeoutSeconds: 29,
  permissions: { tables: { ...keyed, jobs: ["GetItem"] }, only: useOnly },
  tag: "Conversions",
  summary: "Retrieve a job",
  description:
    "Returns the status of a job: `queued`, `processing`, then `completed`, `failed` or `cancelled`; `expired` once the file of a completed job is deleted. With `wait` the response is sent when the status changes. `GET /api/v1/convert/{id}` returns the same.",
  parameters: ["jobId", "wait", "prefer", "version"],
  answers: {
    200: {
      description: "The job.",
      examples: ["jobCompleted", "jobQueued", "jobProcessing", "jobFailed", "jobCancelled", "jobExpired"],
      headers: ["ETag", "Retry-After"],
    },
    304: { description: "The client has this version.", headers: ["ETag", "Retry-After"] },
  },
  errors: ["invalid_request", "not_found"],
  examples: ({ baseUrl, now, uploads, jobs }) => ({
    jobProcessing: example("Job", "A job in progress", jobView(jobs.processing, baseUrl, now)),
    jobExpired: example("Job", "An expired job", jobView(jobs.completed, baseUrl, uploads.ready.expiresAt * 2)),
  }),
  run: (context) => async (request) => {
    const milliseconds = waitMilliseconds(request);
    const job = await requireJob(context, request);
    const changed = await waitForJob(context, job, { milliseconds, enough: ({ status }) => status !== job.status });
    const view = jobView(changed, request.baseUrl, context.clock());
    const etag = jobEtag(view);
    const headers = {
      etag,
      "cache-control": "private, no-cache",
      ...(isUnfinished(changed) && { "retry-after": "1" }),
    };
    return hasVersion(request, etag) ? { status: 304, headers } : { status: 200, headers, body: view };
  },
});
