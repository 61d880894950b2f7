import { randomBytes } from "node:crypto";
import { type ApiKey, hashApiKey, newApiKey } from "../../../functions/domain/accounts/keys.ts";
import type { Account } from "../../../functions/domain/accounts/plans.ts";
import { dayOf, monthOf, type QuotaClaim } from "../../../functions/domain/accounts/quotas.ts";
import { newDownloadToken, newId, sha256Hex } from "../../../functions/domain/ids.ts";
import { filesExpireAt, type Job, type JobOutcome, newJob, resultKey } from "../../../functions/domain/jobs/job.ts";
import { IDEMPOTENCY_RETENTION_MS, RECORD_RETENTION_MS } from "../../../functions/domain/limits.ts";
import type { Pipeline } from "../../../functions/domain/pipelines/pipeline.ts";
import type { IdempotencyClaim } from "../../../functions/domain/ports.ts";
import {
  type FetchedSource,
  type PendingUpload,
  type ReadyUpload,
  type SentSource,
  uploadKey,
} from "../../../functions/domain/uploads/upload.ts";
import type { WebhookEndpoint } from "../../../functions/domain/webhooks/endpoint.ts";
import { newWebhookSecret, type WebhookMessage } from "../../../functions/domain/webhooks/message.ts";

/** Records as the service creates them, with new IDs; tests can override properties. */

/** The default time of all records: 2026-11-20T12:00:00Z. */
export const NOW = Date.UTC(2026, 10, 20, 12);

export const accountRecord = (overrides: Partial<Account> = {}): Account => {
  const id = newId("account", NOW, randomBytes);
  return { id, email: `${id}@example.com`, plan: "free", createdAt: NOW, ...overrides };
};

export const keyRecord = (overrides: Partial<ApiKey> = {}): ApiKey => ({
  id: newId("key", NOW, randomBytes),
  accountId: newId("account", NOW, randomBytes),
  ...hashApiKey(newApiKey(randomBytes)),
  name: "laptop",
  createdAt: NOW,
  ...overrides,
});

export const endpointRecord = (overrides: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  id: newId("endpoint", NOW, randomBytes),
  url: "https://example.com/endpoint",
  events: ["job.failed", "quota.warning", "quota.reached"],
  enabled: true,
  secrets: [{ secret: newWebhookSecret(randomBytes), createdAt: NOW }],
  createdAt: NOW,
  ...overrides,
});

export const uploadRecord = (overrides: Partial<ReadyUpload> = {}): ReadyUpload => {
  const id = overrides.id ?? newId("upload", NOW, randomBytes);
  return {
    id,
    accountId: newId("account", NOW, randomBytes),
    key: uploadKey(id),
    filename: "Müller & Söhne.png",
    status: "ready",
    bytes: 1_234,
    sha256: sha256Hex(id),
    format: "png",
    createdAt: NOW,
    expiresAt: filesExpireAt(NOW),
    ...overrides,
  };
};

const pendingRecord = <Source>(source: Source): Omit<PendingUpload, "source"> & { source: Source } => {
  const { bytes: _, sha256: __, format: ___, ...upload } = uploadRecord();
  return { ...upload, status: "pending", source };
};

/** An upload that the client sends in parts. */
export const sentRecord = (overrides: Partial<SentSource> = {}): PendingUpload & { source: SentSource } =>
  pendingRecord({ kind: "sent", bytes: 120, sha256: "ab", parts: { bytes: 50, transfer: "t-1" }, ...overrides });

/** An upload that the service imports by URL. */
export const fetchedRecord = (): PendingUpload & { source: FetchedSource } =>
  pendingRecord({ kind: "fetched", url: "https://example.com/ä.png?a=1", headers: { authorization: "Basic x" } });

/** A webhook message without attempts. */
export const webhookRecord = (overrides: Partial<WebhookMessage> = {}): WebhookMessage => ({
  id: newId("webhook", NOW, randomBytes),
  accountId: newId("account", NOW, randomBytes),
  jobId: newId("job", NOW, randomBytes),
  type: "job.completed",
  url: "https://example.com/hook",
  body: '{"type":"job.completed"}',
  status: "pending",
  attempts: [],
  createdAt: NOW,
  dueAt: NOW,
  recordExpiresAt: NOW + RECORD_RETENTION_MS,
  ...overrides,
});

