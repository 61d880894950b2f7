import { attachment } from "../domain/content-disposition.ts";
import { RequestError } from "../domain/errors.ts";
import { type Job, type JobResult, resultFilename } from "../domain/jobs.ts";
import { SIGNED_URL_SECONDS } from "../domain/limits.ts";
import type { Context } from "../domain/ports.ts";
import type { DownloadView } from "../domain/views.ts";
import { isFromEdge } from "./client-address.ts";
import { http, type Operation } from "./http.ts";
import { type Answer, type ApiRequest, param, quotaRefused } from "./request.ts";

/** Leads to the file by a URL that is signed for five minutes; HEAD describes the file and is not counted. */
export const downloadResult: Operation = (context) => async (request) => {
  const { job, filename, result } = await ownResult(context, request);
  if (request.method === "HEAD") {
    return describe(filename, result);
  }
  const expiresAt = Math.min(request.now + SIGNED_URL_SECONDS * 1_000, result.expiresAt);
  const opened = await context.files.signedUrl(result.key, { filename, mediaType: result.mediaType, expiresAt });
  const signed = isFromEdge(request.headers, context) ? atEdge(opened) : opened;
  if (request.claim !== undefined && !(await context.quotas.take(request.claim))) {
    throw quotaRefused(request);
  }
  await eraseAfter(context, job, expiresAt);
  if (!wantsJson(request)) {
    return { status: 302, headers: { location: signed } };
  }
  const body: DownloadView = {
    url: new URL(signed, request.baseUrl).href,
    expires_at: new Date(expiresAt).toISOString(),
    filename,
    size: result.bytes,
    sha256: result.sha256,
  };
  return { status: 200, body };
};

export const handler = http("downloadResult", downloadResult);

const ownResult = async (
  context: Context,
  request: ApiRequest<unknown>,
): Promise<{ job: Job; filename: string; result: JobResult }> => {
  const token = param(request, "token");
  const job = /^dl_[0-9A-Za-z]{43}$/.test(token) ? await context.jobs.findByToken(token) : undefined;
  if (job?.result === undefined || job.accountId !== request.accountId) {
    throw new RequestError("not_found", "There is no result with this token.");
  }
  if (job.result.expiresAt <= request.now) {
    throw new RequestError("expired", `This result expired at ${new Date(job.result.expiresAt).toISOString()}.`);
  }
  return { job, filename: resultFilename(job, job.result), result: job.result };
};

/**
 * Behind the distribution results have its own name: it asks the bucket by the bucket's, for which the URL is signed, and
 * leaves out the `Authorization` that some clients send on to wherever they are led.
 */
const atEdge = (signed: string): string => {
  const { pathname, search } = new URL(signed);
  return `${pathname}${search}`;
};

/** An account may have its files go with the first download: then this URL is the last. */
const eraseAfter = async (context: Context, job: Job, expiresAt: number): Promise<void> => {
  if (job.retentionMs === 0) {
    await context.jobs.expireResult(job.id, expiresAt);
    await context.tasks.erase(job.id, SIGNED_URL_SECONDS * 1_000);
  }
};

const describe = (filename: string, result: JobResult): Answer => ({
  status: 200,
  headers: {
    "content-type": result.mediaType,
    "content-length": String(result.bytes),
    "content-disposition": attachment(filename),
    etag: `"${result.sha256}"`,
  },
});

const wantsJson = (request: ApiRequest<unknown>): boolean =>
  /(?:^|[,\s])application\/json(?:$|[;,\s])/i.test(request.headers.accept ?? "");
