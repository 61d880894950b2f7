import { context as deployedContext } from "#context";
import type { Context } from "../domain/ports.ts";
import { type MessageOutcome, taskHandler } from "./queue.ts";

/** Deletes the result of an expired job, which is after the first download if the account is configured so. */
export const eraseFiles =
  (context: Context) =>
  async (id: string): Promise<MessageOutcome> => {
    const job = await context.jobs.getJob(id);
    if (job?.result === undefined) {
      return "done";
    }
    if (job.result.expiresAt > context.clock()) {
      return "retry";
    }
    await context.files.remove([job.result.key]);
    return "done";
  };

export const handler = taskHandler((id) => eraseFiles(deployedContext())(id));
