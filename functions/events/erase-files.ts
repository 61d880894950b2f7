import { context as deployedContext } from "#context";
import type { Context } from "../domain/ports.ts";
import { type MessageOutcome, taskHandler } from "./queue.ts";

/** Erases the result of a job whose time is over, which is at the first download where the account wants it so. */
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
