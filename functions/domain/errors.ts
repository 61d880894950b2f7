/** The tables of all error codes; `docs/errors.md` is generated from them. */

interface ErrorRow {
  readonly title: string;
  /** When the error occurs, in one sentence. */
  readonly when: string;
  /** What the client should do, in one imperative sentence. */
  readonly action: string;
}

interface RequestErrorRow extends ErrorRow {
  readonly status: number;
  /** Whether the same request can succeed later without changes. */
  readonly retryable: boolean;
}

interface JobErrorRow extends ErrorRow {
  /** Whether the same conversion can succeed when it is requested again. */
  readonly retryable: boolean;
  /** `input`: caused by the file or the options. `service`: caused by the service; the request is not charged. */
  readonly fault: "input" | "service";
  /** Whether the same job is retried before it fails. */
  readonly attemptedAgain: boolean;
}

/** Errors of a request, by code: RFC 9457 problem details contain the code, the title and the status. */
export const requestErrors = {
  malformed_json: {
    status: 400,
    title: "Malformed JSON",
    when: "The body is not valid JSON, or is truncated.",
    action: "Send valid JSON in UTF-8.",
    retryable: false,
  },
  malformed_multipart: {
    status: 400,
    title: "Malformed multipart body",
    when: "The multipart body cannot be read, or is truncated.",
    action: "Let an HTTP library build the form, and send it again.",
    retryable: false,
  },
  invalid_request: {
    status: 400,
    title: "Invalid request",
    when: "A field, parameter or header is missing, unknown or not allowed.",
    action: "Correct the fields that `errors` lists.",
    retryable: false,
  },
  missing_api_key: {
    status: 401,
    title: "Missing API key",
    when: "The request has no API key.",
    action: "Send `Authorization: Bearer <API_KEY>`.",
    retryable: false,
  },
  invalid_api_key: {
    status: 401,
    title: "Invalid API key",
    when: "The API key is unknown, revoked or incomplete.",
    action: "Copy the key again, or create a new one.",
    retryable: false,
  },
  expired_api_key: {
    status: 401,
    title: "API key expired",
    when: "The API key has expired.",
    action: "Create or rotate a key.",
    retryable: false,
  },
  missing_session: {
    status: 401,
    title: "Not signed in",
    when: "The operation needs a session, and the request has none.",
    action: "Sign in again.",
    retryable: false,
  },
  forbidden_scope: {
    status: 403,
    title: "Insufficient scope",
    when: "The API key does not have the scope of this operation.",
    action: "Use a key with the scope that `detail` names.",
    retryable: false,
  },
  forbidden_origin: {
    status: 403,
    title: "Origin not allowed",
    when: "The API key has a list of allowed origins, and the request came from a web page of another origin.",
    action: "Call the API from an allowed page, or add the origin to the key.",
    retryable: false,
  },
  forbidden_role: {
    status: 403,
    title: "Role not sufficient",
    when: "The role of the member does not permit this operation.",
    action: "Ask an owner of the account.",
    retryable: false,
  },
  cross_site: {
    status: 403,
    title: "Cross-site request rejected",
    when: "A request with a session cookie came from another site.",
    action: "Call the API with an API key.",
    retryable: false,
  },
  not_found: {
    status: 404,
    title: "Not found",
    when: "The resource does not exist, or belongs to another account.",
    action: "Check the ID and the API key.",
    retryable: false,
  },
  method_not_allowed: {
    status: 405,
    title: "Method not allowed",
    when: "The path does not support this HTTP method.",
    action: "Use a method that the `Allow` header lists.",
    retryable: false,
  },
  not_acceptable: {
    status: 406,
    title: "Not acceptable",
    when: "The response is only sent compressed, and `Accept-Encoding` does not allow gzip.",
    action: "Send `Accept-Encoding: gzip`, or request a smaller part with filters.",
    retryable: false,
  },
  upload_incomplete: {
    status: 409,
    title: "Upload incomplete",
    when: "The upload is still being sent, fetched or checked.",
    action: "Wait until the upload is `ready`, then send the request again.",
    retryable: true,
  },
  upload_failed: {
    status: 409,
    title: "Upload failed",
    when: "The upload ended without a file, for the reason in its `error`.",
    action: "Upload the file again.",
    retryable: false,
  },
  idempotency_conflict: {
    status: 409,
    title: "A request with this idempotency key is in progress",
    when: "A request with the same idempotency key is still in progress.",
    action: "Wait a moment, then send the request again.",
    retryable: true,
  },
  email_taken: {
    status: 409,
    title: "Email address taken",
    when: "Another account has the email address.",
    action: "Delete the other account, or choose another address.",
    retryable: false,
  },
  owner_required: {
    status: 409,
    title: "Account needs its owner",
    when: "The member has the account's own address, which always is an owner.",
    action: "Change the address of the account first, or delete the account.",
    retryable: false,
  },
  subscription_active: {
    status: 409,
    title: "Subscription active",
    when: "An account with a subscription was to be deleted.",
    action: "Cancel the subscription, and wait until it ends.",
    retryable: false,
  },
  limit_reached: {
    status: 409,
    title: "Limit reached",
    when: "The account has the maximum number of such resources.",
    action: "Delete one that is not in use.",
    retryable: false,
  },
  expired: {
    status: 410,
    title: "Expired",
    when: "The resource or its file was deleted at the end of its retention.",
    action: "Upload or convert the file again.",
    retryable: false,
  },
  payload_too_large: {
    status: 413,
    title: "Payload too large",
    when: "The file or the body exceeds a size limit.",
    action: "Send a smaller file, or announce the upload and send it in parts.",
    retryable: false,
  },
  unsupported_media_type: {
    status: 415,
    title: "Unsupported media type",
    when: "The `Content-Type` is not one that the operation accepts.",
    action: "Set the `Content-Type` that `detail` names.",
    retryable: false,
  },
  unsupported_conversion: {
    status: 422,
    title: "Unsupported conversion",
    when: "This server cannot convert the file to the target format.",
    action: "Choose a format from `supported_targets`.",
    retryable: false,
  },
  invalid_options: {
    status: 422,
    title: "Invalid options",
    when: "An option is unknown, not supported for this conversion, or out of range.",
    action: "Correct the options that `errors` lists.",
    retryable: false,
  },
  idempotency_mismatch: {
    status: 422,
    title: "Idempotency key reused with a different request",
    when: "The idempotency key was used for a different request within 24 hours.",
    action: "Use a new key for each new request.",
    retryable: false,
  },
  unrecognized_format: {
    status: 422,
    title: "Unrecognized file format",
    when: "The format cannot be detected from the content of the file, or no conversion supports it.",
    action: "Check that the file is complete and in a format that `GET /api/v1/formats` lists.",
    retryable: false,
  },
  source_format_mismatch: {
    status: 422,
    title: "File content does not match source_format",
    when: "The content of the file is not in the format that `source_format` declares.",
    action: "Correct `source_format`, or leave it out.",
    retryable: false,
  },
  wrong_code: {
    status: 422,
    title: "Invalid sign-in code",
    when: "The sign-in code is wrong, expired or used.",
    action: "Enter the code again, or request a new one.",
    retryable: false,
  },
  invitation_refused: {
    status: 422,
    title: "Invitation not valid",
    when: "The invitation has expired, was withdrawn, or was already used.",
    action: "Ask an owner of the account for a new invitation.",
    retryable: false,
  },
  identity_refused: {
    status: 422,
    title: "Identity provider sign-in failed",
    when: "The answer of the identity provider is not valid, was already used, or has no verified email address.",
    action: "Start the sign-in again, and contact the operator of the service if it fails again.",
    retryable: false,
  },
  passkey_refused: {
    status: 422,
    title: "Passkey verification failed",
    when: "The passkey is unknown, or its signature is not valid for the challenge.",
    action: "Start the sign-in again.",
    retryable: false,
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    when: "The client sends requests faster than its limit.",
    action: "Wait for the seconds in `Retry-After`, then send the request again.",
    retryable: true,
  },
  quota_exceeded: {
    status: 429,
    title: "Monthly quota exceeded",
    when: "The account has used its monthly quota.",
    action: "Wait for the next month, or choose a larger plan.",
    retryable: false,
  },
  key_quota_exceeded: {
    status: 429,
    title: "Monthly limit of the API key exceeded",
    when: "The API key has used its own monthly limit, although the account has requests left.",
    action: "Wait for the next month, raise the limit of the key, or use another key.",
    retryable: false,
  },
  internal_error: {
    status: 500,
    title: "Internal error",
    when: "The service failed unexpectedly.",
    action: "Send the request again, and report the `request_id` if it fails again.",
    retryable: true,
  },
  not_offered: {
    status: 501,
    title: "Not enabled on this server",
    when: "The operator has not enabled this feature.",
    action: "Use a server with this feature, or ask the operator to enable it.",
    retryable: false,
  },
  temporarily_unavailable: {
    status: 503,
    title: "Temporarily unavailable",
    when: "The service is overloaded, out of space, or being restarted.",
    action: "Wait for the seconds in `Retry-After`, then send the request again.",
    retryable: true,
  },
} as const satisfies Record<string, RequestErrorRow>;

