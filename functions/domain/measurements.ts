import { jobErrors } from "./errors/job-errors.ts";
import type { OutageId } from "./errors/resource-errors.ts";
import type { RequestErrorCode } from "./errors.ts";
import { formatOf } from "./formats/formats.ts";
import { furtherUploadsOf, type Job, type JobOutcome } from "./jobs/job.ts";
import type { Measurement } from "./metrics.ts";
import type { PendingUpload, UploadEnd } from "./uploads/upload.ts";
import type { WebhookAttempt, WebhookMessage } from "./webhooks/message.ts";

/** Pure functions that convert events to measurements, which the caller records. Times are milliseconds. */

/**
 * @param request `code` and `outage` of its error, if any
 * @returns the measurements of a completed request
 */
export const requestMeasured = (request: {
  readonly operation: string;
  readonly status: number;
  readonly durationMs: number;
  readonly code?: RequestErrorCode;
  readonly outage?: OutageId;
}): readonly Measurement[] => {
  const { operation, status, durationMs, code, outage } = request;
  return [
    { metric: "requests", labels: { operation, status: statusClass(status) }, value: 1 },
    { metric: "request_seconds", labels: { operation }, value: durationMs / 1_000 },
    ...(code === undefined ? [] : ([{ metric: "request_errors", labels: { code }, value: 1 }] as const)),
    ...(outage === undefined ? [] : outageMeasured(outage)),
  ];
};

/** @returns the measurement of a failure that was caused by the machine's state */
export const outageMeasured = (outage: OutageId): readonly Measurement[] => [
  { metric: "outages", labels: { outage }, value: 1 },
];

const statusClass = (status: number) => (status < 300 ? "2xx" : status < 400 ? "3xx" : status < 500 ? "4xx" : "5xx");

/** @returns the measurements of a job that was just claimed: only the first claim measures the waiting time */
export const claimMeasured = ({ lane, attempt, createdAt }: Job, now: number): readonly Measurement[] =>
  attempt === 1 ? [{ metric: "job_wait_seconds", labels: { lane }, value: Math.max(0, now - createdAt) / 1_000 }] : [];

/**
 * @param claimedAt when the attempt that ended the job started; undefined if it never started
 * @returns the measurements of a job that just ended
 */
export const endMeasured = (
  job: Job,
  outcome: JobOutcome,
  { now, claimedAt }: { readonly now: number; readonly claimedAt?: number },
): readonly Measurement[] => {
  const { lane } = job;
  const [source, target] = [formatOf(job.sourceFormat).family, formatOf(job.targetFormat).family];
  return [
    { metric: "jobs", labels: { lane, source, target, outcome: endOf(outcome) }, value: 1 },
    ...(claimedAt === undefined
      ? []
      : ([{ metric: "conversion_seconds", labels: { lane }, value: Math.max(0, now - claimedAt) / 1_000 }] as const)),
    ...(outcome.status === "completed" ? bytesMeasured(job, outcome.result.bytes) : []),
  ];
};

const endOf = (outcome: JobOutcome) =>
  outcome.status === "failed" ? (`failed_${jobErrors[outcome.error.code].fault}` as const) : outcome.status;

const bytesMeasured = (job: Job, outputBytes: number): readonly Measurement[] => {
  const { lane, inputBytes } = job;
  const read = furtherUploadsOf(job).reduce((sum, input) => sum + input.inputBytes, inputBytes);
  return [
    { metric: "job_input_bytes", labels: { lane }, value: read },
    { metric: "job_output_bytes", labels: { lane }, value: outputBytes },
  ];
};

/** @returns the measurements of an upload that was sent in its request */
export const uploadMeasured = (bytes: number): readonly Measurement[] => [
  { metric: "uploads", labels: { way: "request", outcome: "ready" }, value: 1 },
  { metric: "upload_bytes", labels: { way: "request" }, value: bytes },
];

/** @param fault the cause, if the upload failed */
export const importMeasured = (
  { source: { kind: way } }: PendingUpload,
  end: UploadEnd,
  fault: "input" | "service",
): readonly Measurement[] =>
  end.status === "failed"
    ? [{ metric: "uploads", labels: { way, outcome: `failed_${fault}` }, value: 1 }]
    : [
        { metric: "uploads", labels: { way, outcome: "ready" }, value: 1 },
        { metric: "upload_bytes", labels: { way }, value: end.bytes },
      ];

/** @returns the measurements of a webhook delivery attempt, after which the message is `next` */
export const attemptMeasured = (
  { durationMs }: WebhookAttempt,
  { status }: Pick<WebhookMessage, "status">,
): readonly Measurement[] => {
  const outcome = ({ delivered: "delivered", pending: "retried", failed: "given_up" } as const)[status];
  return [
    { metric: "webhook_attempts", labels: { outcome }, value: 1 },
    { metric: "webhook_seconds", labels: {}, value: durationMs / 1_000 },
  ];
};
