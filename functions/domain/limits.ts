/**
 * Every limit of requests, uploads, jobs and what is kept of them, named, with its unit last and its arithmetic beside it.
 * Those of conversions stand in `conversion-limits.ts`.
 */

const KB = 1_000;
const MB = 1_000 * KB;
const GB = 1_000 * MB;

/**
 * Bytes of a file that comes through a Lambda function as multipart. A request there ends at 6,291,456 bytes, of
 * which base64 takes a third: 4,500,000 × 4/3 = 6,000,000, which leaves 291,456 for headers and the multipart frame.
 */
export const LAMBDA_UPLOAD_BYTES_MAX = 4.5 * MB;

/** Bytes of a file that comes through the one-machine gateway, which streams to disk. */
export const GATEWAY_UPLOAD_BYTES_MAX = 5 * GB;

/** Bytes of a JSON request body: the largest legal one (16 metadata strings of 500 characters) is under 40 kB. */
export const JSON_BODY_BYTES_MAX = 64 * KB;

/** Bytes of the multipart frame that surrounds the file: boundaries and part headers. */
export const MULTIPART_FRAME_BYTES_MAX = 64 * KB;

/** Bytes at the beginning and at the end of a file that detection looks at: the directory of a zip stands at its end. */
export const DETECTION_BYTES = 65_536;

/** Characters of a text that detection looks at. SVG may carry long comments and declarations before its root element. */
export const DETECTION_CHARACTERS = 4_096;

/** Characters of a file name, as most file systems have it. */
export const FILENAME_CHARACTERS_MAX = 255;

/** Times that a job is tried before it fails for good. */
export const JOB_ATTEMPTS_MAX = 3;

/** Milliseconds after which a queued job that nobody claimed gets a second message. */
export const QUEUED_RESEND_MS = 2 * 60_000;

/** Jobs that one run of the sweeper looks at. */
export const SWEEP_JOBS_MAX = 500;

/** Messages to webhooks that one run of the sweeper has tried. */
export const SWEEP_MESSAGES_MAX = 500;

/** Milliseconds that the sweeper looks ahead for them: the five minutes until its next run, and one that it may be late. */
export const SWEEP_AHEAD_MS = 6 * 60_000;

/** Seconds that a request may wait for its job: HTTP API ends a request at 30 s. */
export const WAIT_SECONDS_MAX = 25;

/** Seconds that a signed download URL holds. */
export const SIGNED_URL_SECONDS = 5 * 60;

/** Milliseconds that files stay: 24 h after the upload, and 24 h after the job ended. */
export const FILE_RETENTION_MS = 24 * 3_600_000;

/** Milliseconds that the record of a job stays: 30 days. */
export const RECORD_RETENTION_MS = 30 * 24 * 3_600_000;

/** Milliseconds that an idempotency key is remembered. */
export const IDEMPOTENCY_RETENTION_MS = 24 * 3_600_000;

/** Milliseconds that a key is held whose request broke off: HTTP API ends a request at 30 s. */
export const IDEMPOTENCY_HOLD_MS = 60_000;

/** Characters of an `Idempotency-Key`. */
export const IDEMPOTENCY_KEY_CHARACTERS_MAX = 255;

/** Entries, and characters of a key and of a value, of a job's `metadata`. */
export const METADATA_ENTRIES_MAX = 16;
export const METADATA_KEY_CHARACTERS_MAX = 40;
export const METADATA_VALUE_CHARACTERS_MAX = 500;

/** Times that a write is tried which meets other writes of the same record: many requests of one account at once. */
export const CONFLICT_TRIES_MAX = 12;

/**
 * Milliseconds of the longest pause between two such tries. It doubles from 25, so all eleven take 9 s at the most
 * (25 + 50 + … + 800 + 5 × 1,500) and half of that on average, within the 29 s of a request.
 */
export const CONFLICT_PAUSE_MS_MAX = 1_500;

/** Milliseconds between two looks at a job that a request waits for, where nothing tells of changes. */
export const JOB_POLL_MS = 500;

/** Bytes of a file that is sent straight to the file store, or fetched from a URL: as much as one PUT of S3 takes. */
export const UPLOAD_BYTES_MAX = 5 * GB;

/** Bytes above which such a file is sent in parts, and bytes of each: S3 takes parts from 5 MiB on, and 10,000 of them. */
export const SINGLE_PUT_BYTES_MAX = 100 * MB;
export const UPLOAD_PART_BYTES = 50 * MB;

/** Bytes of a file that is sent with a test key. */
export const TEST_UPLOAD_BYTES_MAX = 1 * MB;

/** Redirects that are followed to a file, characters of its address, and headers that a client may have sent along. */
export const IMPORT_REDIRECTS_MAX = 5;
export const IMPORT_URL_CHARACTERS_MAX = 2_048;
export const IMPORT_HEADERS_MAX = 10;
export const IMPORT_HEADER_CHARACTERS_MAX = 2_048;

/** Milliseconds of a fetch in all, and without a byte. */
export const IMPORT_MS_MAX = 10 * 60_000;
export const IMPORT_SILENCE_MS_MAX = 30_000;

/** Conversions of one batch, and uploads of one merge. */
export const BATCH_CONVERSIONS_MAX = 100;
export const MERGED_UPLOADS_MAX = 100;

/** Jobs and messages of one page of a list. */
export const PAGE_ITEMS_MAX = 100;
export const PAGE_ITEMS_DEFAULT = 20;

/** Requests of an account in one second. */
export const BURST_REQUESTS_MAX = 20;

/**
 * Jobs that may wait on one machine, for each of its converters. One converts 75 small pictures a second, or one page of
 * three seconds in three: 5,000 are a minute of the first and four hours of the second, of the 24 that their files stay.
 * A job that waits takes 3 kB of the database and no memory. An account has at most half of the places.
 */
export const WAITING_JOBS_PER_CONVERTER_MAX = 5_000;

/** Seconds after which one who was refused should come back at the latest. */
export const RETRY_AFTER_SECONDS_MAX = 300;

/** Bytes of disk that uploads leave free, for the results and the scratch files of what was accepted before. */
export const DISK_FREE_BYTES_MIN = 1 * GB;

/** Bytes of the body of a batch: a hundred conversions with some kilobytes of options and metadata each. */
export const BATCH_BODY_BYTES_MAX = 1 * MB;

/** Milliseconds of one attempt to tell a webhook, and characters of what is kept of its failure. */
export const WEBHOOK_ATTEMPT_MS_MAX = 15_000;
export const WEBHOOK_ERROR_CHARACTERS_MAX = 200;
export const WEBHOOK_URL_CHARACTERS_MAX = 2_048;

/** Milliseconds that a webhook secret goes on signing after it was replaced: 24 h. */
export const WEBHOOK_SECRET_OVERLAP_MS = 24 * 3_600_000;

/** Months that the counts of an account stay, beside the one that they are of. */
export const USE_RETENTION_MONTHS = 24;

/** Keys of which a process remembers the minute of their last use; each takes some hundred bytes. */
export const KEY_USES_REMEMBERED_MAX = 10_000;

/** Hours that an account may have its files kept. */
export const RETENTION_HOURS_MAX = 24;
