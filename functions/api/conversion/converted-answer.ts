import { buffer } from "node:stream/consumers";
import { jobProblemView } from "../../domain/errors/problem.ts";
import { RequestError } from "../../domain/errors.ts";
import { isUnfinished, type Job, jobView } from "../../domain/jobs/job.ts";
import { LAMBDA_RESULT_BYTES_MAX } from "../../domain/limits.ts";
import type { Context } from "../../domain/ports.ts";
import type { Warning } from "../../domain/warning.ts";
import {
  eraseAfter,
  type FinishedJob,
  fileAnswer,
  fileHeaders,
  finishedJob,
  signedResult,
} from "../jobs/result-answer.ts";
import { onlyJson } from "../middleware/accept.ts";
import type { Answer, ApiRequest } from "../request.ts";
import { JOB_MEDIA_TYPE } from "./conversion-files.ts";

/** A job that the request has created, or that it repeats. */
export interface CreatedJob {
  readonly job: Job;
  readonly replayed: boolean;
  /** The result, if it is in memory. */
  readonly content?: Uint8Array;
}

type Asking = ApiRequest<unknown>;

/** @returns the job as JSON: 202 while it is unfinished */
export const jobAnswer = (context: Pick<Context, "clock">, request: Asking, { job, replayed }: CreatedJob): Answer => ({
  status: isUnfinished(job) ? 202 : 200,
  headers: {
    location: statusPath(job),
    ...(isUnfinished(job) && { "retry-after": "1" }),
    ...(replayed && { "idempotent-replayed": "true" }),
  },
  body: jobView(job, request.baseUrl, context.clock()),
});

/**
 * @returns the file that the job made; the job as JSON if it is unfinished, or the client accepts only JSON; a problem if it
 * failed
 * @throws RequestError `expired` when a repeated job's file was deleted
 */
export const convertedAnswer = async (context: Context, request: Asking, created: CreatedJob): Promise<Answer> => {
  const { job, replayed, content } = created;
  if (isUnfinished(job)) {
    const answer = jobAnswer(context, request, created);
    const type = onlyJson(request.headers.accept) ? "application/json" : JOB_MEDIA_TYPE;
    return { ...answer, headers: { ...answer.headers, "content-type": type } };
  }
  if (job.result === undefined) {
    return failedAnswer(request, job);
  }
  if (onlyJson(request.headers.accept)) {
    return jobAnswer(context, request, created);
  }
  const finished = finishedJob(job, context.clock());
  if (finished === undefined) {
    throw new TypeError("A completed job has no result.");
  }
  const answer = await answerWithFile(context, request, { finished, content });
  const headers = { location: statusPath(job), ...answer.headers, ...jobHeaders(request, job) };
  return { ...answer, headers: { ...headers, ...(replayed && { "idempotent-replayed": "true" }) } };
};

const statusPath = ({ id }: Job): string => `/api/v1/convert/${id}/status`;

const jobHeaders = ({ baseUrl }: Asking, job: Job): Record<string, string> => {
  const warnings = warningsHeader(job.warnings ?? []);
  return {
    "x-job-id": job.id,
    "x-job-url": `${baseUrl}${statusPath(job)}`,
    ...(warnings !== undefined && { "x-job-warnings": warnings }),
  };
};

interface AnsweredFile {
  readonly finished: FinishedJob;
  readonly content: Uint8Array | undefined;
}

/** Lambda returns a small file itself, so that clients need not follow a redirect. */
const answerWithFile = async (
  context: Context,
  request: Asking,
  { finished, content: known }: AnsweredFile,
): Promise<Answer> => {
  const { files } = context;
  const { key, bytes } = finished.result;
  const small = !files.servedByGateway && bytes <= LAMBDA_RESULT_BYTES_MAX;
  const content = known ?? (small ? await contentOf(files, key, bytes) : undefined);
  if (content !== undefined && finished.job.retentionMs !== 0) {
    return contentAnswer(finished, content);
  }
  const signed = await signedResult(context, request, finished);
  await eraseAfter(context, finished, signed);
  return content === undefined
    ? fileAnswer(context, finished, { signed, status: 303 })
    : contentAnswer(finished, content);
};

const contentAnswer = (finished: FinishedJob, bytes: Uint8Array): Answer => ({
  status: 200,
  headers: { ...fileHeaders(finished), ...UNTRUSTED },
  bytes,
});

/** Content of a file must not run as a page of this host. */
const UNTRUSTED = { "content-security-policy": "sandbox; default-src 'none'" } as const;

/** @param bytes the size of the file, which fits into memory */
const contentOf = async (files: Context["files"], key: string, bytes: number): Promise<Uint8Array> => {
  const content = await files.read(key, 0, bytes);
  if (content === undefined) {
    throw new RequestError("expired", "The file of this result was deleted.");
  }
  return buffer(content);
};

/** Seconds until a client may convert the file again. */
const RETRY_AFTER_SECONDS = 5;

/** A cancelled job has no error. */
const CANCELLED = { code: "cancelled", detail: "The job was cancelled." } as const;

const failedAnswer = ({ path, id: requestId }: Asking, { id: jobId, error = CANCELLED }: Job): Answer => {
  const body = jobProblemView({ path, requestId }, { jobId, ...error });
  const headers = {
    "content-type": "application/problem+json",
    ...(body.status >= 500 && { "retry-after": String(RETRY_AFTER_SECONDS) }),
  };
  return { status: body.status, headers, body };
};

const WARNINGS_BYTES_MAX = 4_000;
const WARNING_CHARACTERS_MAX = 500;

/** @returns the first warnings as a JSON array in ASCII, as many as fit into a header; undefined without warnings */
export const warningsHeader = (warnings: readonly Warning[]): string | undefined => {
  const parts: string[] = [];
  let bytes = 2;
  for (const { code, detail } of warnings) {
    const part = asciiJson({ code, detail: detail.slice(0, WARNING_CHARACTERS_MAX) });
    bytes += part.length + 1;
    if (bytes > WARNINGS_BYTES_MAX) {
      break;
    }
    parts.push(part);
  }
  return parts.length === 0 ? undefined : `[${parts.join(",")}]`;
};

const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
