import { COUNTED_REQUESTS, type QuotaClaim } from "../../domain/accounts/quotas.ts";
import { RequestError } from "../../domain/errors.ts";
import type { DownloadView } from "../../domain/jobs/job-views.ts";
import type { Context } from "../../domain/ports.ts";
import { timestamp } from "../../domain/times.ts";
import { onlyJson } from "../middleware/accept.ts";
import { example, operation, type Variant } from "../operation.ts";
import { metered, sessionOnly } from "../permissions.ts";
import { type ApiRequest, param } from "../request.ts";
import { eraseAfter, type FinishedJob, fileAnswer, fileHeaders, finishedJob, signedResult } from "./result-answer.ts";

const FILE_HEADERS = ["ETag", "Content-Disposition", "Content-Length"] as const;

/**
 * Returns the file on one machine, and redirects to a URL that is signed for five minutes elsewhere. HEAD describes the
 * file and is not metered.
 */
export const downloadResult = operation({
  id: "downloadResult",
  methods: ["GET", "HEAD"],
  path: "/api/v1/download/{token}",
  aliases: { getDownloadUrl: "/api/v1/download/{token}/url" },
  auth: "key",
  visitors: true,
  scope: "download",
  metered: "download",
  permissions: {
    tables: { ...metered, jobs: ["GetItem", "PutItem", "UpdateItem"] },
    only: sessionOnly,
    files: { results: ["GetObject"] },
    asks: ["erasures"],
  },
  tag: "Downloads",
  summary: "Download a result",
  description: `Returns the file on one machine, and redirects to it on AWS with a URL that expires after five minutes: follow redirects (\`curl -L\`). Supports range requests. HEAD returns the headers of the file.

\`Accept: application/json\` returns the URL instead, as \`getDownloadUrl\` does. A client that also accepts another type gets the file. Some clients (wget, urllib, Java) forward the API key to the redirect, which S3 rejects: use this URL instead.

${COUNTED_REQUESTS}`,
  alsoServes: ["getDownloadUrl"],
  variants: () => ({ getDownloadUrl: urlOnly }),
  parameters: ["token"],
  answers: {
    200: {
      description: "The file.",
      media: ["*/*"],
      headers: FILE_HEADERS,
    },
    206: { description: "The requested range of the file.", media: ["*/*"], headers: FILE_HEADERS },
    302: { description: "Redirects to the file.", headers: ["Location"] },
    304: { description: "The client has this version.", headers: ["ETag"] },
    412: { description: "The file does not match `If-Match` or `If-Unmodified-Since`." },
    416: { description: "The range is outside the file." },
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
    const finished = await ownResult(context, request);
    const { filename, result } = finished;
    const onlyUrl = URL_PATH.test(request.path);
    if (request.method === "HEAD" && !onlyUrl) {
      return { status: 200, headers: { ...headHeaders(context, finished), "accept-ranges": "bytes" } };
    }
    const signed = await signedResult(context, request, finished);
    if (request.claim !== undefined) {
      await countDownload(context, request.claim);
    }
    if (request.method !== "HEAD") {
      await eraseAfter(context, finished, signed);
    }
    if (!onlyUrl && !onlyJson(request.headers.accept)) {
      return fileAnswer(context, finished, { signed, status: 302 });
    }
    const body: DownloadView = {
      url: new URL(signed.url, request.baseUrl).href,
      expires_at: timestamp(signed.expiresAt),
      filename,
      size: result.bytes,
      sha256: result.sha256,
    };
    return { status: 200, body };
  },
});

/** A redirect leads to a file with the tag of its store, so the tag of the job would never match in `If-Range`. */
const headHeaders = ({ files }: Pick<Context, "files">, finished: FinishedJob): Readonly<Record<string, string>> => {
  const { etag, ...others } = fileHeaders(finished);
  return files.servedByGateway ? { ...others, ...(etag !== undefined && { etag }) } : others;
};

const URL_PATH = /\/url\/*$/;

const urlOnly: Variant = {
  summary: "Retrieve the URL of a result",
  description: `Returns the URL of the file, which expires after five minutes and needs no API key, with its name, size and hash.

${COUNTED_REQUESTS}`,
  methods: ["GET"],
  alsoServes: [],
  answers: { 200: { description: "The URL.", examples: ["download"] } },
};

/** A finished result can always be downloaded, so a reached limit only prevents the count. */
const countDownload = async ({ quotas }: Pick<Context, "quotas">, claim: QuotaClaim): Promise<void> => {
  if (!(await quotas.take(claim)) && claim.key !== undefined) {
    const { key: _, ...ofAccount } = claim;
    await quotas.take(ofAccount);
  }
};

/** @throws RequestError `not_found`, also for tokens of other accounts; `expired` */
const ownResult = async (context: Context, request: ApiRequest<unknown>): Promise<FinishedJob> => {
  const token = param(request, "token");
  const job = /^dl_[0-9A-Za-z]{43}$/.test(token) ? await context.jobs.findByToken(token) : undefined;
  const finished = job?.accountId === request.accountId ? finishedJob(job, request.now) : undefined;
  if (finished === undefined) {
    throw new RequestError("not_found", "No result has this token.");
  }
  return finished;
};
