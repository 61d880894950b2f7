/** The one table of everything that can go wrong; `docs/errors.md` is generated from it. */

interface RequestErrorRow {
  readonly status: number;
  readonly title: string;
  /** Whether the same request may succeed later without a change. */
  readonly retryable: boolean;
}

interface JobErrorRow {
  readonly title: string;
  /** Whether the same conversion may succeed when it is asked for again. */
  readonly retryable: boolean;
  /** `input`: the file or the options are to blame. `service`: we are, and the request is given back. */
  readonly fault: "input" | "service";
  /** Whether a further attempt of the same job makes sense before it fails. */
  readonly attemptedAgain: boolean;
}

/** Errors of a request, by code: RFC 9457 problem details carry the code, the title and the status. */
export const requestErrors = {
  malformed_json: { status: 400, title: "The body is not valid JSON", retryable: false },
  malformed_multipart: { status: 400, title: "The body is not valid multipart/form-data", retryable: false },
  invalid_request: { status: 400, title: "The request is not valid", retryable: false },
  missing_api_key: { status: 401, title: "An API key is needed", retryable: false },
  invalid_api_key: { status: 401, title: "The API key is not valid", retryable: false },
  expired_api_key: { status: 401, title: "The API key has expired", retryable: false },
  missing_session: { status: 401, title: "Nobody is signed in", retryable: false },
  forbidden_scope: { status: 403, title: "The API key may not do this", retryable: false },
  cross_site: { status: 403, title: "The request comes from a page of another site", retryable: false },
  not_found: { status: 404, title: "There is no such thing", retryable: false },
  method_not_allowed: { status: 405, title: "The method is not allowed here", retryable: false },
  upload_incomplete: { status: 409, title: "The upload is not complete", retryable: true },
  idempotency_conflict: {
    status: 409,
    title: "The first request with this idempotency key is still running",
    retryable: true,
  },
  limit_reached: { status: 409, title: "There may be no more of these", retryable: false },
  expired: { status: 410, title: "It was here and has expired", retryable: false },
  payload_too_large: { status: 413, title: "The body is too large", retryable: false },
  unsupported_media_type: { status: 415, title: "The content type is not supported", retryable: false },
  unsupported_conversion: { status: 422, title: "This conversion is not supported", retryable: false },
  invalid_options: { status: 422, title: "The options are not valid for this conversion", retryable: false },
  idempotency_mismatch: {
    status: 422,
    title: "The idempotency key was used with another request",
    retryable: false,
  },
  unrecognised_format: { status: 422, title: "The format of the file is not recognised", retryable: false },
  wrong_code: { status: 422, title: "The code is wrong, was used or is too old", retryable: false },
  passkey_refused: { status: 422, title: "The passkey does not fit", retryable: false },
  rate_limited: { status: 429, title: "Too many requests in too short a time", retryable: true },
  quota_exceeded: { status: 429, title: "The monthly quota is used up", retryable: true },
  internal_error: { status: 500, title: "Something went wrong on our side", retryable: true },
  not_offered: { status: 501, title: "This deployment does not offer it", retryable: false },
  temporarily_unavailable: { status: 503, title: "The service is busy for the moment", retryable: true },
} as const satisfies Record<string, RequestErrorRow>;

/** Errors of an upload that was to come in the background or by parts, by code. */
export const uploadErrors = {
  empty: { title: "The file is empty", retryable: false },
  size_mismatch: { title: "The file has another size than was said", retryable: false },
  hash_mismatch: { title: "The file has another SHA-256 than was said", retryable: false },
  payload_too_large: { title: "The file is too large", retryable: false },
  unrecognised_format: { title: "The format of the file is not recognised", retryable: false },
  address_refused: { title: "The address is not one that files are fetched from", retryable: false },
  fetch_failed: { title: "The file could not be fetched", retryable: true },
} as const satisfies Record<string, Pick<RequestErrorRow, "title" | "retryable">>;

export type UploadErrorCode = keyof typeof uploadErrors;

/** Errors of a job, by code. */
export const jobErrors = {
  source_corrupt: {
    title: "The file is damaged or incomplete",
    retryable: false,
    fault: "input",
    attemptedAgain: false,
  },
  source_mismatch: {
    title: "The file is not what it claims to be",
    retryable: false,
    fault: "input",
    attemptedAgain: false,
  },
  password_required: {
    title: "The file is encrypted and needs its password",
    retryable: false,
    fault: "input",
    attemptedAgain: false,
  },
  too_many_pages: { title: "The document has too many pages", retryable: false, fault: "input", attemptedAgain: false },
  too_long: { title: "The recording is too long", retryable: false, fault: "input", attemptedAgain: false },
  archive_unsafe: {
    title: "The archive is not safe to unpack",
    retryable: false,
    fault: "input",
    attemptedAgain: false,
  },
  too_many_pixels: { title: "The picture is too large", retryable: false, fault: "input", attemptedAgain: false },
  output_too_large: { title: "The result is too large", retryable: false, fault: "input", attemptedAgain: false },
  unsupported_feature: {
    title: "The file uses something that is not supported",
    retryable: false,
    fault: "input",
    attemptedAgain: false,
  },
  cancelled: { title: "The job was cancelled", retryable: true, fault: "input", attemptedAgain: false },
  timed_out: { title: "The conversion took too long", retryable: true, fault: "service", attemptedAgain: false },
  out_of_memory: {
    title: "The conversion needed too much memory",
    retryable: true,
    fault: "service",
    attemptedAgain: false,
  },
  engine_failed: { title: "The converter failed", retryable: true, fault: "service", attemptedAgain: true },
  engine_crashed: { title: "The converter crashed", retryable: true, fault: "service", attemptedAgain: true },
} as const satisfies Record<string, JobErrorRow>;

export type RequestErrorCode = keyof typeof requestErrors;
export type JobErrorCode = keyof typeof jobErrors;

/** One thing that is wrong in a request: a JSON pointer to it, a code, and a sentence. */
export interface FieldError {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** What a request error may carry beyond its code and detail. */
export interface RequestErrorExtra {
  readonly errors?: readonly FieldError[];
  readonly supported_targets?: readonly string[];
  /** Response headers that belong to the error, for example `Retry-After`. Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that cannot be served. Its detail is shown to the client: it says what was wrong, and what would be right. */
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

/** A conversion that cannot be done. Its detail is shown to the client. */
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
