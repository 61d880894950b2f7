import type { Job } from "../../domain/jobs/job.ts";
import { messageOf } from "../../domain/jobs/job-lane.ts";
import type { Context } from "../../domain/ports.ts";
import { asError, jobKeys, logger } from "../../logger.ts";
import { type ApiRequest, requestKeys } from "../request.ts";

/** Queues an accepted job. If its message is lost, the sweeper sends it again, so this never fails. */
export const sendJob = async (
  { queue }: Pick<Context, "queue">,
  request: ApiRequest<unknown>,
  job: Job,
): Promise<void> => {
  await queue.send(job.lane, messageOf(job)).catch((error: unknown) => {
    logger.warn("job message was not sent", { ...requestKeys(request), ...jobKeys(job), error: asError(error) });
  });
};