/** A job that has just been accepted. */
export const jobRecord = (overrides: Partial<Job> = {}): Job => {
  const uploadId = overrides.uploadId ?? newId("upload", NOW, randomBytes);
  const job = newJob({
    id: newId("job", NOW, randomBytes),
    accountId: newId("account", NOW, randomBytes),
    uploadId,
    inputKey: uploadKey(uploadId),
    inputBytes: 1_234,
    sourceFormat: "png",
    targetFormat: "webp",
    options: { quality: 80, fit: "inside" },
    steps: [{ engine: "sharp", from: "png", to: "webp", options: ["quality", "fit"] }],
    fidelity: "lossy",
    lane: "fast",
    filename: "Müller & Söhne.webp",
    metadata: { order: "№ 17", empty: "" },
    quotaMonth: monthOf(overrides.createdAt ?? NOW),
    createdAt: NOW,
  });
  return { ...job, ...overrides };
};

/** A pipeline of two steps, of which the second reads the result of the first, with its jobs. */
export const pipelineRecord = (overrides: Partial<Pipeline> = {}): { pipeline: Pipeline; jobs: [Job, Job] } => {
  const id = overrides.id ?? newId("pipeline", NOW, randomBytes);
  const accountId = overrides.accountId ?? newId("account", NOW, randomBytes);
  const first = jobRecord({ accountId, pipelineId: id, intermediate: true, quotaMonth: "" });
  const second = jobRecord({
    accountId,
    pipelineId: id,
    waits: true,
    uploadId: first.uploadId,
    inputKey: "",
    inputBytes: 0,
    sourceFormat: "webp",
    targetFormat: "jpg",
    steps: [{ engine: "sharp", from: "webp", to: "jpg", options: ["quality"] }],
  });
  const accepts = { inputBytesMax: 10_000, lane: "fast" } as const;
  const steps = [
    { name: "small", operation: "convert", jobId: first.id, from: ["photo"], isResult: false, accepts },
    { name: "jpeg", operation: "convert", jobId: second.id, from: ["small"], isResult: true, accepts },
  ] as const;
  const pipeline: Pipeline = {
    id,
    accountId,
    steps,
    inputs: { photo: first.uploadId },
    createdAt: NOW,
    recordExpiresAt: NOW + RECORD_RETENTION_MS,
    ...overrides,
  };
  return { pipeline, jobs: [first, second] };
};

/** The quota claim of one request in the month of the record. */
export const quotaRecord = (accountId: string, limit: number, month: string = monthOf(NOW)): QuotaClaim => ({
  accountId,
  month,
  day: dayOf(NOW),
  kind: "convert",
  limit,
});

export const idempotencyRecord = (overrides: Partial<IdempotencyClaim> = {}): IdempotencyClaim => {
  const key = newId("key", NOW, randomBytes);
  return { key, requestHash: sha256Hex(key), expiresAt: NOW + IDEMPOTENCY_RETENTION_MS, ...overrides };
};

/** The outcome of an attempt that created a file. */
export const completedOutcome = (jobId: string, attempt: number, now: number = NOW) =>
  ({
    status: "completed",
    result: {
      key: resultKey(jobId, attempt),
      bytes: 4_321,
      mediaType: "image/webp",
      sha256: sha256Hex(jobId),
      token: newDownloadToken(randomBytes),
      expiresAt: filesExpireAt(now),
    },
    timings: [{ engine: "sharp", from: "png", to: "webp", durationMs: 12 }],
    warnings: [{ code: "metadata_lost", detail: "The location was left out." }],
  }) as const satisfies JobOutcome;

/** The outcome of an attempt that failed through our fault (`givesBack`) or the client's. */
export const failedRecord = (givesBack: boolean) =>
  ({
    status: "failed",
    error: givesBack
      ? { code: "engine_crashed", detail: "The converter crashed." }
      : { code: "source_corrupt", detail: "The file ends in the middle." },
    givesBack,
  }) as const satisfies JobOutcome;
