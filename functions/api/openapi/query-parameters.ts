import { PAGE_ITEMS_DEFAULT, PAGE_ITEMS_MAX } from "../../domain/limits.ts";
import { type Parameter, text } from "./parameter.ts";

/** Parameters of lists and of other requests. */
export const queryParameters = {
  ofEndpoint: {
    name: "endpoint",
    in: "query",
    description:
      "Only messages to this endpoint. `default`: to the webhook URLs of the account and its jobs. A page can then have fewer messages than `limit`.",
    schema: text,
    example: "whe_00GxPqjL0a1b2c3d4e5f6g",
  },
  requested: {
    in: "query",
    description: "`true`: only accounts that request a plan.",
    schema: { type: "string", enum: ["true"] },
    example: "true",
  },
  after_account: {
    name: "after",
    in: "query",
    description: "`next` of the previous page. Default: the first page.",
    schema: text,
    example: "acc_00GxPqjL0a1b2c3d4e5f6g",
  },
  limit: {
    in: "query",
    description: "Items per page.",
    schema: { type: "integer", minimum: 1, maximum: PAGE_ITEMS_MAX, default: PAGE_ITEMS_DEFAULT },
    example: 50,
  },
  after: {
    in: "query",
    description: "`next` of the previous page. Default: the first page.",
    schema: text,
    example: "job_00GxPqjL0a1b2c3d4e5f6g",
  },
  status: {
    in: "query",
    description: "Only jobs with this status.",
    schema: { type: "string", enum: ["queued", "processing", "completed", "failed", "cancelled", "expired"] },
    example: "failed",
  },
  source_format: {
    in: "query",
    description: "Only jobs from this format: ID, extension or media type.",
    schema: text,
    example: "heic",
  },
  target_format: {
    in: "query",
    description: "Only jobs to this format: ID, extension or media type.",
    schema: text,
    example: "jpg",
  },
  key_id: {
    in: "query",
    description: "Only jobs or requests of this API key: its `id`.",
    schema: text,
    example: "key_00GxPqjL0a1b2c3d4e5f6g",
  },
  listed_job: {
    name: "job_id",
    in: "query",
    description: "Only this job, or requests that created or named it: its `id`.",
    schema: text,
    example: "job_00GxPqjL0a1b2c3d4e5f6g",
  },
  operation: {
    in: "query",
    description: "Only requests of this operation: its `operationId` in this document.",
    schema: { type: "string", maxLength: 64 },
    example: "createJob",
  },
  request_id: {
    in: "query",
    description: "Only the request with this request ID: `X-Request-Id` of its response.",
    schema: { type: "string", maxLength: 128 },
    example: "4f5f9c0e-1c7b-4e57-9a39-0b6c2f6a7d11",
  },
  version: {
    name: "If-None-Match",
    in: "header",
    description: "The `ETag` of the client's version. The response is 304 if nothing has changed.",
    schema: text,
    example: '"5f1c3a0e9b7d24685f1c3a0e9b7d2468"',
  },
  lastEventId: {
    name: "Last-Event-ID",
    in: "header",
    description: "The `id` of the last received event, so that it is not sent again.",
    schema: text,
    example: "5f1c3a0e9b7d24685f1c3a0e9b7d2468",
  },
  source: {
    in: "query",
    description: "Only conversions from this format: ID, extension or media type.",
    schema: text,
    example: "heic",
  },
  target: {
    in: "query",
    description: "Only conversions to this format: ID, extension or media type.",
    schema: text,
    example: "jpg",
  },
  mergeWith: {
    name: "merge_with",
    in: "query",
    description:
      "Formats of further files, separated by commas, in the order of the merge. The response then describes the merge of the source with them.",
    schema: { type: "string", maxLength: 2_000 },
    example: "png,jpg",
  },
  month: {
    in: "query",
    description: "A UTC month, at most two years ago. Default: the current month.",
    schema: { type: "string", pattern: "^\\d{4}-(0[1-9]|1[0-2])$" },
    example: "2026-11",
  },
  stripeSignature: {
    name: "Stripe-Signature",
    in: "header",
    description: "Stripe's signature of the body and the time.",
    schema: text,
    example: "t=1795176000,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
  },
  family: {
    in: "query",
    description: "Only conversions from or to a format of this family.",
    schema: text,
    example: "image",
  },
  engine: {
    in: "query",
    description: "Only conversions that use this engine, as `getHealth` names it.",
    schema: text,
    example: "soffice",
  },
  conversions: {
    in: "query",
    description:
      "Whether to add `conversions`, and the media types and engines of the formats. Large lists are always compressed.",
    schema: { type: "boolean", default: false },
    example: true,
  },
} as const satisfies Record<string, Parameter>;
