import { isUnfinished, type Job, jobView } from "../../domain/jobs/job.ts";
import { STREAMS_PER_ACCOUNT_MAX, WAIT_SECONDS_MAX } from "../../domain/limits.ts";
import { operation } from "../operation.ts";
import { keyed, useOnly } from "../permissions.ts";
import { answerEvents, type Watched } from "./event-stream.ts";
import { requireJob } from "./require-job.ts";

/** Sends a job at each change, as server-sent events (HTML Standard, 9.2). */
export const jobEvents = operation({
  id: "jobEvents",
  methods: ["GET"],
  path: "/api/v1/convert/{id}/events",
  auth: "key",
  visitors: true,
  scope: "read",
  timeoutSeconds: 29,
  permissions: { tables: { ...keyed, jobs: ["GetItem"] }, only: useOnly },
  tag: "Conversions",
  summary: "Stream the events of a job",
  description: `Sends server-sent events: the job now, then at each change of its status or progress, until it ends. Each event is named \`job\`; its \`data\` is the job as \`getJob\` returns it, on one line, and its \`id\` is the version of the job. A reconnecting client sends the last \`id\` as \`Last-Event-ID\` and does not receive this version again; \`EventSource\` does this by itself. The service sends a comment every 10 seconds, and ends a stream after five minutes. A deployment on AWS cannot stream: it waits up to ${WAIT_SECONDS_MAX} seconds for a change after \`Last-Event-ID\`, sends the event and ends the response. Clients reconnect in both cases, so the same client works with both. An account can have ${STREAMS_PER_ACCOUNT_MAX} open streams.`,
  parameters: ["jobId", "lastEventId"],
  answers: {
    200: { description: "The events.", media: ["text/event-stream"] },
    204: { description: "The client has the last event of the job, and should not reconnect." },
  },
  errors: ["not_found", "rate_limited"],
  run: (context) => async (request) => {
    const job = await requireJob(context, request);
    const watched: Watched<Job> = {
      name: "job",
      id: job.id,
      view: (state) => jobView(state, request.baseUrl, context.clock()),
      read: () => context.jobs.getJob(job.id),
      changed: ({ id }, milliseconds) => context.notifications.changed(id, milliseconds),
      isUnfinished,
    };
    return answerEvents(context, request, { watched, state: job });
  },
});
