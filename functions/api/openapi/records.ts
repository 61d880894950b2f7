import { newDownloadToken, newId, sha256Hex } from "../../domain/ids.ts";
import { filesExpireAt, type Job, newJob, resultKey } from "../../domain/jobs.ts";
import { type PendingUpload, type ReadyUpload, uploadKey } from "../../domain/uploads.ts";
import { afterAttempt, type WebhookMessage, webhookMessageOf } from "../../domain/webhooks.ts";

/** Records as the service keeps them, for the examples of the document: one photograph on its way. */

/** The time of all examples. */
export const EXAMPLE_TIME = Date.UTC(2026, 10, 20, 12);
const SECOND_MS = 1_000;

// Examples are the same in each document, so nothing in them is random.
const fixed = (count: number): Uint8Array => Uint8Array.from({ length: count }, (_, index) => (index * 83 + 41) % 256);

export const accountId = newId("account", EXAMPLE_TIME, fixed);
const uploadId = newId("upload", EXAMPLE_TIME, fixed);
const jobId = newId("job", EXAMPLE_TIME + SECOND_MS, fixed);
const token = newDownloadToken(fixed);
const photograph = { bytes: 2_418_022, sha256: sha256Hex("photograph"), format: "heic" } as const;

const uploadRecord = {
  id: uploadId,
  accountId,
  key: uploadKey(uploadId),
  filename: "holiday.heic",
  createdAt: EXAMPLE_TIME,
  expiresAt: filesExpireAt(EXAMPLE_TIME),
};

export const readyUpload: ReadyUpload = { ...uploadRecord, status: "ready", ...photograph };

/** Bytes of a film that is sent in parts. */
export const filmBytes = 120_000_000;

export const sentUpload = (bytes: number): PendingUpload => ({
  ...uploadRecord,
  filename: bytes === filmBytes ? "film.mov" : uploadRecord.filename,
  status: "pending",
  source: { kind: "sent", bytes },
});

export const fetchedUpload: PendingUpload = {
  ...uploadRecord,
  status: "pending",
  source: { kind: "fetched", url: "https://example.com/holiday.heic", headers: {} },
};

export const failedUpload = {
  ...uploadRecord,
  status: "failed",
  error: { code: "fetch_failed", detail: "The server of the address answered 404." },
} as const;

const queuedJob = newJob({
  id: jobId,
  accountId,
  uploadId,
  inputKey: uploadRecord.key,
  inputBytes: photograph.bytes,
  sourceFormat: "heic",
  targetFormat: "jpg",
  options: { quality: 85 },
  steps: [{ engine: "heif", from: "heic", to: "jpg", options: ["quality"] }],
  fidelity: "lossy",
  lane: "fast",
  filename: "holiday.jpg",
  metadata: { order: "17" },
  webhook: { url: "https://example.com/hooks/anyform", baseUrl: "" },
  quotaMonth: "2026-11",
  createdAt: EXAMPLE_TIME + SECOND_MS,
});

const claimed = {
  status: "processing",
  attempt: 1,
  progress: 40,
  startedAt: queuedJob.createdAt + 35,
} as const satisfies Partial<Job>;
const finishedAt = claimed.startedAt + 412;

export const jobs = {
  queued: queuedJob,
  processing: { ...queuedJob, ...claimed },
  completed: {
    ...queuedJob,
    ...claimed,
    status: "completed",
    progress: 100,
    finishedAt,
    result: {
      key: resultKey(jobId, 1),
      bytes: 912_337,
      mediaType: "image/jpeg",
      sha256: sha256Hex("result"),
      token,
      expiresAt: filesExpireAt(finishedAt),
    },
    timings: [{ engine: "heif", from: "heic", to: "jpg", durationMs: 412 }],
  },
  failed: {
    ...queuedJob,
    ...claimed,
    status: "failed",
    finishedAt,
    error: { code: "source_corrupt", detail: "The file ends before its last picture does." },
  },
  cancelled: { ...queuedJob, status: "cancelled", finishedAt },
} as const satisfies Record<string, Job>;

/** @returns the message that tells of the job's end */
export const messageOf = (job: Job, baseUrl: string): WebhookMessage => {
  const message = webhookMessageOf(
    { ...job, webhook: { url: "https://example.com/hooks/anyform", baseUrl } },
    finishedAt,
  );
  if (message === undefined) {
    throw new TypeError(`A job that is ${job.status} has no message.`);
  }
  const attempt = { at: finishedAt + 20, durationMs: 131, answered: 204 };
  const { dueAt: _, ...rest } = message;
  return { ...rest, ...afterAttempt(message, attempt), attempts: [attempt] };
};
