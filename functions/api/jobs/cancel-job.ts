import { jobView } from "../../domain/jobs/job.ts";
import { operation } from "../operation.ts";
import { keyed } from "../permissions.ts";
import { cancelsOnly, cancelUnfinished } from "./cancel-unfinished.ts";

/** Cancels an unfinished job. A job that has ended is returned unchanged, so that a late request erases nothing. */
export const cancelJob = operation({
  id: "cancelJob",
  methods: ["POST"],
  path: "/api/v1/convert/{id}/cancel",
  auth: "key",
  visitors: true,
  scope: "convert",
  permissions: { tables: { ...keyed, jobs: ["GetItem", "UpdateItem"] }, only: cancelsOnly },
  tag: "Conversions",
  summary: "Cancel a job",
  description:
    "Cancels a queued or processing job, within a second. A job that has already ended is returned unchanged, with its result. Safe to call again.",
  parameters: ["jobId"],
  answers: {
    200: { description: "The job, which has ended.", examples: ["jobCancelled", "jobCompleted", "jobFailed"] },
  },
  errors: ["not_found"],
  run: (context) => async (request) => {
    const { job } = await cancelUnfinished(context, request);
    return { status: 200, body: jobView(job, request.baseUrl, context.clock()) };
  },
});
