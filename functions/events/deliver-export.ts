import { context as deployedContext } from "#context";
import { type ExportTarget, filledKey, openTarget } from "../domain/exports/job-export.ts";
import { locationIn, openStorage } from "../domain/exports/storage.ts";
import { type Job, type JobResult, resultFilename } from "../domain/jobs/job.ts";
import { EXPORT_ATTEMPT_MS_MAX, EXPORT_MARGIN_MS } from "../domain/limits.ts";
import type { Context } from "../domain/ports.ts";
import { reachable } from "../outbound/addresses.ts";
import { type FileToPut, type PutTarget, putFile } from "../outbound/put-file.ts";
import { DeliveryEnded, deliverMessage } from "./delivery.ts";
import { fairTaskHandler } from "./queue.ts";

/** Attempts a due export: sends the result of a job to its target, like a webhook, as long as the result exists. */
export const deliverExport = deliverMessage({
  name: "export",
  claimMs: EXPORT_ATTEMPT_MS_MAX + EXPORT_MARGIN_MS,
  send: async (context, { jobId }, at) => {
    const { target, file, location } = await preparedExport(context, await context.jobs.getJob(jobId), at);
    const { status, error } = await putFile(target, file, {
      reaches: reachable(context.importAllowed ?? []),
      signal: AbortSignal.timeout(EXPORT_ATTEMPT_MS_MAX),
      now: at,
    });
    return { answered: status, ...(error !== undefined && { error }), ...(location !== undefined && { location }) };
  },
  // If this is interrupted before the message is recorded, the export is attempted again.
  note: ({ jobs }, { jobId }, { attempt, next, location }) =>
    jobs.recordExport(jobId, { status: next.status, error: attempt.error, location }),
});

let deliverOne: ReturnType<typeof deliverExport> | undefined;

export const handler = fairTaskHandler(deployedContext, (id) => {
  deliverOne ??= deliverExport(deployedContext());
  return deliverOne(id);
});

interface PreparedExport {
  readonly target: PutTarget;
  readonly file: FileToPut;
  /** Where an object is stored: its key can contain the filename of the result. */
  readonly location?: string;
}

/** @throws DeliveryEnded when there is nothing to send, or nowhere to send it */
const preparedExport = async (context: Context, job: Job | undefined, now: number): Promise<PreparedExport> => {
  const { export: given, result } = job ?? {};
  if (job === undefined || given?.target === undefined) {
    throw new DeliveryEnded("The export has ended, or the job was deleted.");
  }
  if (result === undefined || result.expiresAt <= now) {
    throw new DeliveryEnded("The result has expired.");
  }
  const file = fileOf(context, job, result);
  const target = await targetOf(context, job, openTarget(context.sealer, job.id, given.target));
  if (!("place" in target)) {
    return { target, file };
  }
  const key = filledKey(target.key, { name: file.filename, id: job.id });
  return { target: { ...target, key }, file, location: locationIn(target.place, key) };
};

const targetOf = async ({ sealer, storages }: Context, job: Job, target: ExportTarget): Promise<PutTarget> => {
  if ("url" in target) {
    return target;
  }
  const storage = await storages.get(job.accountId, target.storage);
  if (storage === undefined) {
    throw new DeliveryEnded(`Storage ${target.storage} was deleted.`);
  }
  return { ...openStorage(sealer, storage), key: target.key };
};

const fileOf = ({ files }: Context, job: Job, result: JobResult): FileToPut => ({
  bytes: result.bytes,
  mediaType: result.mediaType,
  filename: resultFilename(job, result),
  content: async () => {
    const content = await files.read(result.key, 0, result.bytes);
    if (content === undefined) {
      throw new DeliveryEnded("The result was deleted.");
    }
    return content;
  },
});
