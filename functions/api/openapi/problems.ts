import { burstExceeded, keyQuotaExceeded, quotaExceeded } from "../../domain/accounts/quotas.ts";
import { problemView } from "../../domain/errors/problem.ts";
import type { ProblemView } from "../../domain/errors/problem-view.ts";
import { RequestError, type RequestErrorCode, type RequestErrorExtra } from "../../domain/errors.ts";
import { accountId, EXAMPLE_TIME } from "./sample-ids.ts";

/** An example of each request error. */

interface ProblemSample {
  readonly path: string;
  readonly detail: string;
  readonly extra?: RequestErrorExtra;
}

const upload = "/api/v1/upload";
const convert = "/api/v1/convert";
const account = "/api/v1/account";
const session = "/api/v1/session";

const quality = "`quality` must be an integer from 1 to 100.";
const target = "`target_format` is required. It must be a string of 1 to 100 characters.";
const month = { accountId, month: "2026-11", limit: 5_000 };

const examples: Readonly<Record<RequestErrorCode, ProblemSample>> = {
  malformed_json: { path: convert, detail: "The body is not valid JSON: Unexpected end of JSON input." },
  malformed_multipart: { path: upload, detail: "The body is truncated." },
  invalid_request: {
    path: convert,
    detail: `Invalid request body. ${target}`,
    extra: { errors: [{ pointer: "/target_format", code: "invalid_type", detail: target }] },
  },
  missing_api_key: { path: account, detail: "Send your API key in the header `Authorization: Bearer <API_KEY>`." },
  invalid_api_key: { path: account, detail: "This API key is unknown or has been revoked." },
  expired_api_key: { path: account, detail: "This API key expired at 2026-11-20T12:00:00.000Z." },
  missing_session: {
    path: session,
    detail: "Not signed in, or the session has ended. Sign in again.",
  },
  cross_site: {
    path: session,
    detail: "Requests with a session cookie must come from a page of https://example.com. Programs use an API key.",
  },
  email_taken: { path: `${session}/email`, detail: "Another account has the address ada@example.com." },
  subscription_active: {
    path: `${session}/account`,
    detail: "Cancel the subscription first. The account can be deleted when it has ended.",
  },
  wrong_code: {
    path: session,
    detail: "Wrong code. 4 attempts left.",
  },
  forbidden_role: { path: "/api/v1/keys", detail: "This requires the role owner or developer; you are billing." },
  owner_required: {
    path: "/api/v1/session/members/mem_00GxPqjL0a1b2c3d4e5f6g",
    detail: "The account's own address stays an owner. Change the address first.",
  },
  invitation_refused: {
    path: "/api/v1/session/invitation",
    detail: "The invitation has expired, was withdrawn, or was already used.",
  },
  identity_refused: {
    path: "/api/v1/session/oidc",
    detail: "The sign-in has expired or was already used. Start again.",
  },
  passkey_refused: {
    path: `${session}/passkey`,
    detail: "The challenge has expired or was already used. Start again.",
  },
  forbidden_scope: {
    path: convert,
    detail: "This operation requires the scope `convert`. The API key has: read, download.",
  },
  not_found: { path: `${convert}/job_1/status`, detail: "Job job_1 not found." },
  method_not_allowed: { path: account, detail: "Method POST is not allowed for this path. Allowed: GET." },
  not_acceptable: {
    path: "/api/v1/formats",
    detail: "This response is only sent compressed. Send `Accept-Encoding: gzip`.",
  },
  upload_incomplete: { path: convert, detail: "Upload upl_00GxPqjL0a1b2c3d4e5f6g is not complete." },
  upload_failed: {
    path: convert,
    detail: "Upload upl_00GxPqjL0a1b2c3d4e5f6g failed: The server answered with status 404. Upload the file again.",
  },
  idempotency_conflict: {
    path: upload,
    detail: "Another request with this Idempotency-Key is in progress. Try again in a moment.",
  },
  limit_reached: { path: "/api/v1/keys", detail: "An account can have up to 50 active keys. Revoke an unused one." },
  expired: { path: convert, detail: "Upload upl_00GxPqjL0a1b2c3d4e5f6g expired at 2026-11-20T12:00:00.000Z." },
  payload_too_large: { path: upload, detail: "Files in a form can have at most 4500000 bytes." },
  unsupported_media_type: { path: convert, detail: "Send application/json, not text/plain." },
  unsupported_conversion: {
    path: convert,
    detail: "mp3 files cannot be converted to pdf. Supported targets: flac, ogg, wav.",
    extra: { supported_targets: ["flac", "ogg", "wav"] },
  },
  invalid_options: {
    path: convert,
    detail: `Invalid options for this conversion. ${quality}`,
    extra: { errors: [{ pointer: "/options/quality", code: "too_big", detail: quality }] },
  },
  idempotency_mismatch: {
    path: convert,
    detail: "This Idempotency-Key was used with a different request in the last 24 hours.",
  },
  unrecognized_format: {
    path: upload,
    detail: "The file format was not recognized. GET /api/v1/formats lists the supported formats.",
  },
  source_format_mismatch: {
    path: upload,
    detail: "source_format is docx, but the content is pdf. Correct source_format or leave it out.",
  },
  rate_limited: { path: convert, detail: burstExceeded(20).message },
  quota_exceeded: { path: convert, detail: quotaExceeded(month, EXAMPLE_TIME).message },
  forbidden_origin: {
    path: convert,
    detail: "This API key cannot be used by pages of https://example.org. Allowed: https://example.com.",
  },
  key_quota_exceeded: { path: convert, detail: keyQuotaExceeded(1_000, month.month, EXAMPLE_TIME).message },
  internal_error: {
    path: convert,
    detail: "An internal error occurred. Include the request ID when you report it.",
  },
  not_offered: {
    path: "/api/v1/session/billing",
    detail: "Payments are not enabled on this server. Request a plan from the operator instead.",
  },
  temporarily_unavailable: { path: convert, detail: "Too many concurrent requests. Try again in a moment." },
};

/** @returns an example of a problem with the code */
export const problemExample = (code: RequestErrorCode): ProblemView => {
  const { path, detail, extra } = examples[code];
  const place = { path, requestId: "4f5f9c0e-1c7b-4e57-9a39-0b6c2f6a7d11" };
  return problemView(place, new RequestError(code, detail, extra));
};
