/** The tables of all error codes; `docs/errors.md` is generated from them. */

interface RequestErrorRow {
  readonly status: number;
  readonly title: string;
  /** Whether the same request can succeed later without changes. */
  readonly retryable: boolean;
}

interface JobErrorRow {
  readonly title: string;
  /** Whether the same conversion can succeed when it is requested again. */
  readonly retryable: boolean;
  /** `input`: caused by the file or the options. `service`: caused by the service; the request is not charged. */
  readonly fault: "input" | "service";
  /** Whether the same job is retried before it fails. */
  readonly attemptedAgain: boolean;
}

/** Errors of a request, by code: RFC 9457 problem details contain the code, the title and the status. */
export const requestErrors = {
  malformed_json: { status: 400, title: "Malformed JSON", retryable: false },
  malformed_multipart: { status: 400, title: "Malformed multipart body", retryable: false },
  invalid_request: { status: 400, title: "Invalid request", retryable: false },
  missing_api_key: { status: 401, title: "Missing API key", retryable: false },
  invalid_api_key: { status: 401, title: "Invalid API key", retryable: false },
  expired_api_key: { status: 401, title: "API key expired", retryable: false },
  missing_session: { status: 401, title: "Not signed in", retryable: false },
  forbidden_scope: { status: 403, title: "Insufficient scope", retryable: false },
  cross_site: { status: 403, title: "Cross-site request rejected", retryable: false },
  not_found: { status: 404, title: "Not found", retryable: false },
  method_not_allowed: { status: 405, title: "Method not allowed", retryable: false },
  upload_incomplete: { status: 409, title: "Upload incomplete", retryable: true },
  upload_failed: { status: 409, title: "Upload failed", retryable: false },
  idempotency_conflict: {
    status: 409,
    title: "A request with this idempotency key is in progress",
    retryable: true,
  },
  limit_reached: { status: 409, title: "Limit reached", retryable: false },
  expired: { status: 410, title: "Expired", retryable: false },
  payload_too_large: { status: 413, title: "Payload too large", retryable: false },
  unsupported_media_type: { status: 415, title: "Unsupported media type", retryable: false },
  unsupported_conversion: { status: 422, title: "Unsupported conversion", retryable: false },
  invalid_options: { status: 422, title: "Invalid options", retryable: false },
  idempotency_mismatch: {
    status: 422,
    title: "Idempotency key reused with a different request",
    retryable: false,
  },
  unrecognised_format: { status: 422, title: "Unrecognized file format", retryable: false },
  wrong_code: { status: 422, title: "Invalid sign-in code", retryable: false },
  passkey_refused: { status: 422, title: "Passkey verification failed", retryable: false },
  rate_limited: { status: 429, title: "Too many requests", retryable: true },
  quota_exceeded: { status: 429, title: "Monthly quota exceeded", retryable: true },
  internal_error: { status: 500, title: "Internal error", retryable: true },
  not_offered: { status: 501, title: "Not enabled on this server", retryable: false },
  temporarily_unavailable: { status: 503, title: "Temporarily unavailable", retryable: true },
} as const satisfies Record<string, RequestErrorRow>;

/** Errors of an upload that was fetched in the background or sent in parts, by code. */
export const uploadErrors = {
  empty: { title: "Empty file", retryable: false },
  size_mismatch: { title: "File size does not match the declared size", retryable: false },
  hash_mismatch: { title: "SHA-256 does not match the declared value", retryable: false },
  payload_too_large: { title: "File too large", retryable: false },
  unrecognised_format: { title: "Unrecognized file format", retryable: false },
  address_refused: { title: "Address not allowed", retryable: false },
  fetch_failed: { title: "File could not be fetched", retryable: true },
} as const satisfies Record<string, Pick<RequestErrorRow, "title" | "retryable">>;

export type UploadErrorCode = keyof typeof uploadErrors;

/** Errors of a job, by code. */
export const jobErrors = {
  source_corrupt: {
    title: "Corrupt or incomplete file",
    retryable: false,
    fault: "input",
    attemptedAgain: false,
  },
  source_mismatch: {
    title: "File content does not match its format",
    retryable: false,
    fault: "input",
    attemptedAgain: false,
  },
  password_required: {
    title: "Password required",
    retryable: false,
    fault: "input",
    attemptedAgain: false,
  },
  too_many_pages: { title: "Too many pages", retryable: false, fault: "input", attemptedAgain: false },
  too_long: { title: "Recording too long", retryable: false, fault: "input", attemptedAgain: false },
  archive_unsafe: {
    title: "Unsafe archive",
    retryable: false,
    fault: "input",
    attemptedAgain: false,
  },
  too_many_pixels: { title: "Image too large", retryable: false, fault: "input", attemptedAgain: false },
  output_too_large: { title: "Output too large", retryable: false, fault: "input", attemptedAgain: false },
  unsupported_feature: {
    title: "Unsupported feature",
    retryable: false,
    fault: "input",
    attemptedAgain: false,
  },
  cancelled: { title: "Job cancelled", retryable: true, fault: "input", attemptedAgain: false },
  timed_out: { title: "Conversion timed out", retryable: true, fault: "service", attemptedAgain: false },
  out_of_memory: {
    title: "Out of memory",
    retryable: true,
    fault: "service",
    attemptedAgain: false,
  },
  engine_failed: { title: "Engine failed", retryable: true, fault: "service", attemptedAgain: true },
  engine_crashed: { title: "Engine crashed", retryable: true, fault: "service", attemptedAgain: true },
} as const satisfies Record<string, JobErrorRow>;

export type RequestErrorCode = keyof typeof requestErrors;
export type JobErrorCode = keyof typeof jobErrors;

/** A validation error in a request: a JSON pointer to it, a code, and a sentence. */
export interface FieldError {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** Optional parts of a request error. */
export interface RequestErrorExtra {
  readonly errors?: readonly FieldError[];
  readonly supported_targets?: readonly string[];
  /** Response headers that belong to the error, for example `Retry-After`. Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that is rejected. Its detail is shown to the client: what is wrong, and how to fix it. */
export class RequestError extends Error {
  readonly code: RequestErrorCode;
  readonly extra: RequestErrorExtra;

  constructor(code: RequestErrorCode, detail: string, extra: RequestErrorExtra = {}) {
    super(detail);
    this.name = "RequestError";
    this.code = code;
    this.extra = extra;
  }
}

/** A conversion that failed. Its detail is shown to the client. */
export class JobError extends Error {
  readonly code: JobErrorCode;

  constructor(code: JobErrorCode, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = "JobError";
    this.code = code;
  }
}

/** @returns the error as the API shows it */
export const jobErrorView = (error: JobError) => {
  const { title, retryable } = jobErrors[error.code];
  return { code: error.code, title, detail: error.message, retryable };
};
