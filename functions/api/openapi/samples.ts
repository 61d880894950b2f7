import type { RequestErrorCode } from "../../domain/errors.ts";
import type { Storage } from "../../domain/exports/storage.ts";
import { newDownloadToken, sha256Hex } from "../../domain/ids.ts";
import { filesExpireAt, type Job, newJob, resultKey } from "../../domain/jobs/job.ts";
import type { LoggedRequest } from "../../domain/requests/logged-request.ts";
import { requestEntry } from "../../domain/requests/request-entry.ts";
import { timestamp } from "../../domain/times.ts";
import { type PendingUpload, type ReadyUpload, uploadKey } from "../../domain/uploads/upload.ts";
import type { WebhookEndpoint } from "../../domain/webhooks/endpoint.ts";
import { afterAttempt, type WebhookMessage } from "../../domain/webhooks/message.ts";
import { webhookMessagesOf } from "../../domain/webhooks/webhook.ts";
import { problemExample } from "./problems.ts";
import { accountId, EXAMPLE_TIME, sampleId, sampleRandom } from "./sample-ids.ts";
import { samplePeople } from "./sample-people.ts";
import { samplePipelines, samplePreset } from "./sample-pipelines.ts";

/** Stored records from which operations build their examples: the conversion of one photo. */

const SECOND_MS = 1_000;

const uploadId = sampleId("upload", EXAMPLE_TIME);
const jobId = sampleId("job", EXAMPLE_TIME + SECOND_MS);
const token = newDownloadToken(sampleRandom);
const photo = { bytes: 2_418_022, sha256: sha256Hex("photograph"), format: "heic" } as const;

const uploadRecord = {
  id: uploadId,
  accountId,
  key: uploadKey(uploadId),
  filename: "holiday.heic",
  createdAt: EXAMPLE_TIME,
  expiresAt: filesExpireAt(EXAMPLE_TIME),
};

const readyUpload: ReadyUpload = { ...uploadRecord, status: "ready", ...photo };

/** Bytes of a video that is sent in parts. */
const videoBytes = 120_000_000;

const sentUpload = (bytes: number): PendingUpload => ({
  ...uploadRecord,
  filename: bytes === videoBytes ? "film.mov" : uploadRecord.filename,
  status: "pending",
  source: { kind: "sent", bytes },
});

const fetchedUpload: PendingUpload = {
  ...uploadRecord,
  status: "pending",
  source: { kind: "fetched", url: "https://example.com/holiday.heic", headers: {} },
};

const failedUpload = {
  ...uploadRecord,
  status: "failed",
  error: { code: "fetch_failed", detail: "The server returned status 404." },
} as const;

const queuedJob = newJob({
  id: jobId,
  accountId,
  uploadId,
  inputKey: uploadRecord.key,
  inputBytes: photo.bytes,
  sourceFilename: uploadRecord.filename,
  keyId: sampleId("key", EXAMPLE_TIME),
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

const jobs = {
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
    error: { code: "source_corrupt", detail: "The file is truncated." },
  },
  cancelled: { ...queuedJob, status: "cancelled", finishedAt },
} as const satisfies Record<string, Job>;

const sampleStorage: Storage = {
  accountId,
  name: "archive",
  place: { type: "s3", endpoint: "https://objects.example.com", region: "eu-central-1", bucket: "results" },
  sealed: "",
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
};

const loggedRequest: LoggedRequest = requestEntry(
  {
    accountId,
    keyId: sampleId("key", EXAMPLE_TIME),
    at: EXAMPLE_TIME,
    requestId: "4f5f9c0e-1c7b-4e57-9a39-0b6c2f6a7d11",
    operation: "createJob",
    method: "POST",
    path: "/api/v1/convert",
    status: 422,
    body: problemExample("unsupported_conversion"),
    durationMs: 3,
    bytesIn: 81,
    bytesOut: 412,
  },
  sampleRandom,
);
const endpoint: WebhookEndpoint = {
  id: sampleId("endpoint", EXAMPLE_TIME),
  url: "https://example.com/hooks/on-call",
  description: "On-call channel",
  events: ["job.failed", "pipeline.failed", "quota.warning", "quota.reached"],
  enabled: true,
  secrets: [{ secret: "whsec_bmV3IG5ldyBuZXcgbmV3IG5ldyBuZXc=", createdAt: EXAMPLE_TIME }],
  createdAt: EXAMPLE_TIME,
};

/** @returns the webhook message about the end of the job */
const messageOf = (job: Job, baseUrl: string): WebhookMessage => {
  const [message] = webhookMessagesOf(
    { ...job, webhook: { url: "https://example.com/hooks/anyform", baseUrl } },
    finishedAt,
  );
  if (message === undefined) {
    throw new TypeError(`A ${job.status} job has no message.`);
  }
  const attempt = { at: finishedAt + 20, durationMs: 131, answered: 204 };
  const { dueAt: _, ...rest } = message;
  return { ...rest, ...afterAttempt(message, attempt), attempts: [attempt] };
};

/**
 * @param baseUrl the base URL by which the client reached the service
 * @returns the input for examples; deterministic
 */
export const samplesAt = (baseUrl: string) => ({
  baseUrl,
  accountId,
  time: EXAMPLE_TIME,
  /** Shortly after the end of the job. */
  now: EXAMPLE_TIME + 10_000,
  soon: timestamp(EXAMPLE_TIME + 3_600_000),
  targets: { targets: () => ["avif", "jpg", "pdf", "png", "webp"] as const },
  uploads: { ready: readyUpload, failed: failedUpload, fetched: fetchedUpload, sent: sentUpload, videoBytes },
  jobs,
  sampleStorage,
  loggedRequest,
  endpoint,
  pipelines: samplePipelines(sampleId("pipeline", EXAMPLE_TIME + SECOND_MS), jobs),
  preset: samplePreset,
  messageOf: (job: Job) => messageOf(job, baseUrl),
  problem: (code: RequestErrorCode) => problemExample(code),
  ...samplePeople,
});

export type Samples = ReturnType<typeof samplesAt>;
