import { RequestError, type RequestErrorCode, type RequestErrorExtra } from "../../domain/errors.ts";
import { problemView } from "../../domain/problem.ts";
import { burstExceeded, quotaExceeded } from "../../domain/quotas.ts";
import type { ProblemView } from "../../domain/views.ts";
import { accountId, EXAMPLE_TIME } from "./records.ts";

/** An example of each error of a request. */

interface Example {
  readonly path: string;
  readonly detail: string;
  readonly extra?: RequestErrorExtra;
}

const upload = "/api/v1/upload";
const convert = "/api/v1/convert";
const account = "/api/v1/account";
const session = "/api/v1/session";

const quality = "Too big: expected number to be <=100";
const month = { accountId, month: "2026-11", limit: 5_000 };

const examples: Readonly<Record<RequestErrorCode, Example>> = {
  malformed_json: { path: convert, detail: "The body is not valid JSON: Unexpected end of JSON input." },
  malformed_multipart: { path: upload, detail: "The body broke off before its end." },
  invalid_request: {
    path: convert,
    detail: "The body does not fit: see /target_format.",
    extra: { errors: [{ pointer: "/target_format", code: "invalid_type", detail: "Invalid input: expected string" }] },
  },
  missing_api_key: { path: account, detail: "Send the header `Authorization: Bearer <API_KEY>`." },
  invalid_api_key: { path: account, detail: "This API key is unknown or has been revoked." },
  expired_api_key: { path: account, detail: "This API key expired at 2026-11-20T12:00:00.000Z." },
  missing_session: {
    path: session,
    detail: "Nobody is signed in here, or the session has ended. Sign in again.",
  },
  cross_site: {
    path: session,
    detail: "A request by cookie must come from a page of https://example.com; a program uses an API key instead.",
  },
  wrong_code: {
    path: session,
    detail:
      "This code does not sign you in. These are not the digits that were sent; tries left: 4. You can have a new one sent.",
  },
  passkey_refused: {
    path: `${session}/passkey`,
    detail: "The challenge was answered before, or is too old. Begin again.",
  },
  forbidden_scope: { path: convert, detail: "This API key may read, download; this operation needs convert." },
  not_found: { path: `${convert}/job_1/status`, detail: "There is no job job_1." },
  method_not_allowed: { path: account, detail: "Use GET here." },
  upload_incomplete: { path: convert, detail: "The upload upl_00GxPqjL0a1b2c3d4e5f6g is not complete yet." },
  idempotency_conflict: {
    path: upload,
    detail: "The first request with this Idempotency-Key is still under way. Send this one again in a moment.",
  },
  limit_reached: { path: "/api/v1/keys", detail: "An account has at most 50 keys. Revoke one that is not used." },
  expired: { path: convert, detail: "The upload upl_00GxPqjL0a1b2c3d4e5f6g expired at 2026-11-20T12:00:00.000Z." },
  payload_too_large: { path: upload, detail: "A file that is sent this way may have at most 4500000 bytes." },
  unsupported_media_type: { path: convert, detail: "Send application/json here, not text/plain." },
  unsupported_conversion: {
    path: convert,
    detail: "A mp3 file cannot be converted into pdf. It can be converted into flac, ogg, wav.",
    extra: { supported_targets: ["flac", "ogg", "wav"] },
  },
  invalid_options: {
    path: convert,
    detail: "The options do not fit: see /options/quality.",
    extra: { errors: [{ pointer: "/options/quality", code: "too_big", detail: quality }] },
  },
  idempotency_mismatch: {
    path: convert,
    detail: "This Idempotency-Key was used with another request in the last 24 hours.",
  },
  unrecognised_format: {
    path: upload,
    detail: "The bytes of this file are of no format that is known here; GET /api/v1/formats lists those that are.",
  },
  rate_limited: { path: convert, detail: burstExceeded(20).message },
  quota_exceeded: { path: convert, detail: quotaExceeded(month, EXAMPLE_TIME).message },
  internal_error: {
    path: convert,
    detail: "The request failed on our side; the request id helps us to find out why.",
  },
  not_offered: {
    path: "/api/v1/session/billing",
    detail: "No payment service is set up here; plans are asked of the operator.",
  },
  temporarily_unavailable: { path: convert, detail: "Too many requests write at once. Try again in a moment." },
};

/** @returns the problem that stands for the code */
export const problemExample = (code: RequestErrorCode, baseUrl: string): ProblemView => {
  const { path, detail, extra } = examples[code];
  const place = { baseUrl, path, requestId: "4f5f9c0e-1c7b-4e57-9a39-0b6c2f6a7d11" };
  return problemView(place, new RequestError(code, detail, extra));
};
