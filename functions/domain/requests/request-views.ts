import * as z from "zod/mini";
import { described } from "../conversions/options/described.ts";
import { count, flag, id, next, orNull, text, time } from "../fields.ts";
import { timestamp } from "../times.ts";
import type { LoggedRequest } from "./logged-request.ts";

/** Requests in the log as the API returns them. */

export const loggedRequestSchema = described(
  z.strictObject({
    id: id("req", "ID of the log entry."),
    request_id: text("The request ID of the response: `X-Request-Id`."),
    created_at: time("When the request arrived."),
    key_id: orNull(text("ID of the API key. Null for requests of the dashboard.")),
    operation: text("ID of the operation, such as `createJob`."),
    method: text("The HTTP method."),
    path: text("The path, without its query and download tokens."),
    status: described(z.int(), "The HTTP status of the response."),
    error_code: orNull(text("The error code of the response.")),
    duration_ms: count("Milliseconds until the response was ready."),
    bytes_in: orNull(count("Bytes of the request's body. Null if it was sent without its length.")),
    bytes_out: orNull(count("Bytes of the response's body. Null if it was streamed.")),
    job_id: orNull(id("job", "The job that the request created or named.")),
  }),
  "A request in the log.",
);

export const requestListSchema = described(
  z.strictObject({ requests: described(z.array(loggedRequestSchema), "Requests, newest first."), next: next() }),
  "A page of requests.",
);

export const requestDetailSchema = described(
  z.extend(loggedRequestSchema, {
    body: orNull(
      text(
        "The JSON body of the response without secrets, or its start. Null if the response was a file, or had no body.",
      ),
    ),
    body_truncated: flag("Whether parts of the body are missing."),
  }),
  "A request in the log, with the body of its response.",
);

export type RequestView = z.infer<typeof loggedRequestSchema>;
export type RequestDetailView = z.infer<typeof requestDetailSchema>;

export const requestView = (entry: LoggedRequest): RequestView => ({
  id: entry.id,
  request_id: entry.requestId,
  created_at: timestamp(entry.at),
  key_id: entry.keyId ?? null,
  operation: entry.operation,
  method: entry.method,
  path: entry.path,
  status: entry.status,
  error_code: entry.code ?? null,
  duration_ms: Math.round(entry.durationMs),
  bytes_in: entry.bytesIn ?? null,
  bytes_out: entry.bytesOut ?? null,
  job_id: entry.jobId ?? null,
});

export const requestDetailView = (entry: LoggedRequest): RequestDetailView => ({
  ...requestView(entry),
  body: entry.body?.text ?? null,
  body_truncated: entry.body?.truncated ?? false,
});