/** Errors of an upload that was fetched in the background or sent in parts, by code. */
export const uploadErrors = {
  empty: {
    title: "Empty file",
    when: "The file has no bytes.",
    action: "Upload a file with content.",
    retryable: false,
  },
  size_mismatch: {
    title: "File size does not match the declared size",
    when: "The number of received bytes differs from `size`.",
    action: "Announce the upload again with the exact size.",
    retryable: false,
  },
  hash_mismatch: {
    title: "SHA-256 does not match the declared value",
    when: "The received bytes do not have the declared SHA-256.",
    action: "Send the file again, and check that it does not change meanwhile.",
    retryable: false,
  },
  payload_too_large: {
    title: "File too large",
    when: "The file exceeds the size limit.",
    action: "Upload a smaller file.",
    retryable: false,
  },
  unrecognized_format: {
    title: "Unrecognized file format",
    when: "The format cannot be detected from the content of the file, or no conversion supports it.",
    action: "Check that the file is complete and in a format that `GET /api/v1/formats` lists.",
    retryable: false,
  },
  source_format_mismatch: {
    title: "File content does not match source_format",
    when: "The content of the file is not in the format that `source_format` declares.",
    action: "Correct `source_format`, or leave it out.",
    retryable: false,
  },
  address_refused: {
    title: "Address not allowed",
    when: "The URL leads to a private or reserved address.",
    action: "Use a URL that is reachable from the internet.",
    retryable: false,
  },
  fetch_failed: {
    title: "File could not be fetched",
    when: "The other server did not return the complete file.",
    action: "Check the URL and its server, then import the file again.",
    retryable: true,
  },
} as const satisfies Record<string, Omit<RequestErrorRow, "status">>;

