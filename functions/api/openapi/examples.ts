import { type RequestErrorCode, requestErrors } from "../../domain/errors.ts";
import { jobView } from "../../domain/jobs.ts";
import type { Route } from "../../domain/routes.ts";
import { uploadView } from "../../domain/uploads.ts";
import type * as views from "../../domain/views.ts";
import { secretsView } from "../get-webhook-secret.ts";
import { formatListView } from "../list-formats.ts";
import { webhookView } from "../webhook-view.ts";
import { keyExamples } from "./key-examples.ts";
import { problemExample } from "./problems.ts";
import {
  accountId,
  EXAMPLE_TIME,
  failedUpload,
  fetchedUpload,
  filmBytes,
  jobs,
  messageOf,
  readyUpload,
  sentUpload,
} from "./records.ts";
import type { SchemaName } from "./schemas.ts";
import { signInBodies } from "./sign-in-examples.ts";

/** A body as it may be sent or answered, and the schema that it has. */
export interface Example {
  readonly summary: string;
  readonly schema: SchemaName;
  readonly value: unknown;
}

const targets = { targets: () => ["avif", "jpg", "pdf", "png", "webp"] as const };
const now = EXAMPLE_TIME + 10_000;
const soon = new Date(EXAMPLE_TIME + 3_600_000).toISOString();

/** @returns the examples of the document, made by what makes the answers. A function: nobody else needs them in memory */
const bodies = (baseUrl: string) => {
  const shown = (job: Parameters<typeof jobView>[0]) => jobView(job, baseUrl, now);
  const message = messageOf(jobs.completed, baseUrl);
  const store = `${baseUrl}/files/uploads/${readyUpload.id}`;
  const { bytes, sha256 } = readyUpload;
  return {
    ...signInBodies(),
    directUpload: of("DirectUploadRequest", "A large file", {
      filename: "film.mov",
      size: filmBytes,
      content_type: "video/quicktime",
      sha256,
    }),
    urlUpload: of("UrlUploadRequest", "A file that lies elsewhere", {
      url: "https://example.com/holiday.heic",
      headers: { authorization: "Bearer abc" },
    }),
    uploadReady: of("Upload", "A file that is here", uploadView(readyUpload, targets)),
    uploadInOne: of(
      "Upload",
      "A file that is to be sent in one piece",
      uploadView(sentUpload(bytes), targets, {
        method: "PUT",
        expires_at: soon,
        url: `${store}?signature=…`,
        headers: {},
      }),
    ),
    uploadInParts: of(
      "Upload",
      "A file that is to be sent in parts, the first of which is here",
      uploadView(sentUpload(filmBytes), targets, transferInParts(store)),
    ),
    uploadFetched: of("Upload", "A file that is being fetched", uploadView(fetchedUpload, targets)),
    uploadFailed: of("Upload", "A file that never came", uploadView(failedUpload, targets)),
    conversion: of("ConversionRequest", "A photograph, with options", {
      upload_id: readyUpload.id,
      target_format: "jpg",
      options: { quality: 85 },
      webhook_url: "https://example.com/hooks/anyform",
      metadata: { order: "17" },
    }),
    merge: of("ConversionRequest", "Several pictures, to become one PDF", {
      upload_ids: [readyUpload.id, readyUpload.id.replace(/.$/, "h")],
      target_format: "pdf",
      filename: "receipts.pdf",
    }),
    jobQueued: of("Job", "A job that was accepted", shown(jobs.queued)),
    jobProcessing: of("Job", "A job that is under way", shown(jobs.processing)),
    jobCompleted: of("Job", "A job that is completed", shown(jobs.completed)),
    jobFailed: of("Job", "A job that failed", shown(jobs.failed)),
    jobCancelled: of("Job", "A job that was cancelled", shown(jobs.cancelled)),
    jobExpired: of("Job", "A job whose file is gone", jobView(jobs.completed, baseUrl, readyUpload.expiresAt * 2)),
    jobList: of("JobList", "The last page", { jobs: [shown(jobs.completed)], next: null }),
    batchRequest: of("BatchRequest", "Two targets of one file", {
      conversions: ["jpg", "mp3"].map((target_format) => ({ upload_id: readyUpload.id, target_format })),
    }),
    batch: of("Batch", "One accepted, one refused", {
      items: [
        { status: 202, job: shown(jobs.queued), problem: null },
        { status: 422, job: null, problem: problemExample("unsupported_conversion", baseUrl) },
      ],
    } satisfies views.BatchView),
    account: of("Account", "An account of the plan `api`", account),
    webhook: of(
      "Webhook",
      "A message that is to be sent again",
      webhookView({ ...message, status: "pending", dueAt: now }),
    ),
    webhookList: of("WebhookList", "The last page", { messages: [webhookView(message)], next: null }),
    webhookSecrets: of("WebhookSecrets", "One that was replaced, and the new one", secretsView(secrets, now)),
    webhookCompleted: of("WebhookEvent", "A completed job", eventOf(messageOf(jobs.completed, baseUrl).body)),
    webhookFailed: of("WebhookEvent", "A failed job", eventOf(messageOf(jobs.failed, baseUrl).body)),
    webhookCancelled: of("WebhookEvent", "A cancelled job", eventOf(messageOf(jobs.cancelled, baseUrl).body)),
    download: of("Download", "Where a photograph is", downloadOf(baseUrl)),
    formatList: of("FormatList", "`?source=heic&target=jpg`", formatListView({ all: [route] }, {})),
    health: of("Health", "It answers", { status: "ok", engines: { sharp: "0.35.5" } }),
    ...keyExamples(),
  };
};

