import { jobView } from "../../domain/jobs/job.ts";
import { example, operation } from "../operation.ts";
import { keyed } from "../permissions.ts";
import { cancelsOnly, cancelUnfinished } from "./cancel-unfinished.ts";

/**
 * Deletes an ended job with its result immediately. Its uploads can still be converted: `deleteUpload` deletes them. An
 * unfinished job is cancelled.
 */
export const deleteJob = operation({
  id: "deleteJob",
  methods: ["DELETE"],
  path: "/api/v1/convert/{id}",
  auth: "key",
  visitors: true,
  scope: "convert",
  permissions: {
    tables: { ...keyed, jobs: ["DeleteItem", "GetItem", "UpdateItem"] },
    only: cancelsOnly,
    files: { results: ["DeleteObject"] },
  },
  tag: "Conversions",
  summary: "Delete a job",
  description:
    "Deletes an ended job with its result immediately. Its uploads are kept until they expire; `deleteUpload` deletes them. A job that has not ended is cancelled instead: to cancel without deleting anything, use `cancelJob`.",
  parameters: ["jobId"],
  answers: {
    200: { description: "The job was cancelled.", examples: ["jobCancelled"] },
    204: { description: "The job was deleted." },
  },
  errors: ["not_found"],
  examples: ({ baseUrl, now, jobs }) => ({
    jobCancelled: example("Job", "A cancelled job", jobView(jobs.cancelled, baseUrl, now)),
  }),
  run: (context) => async (request) => {
    const { job, wasCancelled } = await cancelUnfinished(context, request);
    if (wasCancelled) {
      return { status: 200, body: jobView(job, request.baseUrl, context.clock()) };
    }
    // The file is deleted first, so that an interrupted request can be repeated.
    await context.files.remove(job.result === undefined ? [] : [job.result.key]);
    await context.jobs.eraseJob(job.id);
    return { status: 204 };
  },
});
