import * as z from "zod/mini";
import { jobErrors, requestErrors } from "./errors.ts";

/** The answers of the API as schemas. The OpenAPI document and the types of the answers are both made from them. */

const time = z.iso.datetime();
const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const bytes = z.int().check(z.minimum(0));
const codeOf = <T extends Record<string, unknown>>(table: T) => z.enum(Object.keys(table) as [keyof T & string]);
const fidelity = z.enum(["lossless", "lossy", "content_only"]);

export const uploadSchema = z.strictObject({
  upload_id: z.string().check(z.regex(/^upl_/)),
  status: z.enum(["ready"]),
  filename: z.string(),
  size: bytes,
  sha256,
  format: z.string(),
  media_type: z.string(),
  targets: z.array(z.string()),
  created_at: time,
  expires_at: time,
});

const resultSchema = z.strictObject({
  filename: z.string(),
  size: bytes,
  media_type: z.string(),
  sha256,
  download_token: z.string().check(z.regex(/^dl_/)),
  download_url: z.string(),
  expires_at: time,
});

export const jobSchema = z.strictObject({
  id: z.string().check(z.regex(/^job_/)),
  status: z.enum(["queued", "processing", "completed", "failed", "cancelled", "expired"]),
  progress: z.int().check(z.minimum(0), z.maximum(100)),
  upload_id: z.string().check(z.regex(/^upl_/)),
  source_format: z.string(),
  target_format: z.string(),
  options: z.record(z.string(), z.unknown()),
  steps: z.array(
    z.strictObject({ engine: z.string(), from: z.string(), to: z.string(), duration_ms: z.nullable(z.int()) }),
  ),
  fidelity,
  metadata: z.record(z.string(), z.string()),
  created_at: time,
  started_at: z.nullable(time),
  finished_at: z.nullable(time),
  expires_at: z.nullable(time),
  result: z.nullable(resultSchema),
  warnings: z.array(z.strictObject({ code: z.string(), detail: z.string() })),
  error: z.nullable(
    z.strictObject({ code: codeOf(jobErrors), title: z.string(), detail: z.string(), retryable: z.boolean() }),
  ),
});

export const downloadSchema = z.strictObject({
  url: z.string(),
  expires_at: time,
  filename: z.string(),
  size: bytes,
  sha256,
});

export const formatListSchema = z.strictObject({
  formats: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      family: z.string(),
      extensions: z.array(z.string()),
      media_types: z.array(z.string()),
      readable: z.boolean(),
      writable: z.boolean(),
    }),
  ),
  conversions: z.array(
    z.strictObject({
      source: z.string(),
      target: z.string(),
      fidelity,
      steps: z.array(z.strictObject({ engine: z.string(), from: z.string(), to: z.string() })),
      drops: z.array(z.string()),
      options: z.record(z.string(), z.unknown()),
      merges: z.boolean(),
      max_bytes: bytes,
    }),
  ),
});

export const healthSchema = z.strictObject({ status: z.enum(["ok"]), engines: z.record(z.string(), z.string()) });

export const problemSchema = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.string(),
  code: codeOf(requestErrors),
  request_id: z.string(),
  retryable: z.boolean(),
  errors: z.optional(z.array(z.strictObject({ pointer: z.string(), code: z.string(), detail: z.string() }))),
  supported_targets: z.optional(z.array(z.string())),
});

export type UploadView = z.infer<typeof uploadSchema>;
export type JobView = z.infer<typeof jobSchema>;
export type DownloadView = z.infer<typeof downloadSchema>;
export type FormatListView = z.infer<typeof formatListSchema>;
export type ProblemView = z.infer<typeof problemSchema>;
