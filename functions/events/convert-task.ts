import { once } from "node:events";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { context as deployedContext } from "#context";
import { QUEUED_RESEND_MS } from "../domain/limits.ts";
import type { Context } from "../domain/ports.ts";
import { logger } from "../logger.ts";
import { handler } from "./convert-file.ts";

/** The message's part that is needed to return its job. */
interface Message {
  readonly job_id: string;
}

/**
 * Converts the file of one message in a container that was started for it, with the handler of the queue. The message is
 * already deleted: a job that this container does not end is released, and the stream of the jobs table sends another
 * message, or the sweeper does when its lease has expired.
 *
 * @param body of the message
 * @param stop aborts when the container must end, 120 s before it is killed (Amazon ECS Developer Guide, "Fargate
 * capacity providers"): the job returns to its queue, and the process must exit
 */
export const convertTask =
  (context: Pick<Context, "clock" | "jobs">, convert: (event: SQSEvent) => Promise<SQSBatchResponse>) =>
  async (body: string, stop: AbortSignal): Promise<void> => {
    const { job_id } = JSON.parse(body) as Message;
    // A container has one message, without the attributes of a queue.
    const record = { messageId: job_id, body } as SQSEvent["Records"][number];
    const stopped = once(stop, "abort").then(() => returnJob(context, job_id));
    await Promise.race([convert({ Records: [record] }), stopped]);
  };

/** The next attempt takes the job over, so the rest of this one does not have to be awaited. */
const returnJob = async ({ clock, jobs }: Pick<Context, "clock" | "jobs">, id: string): Promise<void> => {
  const job = await jobs.getJob(id);
  if (job?.status === "processing") {
    const isReturned = await jobs.release(id, job.attempt, clock() + QUEUED_RESEND_MS);
    logger.info("container is stopped", { job_id: id, returned: isReturned });
  }
};

/** Runs the conversion of the message that a pipe has put into the environment of the container. */
export const runTask = (body: string, stop: AbortSignal): Promise<void> =>
  convertTask(deployedContext(), handler)(body, stop);