export type ExampleName = keyof ReturnType<typeof bodies>;

/** @returns all examples by name: of bodies, and of each error by its code */
export const examplesAt = (baseUrl: string): Record<ExampleName | RequestErrorCode, Example> => ({
  ...problemsAt(baseUrl),
  ...bodies(baseUrl),
});

const problemsAt = (baseUrl: string): Record<RequestErrorCode, Example> => {
  const codes = Object.keys(requestErrors) as RequestErrorCode[];
  const entries = codes.map((code) => [code, of("Problem", requestErrors[code].title, problemExample(code, baseUrl))]);
  return Object.fromEntries(entries);
};

const of = (schema: SchemaName, summary: string, value: unknown): Example => ({ schema, summary, value });

const eventOf = (body: string): unknown => JSON.parse(body);

const transferInParts = (store: string): views.TransferView => {
  const part = (number: number, size: number) => ({
    number,
    offset: (number - 1) * 50_000_000,
    size,
    url: `${store}?part=${number}&signature=…`,
    headers: {},
    received: number === 1,
  });
  const parts = [part(1, 50_000_000), part(2, 50_000_000), part(3, 20_000_000)];
  return { method: "PUT", expires_at: soon, parts };
};

const account: views.AccountView = {
  id: accountId,
  plan: "api",
  quota: {
    limit: 5_000,
    used: 128,
    remaining: 4_872,
    resets_at: "2026-12-01T00:00:00.000Z",
    requests_per_second: 20,
  },
  retention_hours: 24,
};

const secrets = [
  { secret: "whsec_bmV3IG5ldyBuZXcgbmV3IG5ldyBuZXc=", createdAt: EXAMPLE_TIME },
  {
    secret: "whsec_b2xkIG9sZCBvbGQgb2xkIG9sZCBvbGQ=",
    createdAt: EXAMPLE_TIME - 1e10,
    expiresAt: EXAMPLE_TIME + 86_400_000,
  },
];

const downloadOf = (baseUrl: string): views.DownloadView => {
  const { bytes, sha256, key } = jobs.completed.result;
  const url = `${baseUrl}/files/${key}?signature=…`;
  return { url, expires_at: soon, filename: jobs.completed.filename, size: bytes, sha256 };
};

const route: Route = {
  from: "heic",
  to: "jpg",
  steps: jobs.queued.steps,
  fidelity: "lossy",
  drops: ["frames"],
  options: ["quality"],
  lane: "fast",
  inputBytesMax: 500_000_000,
  merges: false,
};
