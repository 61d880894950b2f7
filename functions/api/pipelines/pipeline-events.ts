import { STREAMS_PER_ACCOUNT_MAX, WAIT_SECONDS_MAX } from "../../domain/limits.ts";
import { hasEnded, jobsOf, pipelineView } from "../../domain/pipelines/pipeline.ts";
import { answerEvents, type Watched } from "../jobs/event-stream.ts";
import { operation } from "../operation.ts";
import { keyed, useOnly } from "../permissions.ts";
import { type ReadPipeline, requirePipeline } from "./require-pipeline.ts";
import { nextChange } from "./wait-for-pipeline.ts";

/** Sends a pipeline at each change of a step, as server-sent events (HTML Standard, 9.2). */
export const pipelineEvents = operation({
  id: "pipelineEvents",
  methods: ["GET"],
  path: "/api/v1/pipelines/{id}/events",
  auth: "key",
  scope: "read",
  timeoutSeconds: 29,
  permissions: { tables: { ...keyed, jobs: ["GetItem"] }, only: useOnly },
  tag: "Pipelines",
  summary: "Stream the events of a pipeline",
  description: `Sends server-sent events: the pipeline now, then at each change of the status or progress of a step, until all steps have ended. Each event is named \`pipeline\`; its \`data\` is the pipeline as \`getPipeline\` returns it, on one line. Otherwise as for the events of a job: comments every 10 seconds, \`Last-Event-ID\`, at most five minutes for each stream, ${STREAMS_PER_ACCOUNT_MAX} open streams of an account, and on AWS one event for each request, which waits up to ${WAIT_SECONDS_MAX} seconds.`,
  parameters: ["pipelineId", "lastEventId"],
  answers: {
    200: { description: "The events.", media: ["text/event-stream"] },
    204: { description: "The client has the last event of the pipeline, and should not reconnect." },
  },
  errors: ["not_found", "rate_limited"],
  run: (context) => async (request) => {
    const read = await requirePipeline(context, request);
    const { pipeline } = read;
    const watched: Watched<ReadPipeline> = {
      name: "pipeline",
      id: pipeline.id,
      view: ({ jobs }) => pipelineView(pipeline, jobs, { baseUrl: request.baseUrl, now: context.clock() }),
      read: async () => {
        const found = await context.pipelines.getPipeline(pipeline.id);
        return found && { pipeline: found, jobs: await jobsOf(found, context.jobs.getJob) };
      },
      changed: ({ jobs }, milliseconds) => nextChange(context, jobs, milliseconds),
      isUnfinished: ({ jobs }) => !hasEnded(pipeline, jobs),
    };
    return answerEvents(context, request, { watched, state: read });
  },
});
