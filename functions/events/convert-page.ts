import { context as deployedContext } from "#context";
import { OUTPUT_BYTES_MAX } from "../domain/conversions/conversion-limits.ts";
import { JobError } from "../domain/errors.ts";
import { type Job, resultKey } from "../domain/jobs/job.ts";
import type { PageMachines } from "../domain/page-machines.ts";
import type { Context } from "../domain/ports.ts";
import { converterMessage } from "../engines/core/checked-message.ts";
import type { ConverterMessage } from "../engines/core/messages.ts";
import { failureIn } from "../engines/core/pool/conversation.ts";
import type { ConversionResult } from "../engines/core/task.ts";
import { asError, jobKeys, logger } from "../logger.ts";
import { convertFileBy } from "./convert-file.ts";
import { type ConvertJob, taskOf } from "./convert-inputs.ts";
import type { PageRequest } from "./page-request.ts";
import { queueHandler } from "./queue.ts";

/**
 * Converts the jobs of the web lane, without an engine: a second function opens the page. That one runs the scripts of
 * others without a sandbox, so it has no permissions, a virtual machine for each attempt, and signed URLs for the files of
 * this job. Nothing that it returns is trusted.
 */

/** Milliseconds that signed URLs outlast the conversion. */
const MARGIN_MS = 30_000;

export const convertThere =
  (context: Pick<Context, "clock" | "files">, machines: PageMachines): ConvertJob =>
  async (job, { folder, steps, signal, timeoutMs }) => {
    const expiresAt = context.clock() + timeoutMs + MARGIN_MS;
    const lend = (key: string) =>
      context.files.signedUrl(key, { filename: "input", mediaType: "application/octet-stream", expiresAt });
    const key = `${resultKey(job.id, job.attempt)}.page`;
    const request: PageRequest = {
      job: { id: job.id, accountId: job.accountId, lane: job.lane, attempt: job.attempt },
      task: { ...(await taskOf(job, lend)), steps },
      resultUrl: await machines.putUrl(key, expiresAt),
      timeoutMs,
    };
    try {
      const reply = converterMessage(await machines.call(request, { machine: `${job.id}-${job.attempt}`, signal }));
      return { ...resultIn(reply), output: await fetched(context, key, folder) };
    } finally {
      await discard(context, job, key);
    }
  };

/** @throws the reported error */
const resultIn = (reply: ConverterMessage | undefined): ConversionResult => {
  const failure = reply && failureIn(reply);
  if (failure !== undefined) {
    throw failure;
  }
  if (reply === undefined || !("result" in reply)) {
    throw new JobError("engine_crashed", "The converter sent an invalid response.");
  }
  return reply.result;
};

const fetched = async ({ files }: Pick<Context, "files">, key: string, folder: string): Promise<string> => {
  if (((await files.bytesOf(key)) ?? 0) > OUTPUT_BYTES_MAX) {
    throw new JobError("output_too_large", "The result exceeds the size limit.");
  }
  const path = await files.fetch(key, folder);
  if (path === undefined) {
    throw new JobError("engine_crashed", "The converter stored no result.");
  }
  return path;
};

/** The bucket deletes what remains. */
const discard = ({ files }: Pick<Context, "files">, job: Job, key: string): Promise<void> =>
  files
    .remove([key])
    .catch((error: unknown) => logger.warn("copy of a result remains", { ...jobKeys(job), error: asError(error) }));

const deployed = (): ReturnType<typeof convertFileBy> => {
  const context = deployedContext();
  if (context.pageMachines === undefined) {
    throw new Error("ANYFORM_PAGE_FUNCTION is not set.");
  }
  return convertFileBy(context, convertThere(context, context.pageMachines));
};

let convertOne: ReturnType<typeof deployed> | undefined;

export const handler = queueHandler((message) => {
  convertOne ??= deployed();
  return convertOne(message);
});
