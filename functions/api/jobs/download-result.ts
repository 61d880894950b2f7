import { attachment } from "../../domain/content-disposition.ts";
import { RequestError } from "../../domain/errors.ts";
import { type Job, type JobResult, resultFilename } from "../../domain/jobs/job.ts";
import type { DownloadView } from "../../domain/jobs/job-views.ts";
import { SIGNED_URL_SECONDS } from "../../domain/limits.ts";
import type { Context } from "../../domain/ports.ts";
import { isFromEdge } from "../middleware/client-address.ts";
import { example, operation } from "../operation.ts";
import { metered, sessionOnly } from "../permissions.ts";
import { type Answer, type ApiRequest, param, quotaRefused } from "../request.ts";

/** Redirects to the file with a URL that is signed for five minutes. HEAD describes the file and is not metered. */
export const downloadResult = operation({
  id: "downloadResult",
  methods: ["GET", "HEAD"],
  path: "/api/v1/download/{token}",
  auth: "key",
  visitors: true,
  scope: "download",
  metered: "download",
  permissions: {
    tables: { ...metered, jobs: ["GetItem", "UpdateItem"] },
    only: sessionOnly,
    files: { results: ["GetObject"] },
    asks: ["erasures"],
  },
  tag: "Downloads",
  summary: "Download a result",
  description:
    "Redirects to the file with a URL that expires after five minutes. HEAD returns the headers of the file and is not metered. The file store supports range requests. Some clients (wget, urllib, Java) forward the API key to it, which S3 rejects: request `application/json` and use the returned URL instead.",
  parameters: ["token"],
  answers: {
    200: { description: "The URL of the file, for `Accept: application/json`.", examples: ["download"] },
    302: { description: "Redirects to the file.", headers: ["Location"] },
  },
  errors: ["not_found", "expired"],
  examples: ({ baseUrl, soon, jobs: { completed } }) => ({
    download: example("Download", "The URL of a photo", {
      url: `${baseUrl}/files/${completed.result.key}?signature=…`,
      expires_at: soon,
      filename: completed.filename,
      size: completed.result.bytes,
      sha256: completed.result.sha256,
    } satisfies DownloadView),
  }),
  run: (context) => async (request) => {
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
  },
});

const ownResult = async (
  context: Context,
  request: ApiRequest<unknown>,
): Promise<{ job: Job; filename: string; result: JobResult }> => {
  const token = param(request, "token");
  const job = /^dl_[0-9A-Za-z]{43}$/.test(token) ? await context.jobs.findByToken(token) : undefined;
  if (job?.result === undefined || job.accountId !== request.accountId) {
    throw new RequestError("not_found", "No result has this token.");
  }
  if (job.result.expiresAt <= request.now) {
    throw new RequestError("expired", `This result expired at ${new Date(job.result.expiresAt).toISOString()}.`);
  }
  return { job, filename: resultFilename(job, job.result), result: job.result };
};

/**
 * Behind the distribution, results are served from its host name. The distribution requests them from the bucket's host
 * name, which the URL is signed for, and removes the `Authorization` header that some clients forward on redirects.
 */
const atEdge = (signed: string): string => {
  const { pathname, search } = new URL(signed);
  return `${pathname}${search}`;
};

/** An account can have files deleted on the first download: then this URL is the last one. */
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
