import { attachment } from "../../domain/content-disposition.ts";
import { RequestError } from "../../domain/errors.ts";
import { type Job, type JobResult, resultFilename } from "../../domain/jobs/job.ts";
import { SIGNED_URL_SECONDS } from "../../domain/limits.ts";
import type { Context } from "../../domain/ports.ts";
import { timestamp } from "../../domain/times.ts";
import { isFromEdge } from "../middleware/client-address.ts";
import type { Answer, ApiRequest } from "../request.ts";

/** A job with a result that has not expired. */
export interface FinishedJob {
  readonly job: Job;
  readonly result: JobResult;
  readonly filename: string;
}

/** A URL of the file. `url` is relative if the file store has the host of the service. */
export interface SignedResult {
  readonly url: string;
  readonly expiresAt: number;
}

/** @throws RequestError `expired` @returns undefined for a job without a result */
export const finishedJob = (job: Job, now: number): FinishedJob | undefined => {
  const { result } = job;
  if (result === undefined) {
    return undefined;
  }
  if (result.expiresAt <= now) {
    throw new RequestError("expired", `This result expired at ${timestamp(result.expiresAt)}.`);
  }
  return { job, result, filename: resultFilename(job, result) };
};

/** @returns the URL of the file, valid for five minutes, but never longer than the file is kept */
export const signedResult = async (
  context: Context,
  request: ApiRequest<unknown>,
  { result, filename }: FinishedJob,
): Promise<SignedResult> => {
  const expiresAt = Math.min(context.clock() + SIGNED_URL_SECONDS * 1_000, result.expiresAt);
  const opened = await context.files.signedUrl(result.key, { filename, mediaType: result.mediaType, expiresAt });
  return { url: isFromEdge(request.headers, context) ? pathOf(opened) : opened, expiresAt };
};

/**
 * @param status the status of a redirect
 * @returns the file if the gateway serves the file store, otherwise a redirect to it
 */
export const fileAnswer = (
  { files }: Pick<Context, "files">,
  finished: FinishedJob,
  { signed, status }: { readonly signed: SignedResult; readonly status: 302 | 303 },
): Answer =>
  files.servedByGateway
    ? { status: 200, headers: fileHeaders(finished), file: pathOf(signed.url) }
    : { status, headers: { location: signed.url } };

/** @returns the headers that describe the file */
export const fileHeaders = ({ filename, result }: FinishedJob): Readonly<Record<string, string>> => ({
  "content-type": result.mediaType,
  "content-length": String(result.bytes),
  "content-disposition": attachment(filename),
  etag: `"${result.sha256}"`,
});

/** An account can have files deleted after the first download. The URL of this one remains valid until then. */
export const eraseAfter = async (context: Context, { job }: FinishedJob, { expiresAt }: SignedResult) => {
  if (job.retentionMs === 0) {
    await context.jobs.expireResult(job.id, expiresAt);
    await context.tasks.erase(job.id, SIGNED_URL_SECONDS * 1_000);
  }
};

/**
 * Behind the distribution, results are served from its host name. The distribution requests them from the bucket's host
 * name, which the URL is signed for, and removes the `Authorization` header that some clients forward on redirects.
 */
const pathOf = (signed: string): string => {
  const { pathname, search } = new URL(signed, "http://file-store");
  return `${pathname}${search}`;
};
