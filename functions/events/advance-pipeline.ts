import { messageOf } from "../domain/jobs/job-lane.ts";
import { QUEUED_RESEND_MS } from "../domain/limits.ts";
import { endMeasured } from "../domain/measurements.ts";
import { type NextJob, nextJobs } from "../domain/pipelines/next-jobs.ts";
import { hasEnded, jobsOf, type Pipeline, type PipelineJobs } from "../domain/pipelines/pipeline.ts";
import { pipelineMessagesOf } from "../domain/pipelines/pipeline-message.ts";
import type { Context } from "../domain/ports.ts";

type Continued = Pick<Context, "clock" | "jobs" | "metrics" | "pipelines" | "queue" | "tasks" | "webhooks">;

/**
 * Continues a pipeline after one of its jobs has ended: starts the jobs whose inputs exist now, and ends those whose inputs
 * never will. When all have ended, it announces the end once and deletes intermediate results. It may be called any number
 * of times: every change is conditional, and the end of each job leads to another call.
 */
export const advancePipeline =
  (context: Continued) =>
  async (id: string): Promise<void> => {
    const pipeline = await context.pipelines.getPipeline(id);
    if (pipeline === undefined) {
      return;
    }
    const jobs = await jobsOf(pipeline, context.jobs.getJob);
    for (const next of nextJobs(pipeline, jobs, context.clock())) {
      await apply(context, next);
    }
    if (hasEnded(pipeline, jobs)) {
      await announce(context, pipeline, jobs);
      await expireIntermediate(context, jobs);
    }
  };

const apply = async ({ clock, jobs, metrics, queue }: Continued, next: NextJob): Promise<void> => {
  const now = clock();
  const { job } = next;
  if (next.action === "start") {
    const started = await jobs.start(job.id, next.inputs, now + QUEUED_RESEND_MS);
    // If the message is lost, the sweeper sends it again.
    await (started && queue.send(started.lane, messageOf(started)));
    return;
  }
  const outcome = next.action === "end" ? next.outcome : ({ status: "cancelled" } as const);
  const ended =
    outcome.status === "failed"
      ? await jobs.finish(job.id, job.attempt, outcome, now)
      : (await jobs.cancel(job.id, now)) !== undefined;
  if (ended) {
    metrics.record(endMeasured(job, outcome, { now }));
  }
};

/** If the pipeline was deleted in the meantime, a message that was added too late is deleted here. */
const announce = async (context: Continued, pipeline: Pipeline, jobs: PipelineJobs): Promise<void> => {
  const { pipelines, tasks, webhooks, clock } = context;
  for (const message of pipelineMessagesOf(pipeline, jobs, clock())) {
    if (await webhooks.create(message)) {
      if ((await pipelines.getPipeline(pipeline.id)) === undefined) {
        await webhooks.remove(message.id);
        return;
      }
      await tasks.deliver(message, 0);
    }
  }
};

const expireIntermediate = async ({ clock, jobs: store, tasks }: Continued, jobs: PipelineJobs): Promise<void> => {
  for (const { id, intermediate, result } of jobs.values()) {
    if (intermediate === true && result !== undefined && result.expiresAt > clock()) {
      await store.expireResult(id, clock());
      await tasks.erase(id, 0);
    }
  }
};