export type UploadErrorCode = keyof typeof uploadErrors;

/** Errors of a job, by code. */
export const jobErrors = {
  page_unavailable: {
    title: "Web page unavailable",
    when: "The web page could not be loaded, or its server returned an error or a file.",
    action: "Check that the URL opens in a browser without signing in, then convert it again.",
    retryable: true,
    fault: "input",
    attemptedAgain: false,
  },
  page_refused: {
    title: "Web page not allowed",
    when: "The web page is in a private network, or loads more than the limits allow.",
    action: "Use a URL that is reachable from the internet, or a smaller page.",
    retryable: false,
    fault: "input",
    attemptedAgain: false,
  },
  source_corrupt: {
    title: "Corrupt or incomplete file",
    when: "The file is damaged or truncated.",
    action: "Check that the file opens, then upload it again.",
    retryable: false,
    fault: "input",
    attemptedAgain: false,
  },
  source_mismatch: {
    title: "File content does not match its format",
    when: "The content is not in the format that was detected or declared.",
    action: "Upload the file with its original name and content.",
    retryable: false,
    fault: "input",
    attemptedAgain: false,
  },
  password_required: {
    title: "Password required",
    when: "The file is encrypted, and the password is missing or wrong.",
    action: "Set the `password` option.",
    retryable: false,
    fault: "input",
    attemptedAgain: false,
  },
  too_many_pages: {
    title: "Too many pages",
    when: "The document has more pages than the limit.",
    action: "Select fewer pages with the `pages` option, or split the document.",
    retryable: false,
    fault: "input",
    attemptedAgain: false,
  },
  too_long: {
    title: "Recording too long",
    when: "The recording is longer than the limit.",
    action: "Select a part with `trim_start` and `trim_end`.",
    retryable: false,
    fault: "input",
    attemptedAgain: false,
  },
  archive_unsafe: {
    title: "Unsafe archive",
    when: "The archive has unsafe paths, or unpacks to too many bytes or files.",
    action: "Pack the files again without links and absolute paths, or into smaller archives.",
    retryable: false,
    fault: "input",
    attemptedAgain: false,
  },
  too_many_pixels: {
    title: "Image too large",
    when: "The image has more pixels than the limit.",
    action: "Reduce the size of the image before you upload it.",
    retryable: false,
    fault: "input",
    attemptedAgain: false,
  },
  output_too_large: {
    title: "Output too large",
    when: "The result exceeds a limit.",
    action: "Convert a part of the file, or reduce the quality or size with options.",
    retryable: false,
    fault: "input",
    attemptedAgain: false,
  },
  unsupported_feature: {
    title: "Unsupported feature",
    when: "The file uses a feature that the conversion does not support, or crashes the engine.",
    action: "Remove the feature that `detail` names, or choose another target format.",
    retryable: false,
    fault: "input",
    attemptedAgain: false,
  },
  cancelled: {
    title: "Job cancelled",
    when: "The job was cancelled by a request.",
    action: "Create a new job if the result is still needed.",
    retryable: true,
    fault: "input",
    attemptedAgain: false,
  },
  timed_out: {
    title: "Conversion timed out",
    when: "The conversion exceeded its time limit.",
    action: "Create the job again, or convert a smaller part.",
    retryable: true,
    fault: "service",
    attemptedAgain: false,
  },
  out_of_memory: {
    title: "Out of memory",
    when: "The conversion exceeded its memory limit.",
    action: "Create the job again, or convert a smaller part.",
    retryable: true,
    fault: "service",
    attemptedAgain: false,
  },
  engine_failed: {
    title: "Engine failed",
    when: "The engine failed for a reason other than the file.",
    action: "Create the job again, and report the job ID if it fails again.",
    retryable: true,
    fault: "service",
    attemptedAgain: true,
  },
  engine_crashed: {
    title: "Engine crashed",
    when: "Every attempt was interrupted.",
    action: "Create the job again, and report the job ID if it fails again.",
    retryable: true,
    fault: "service",
    attemptedAgain: true,
  },
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

/** Optional parts of a job error. */
export interface JobErrorOptions extends ErrorOptions {
  /**
   * Whether no other engine may read the file: it exceeds a limit or is unsafe, or the options do not fit it. @default
   * false
   */
  readonly isFinal?: boolean;
}

/** A conversion that failed. Its detail is shown to the client. */
export class JobError extends Error {
  readonly code: JobErrorCode;
  readonly isFinal: boolean;

  constructor(code: JobErrorCode, detail: string, { isFinal = false, ...options }: JobErrorOptions = {}) {
    super(detail, options);
    this.name = "JobError";
    this.code = code;
    this.isFinal = isFinal;
  }
}

/** @returns the error as the API shows it */
export const jobErrorView = (error: JobError) => {
  const { title, retryable } = jobErrors[error.code];
  return { code: error.code, title, detail: error.message, retryable };
};
