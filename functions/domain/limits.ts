/**
 * Limits of requests, uploads, jobs and retention. Names end with the unit; comments explain the value. Limits of
 * conversions are in `conversion-limits.ts`.
 */

const KB = 1_000;
const MB = 1_000 * KB;
const GB = 1_000 * MB;

/**
 * Maximum size of a file in a multipart request to Lambda. Lambda requests are limited to 6,291,456 bytes, and base64
 * adds a third: 4,500,000 × 4/3 = 6,000,000, which leaves 291,456 for headers and the multipart frame.
 */
export const LAMBDA_UPLOAD_BYTES_MAX = 4.5 * MB;

/** Maximum size of a file in a request to the one-machine gateway, which streams to disk. */
export const GATEWAY_UPLOAD_BYTES_MAX = 5 * GB;

/**
 * Maximum size of a JSON request body: the largest valid one (16 metadata strings of 500 characters) is under 40 kB.
 */
export const JSON_BODY_BYTES_MAX = 64 * KB;

/** Maximum size of the multipart frame around the file: boundaries and part headers. */
export const MULTIPART_FRAME_BYTES_MAX = 64 * KB;

/** Maximum size of all form fields except files: options, metadata and URLs. */
export const FORM_FIELDS_BYTES_MAX = 256 * KB;

/**
 * Maximum size of a result in the response of Lambda, whose responses are limited to 6 MB. Base64 adds a third: 4,000,000
 * × 4/3 = 5,333,334, which leaves enough for headers.
 */
export const LAMBDA_RESULT_BYTES_MAX = 4 * MB;

/** Bytes at the start and end of a file that detection inspects: the directory of a zip is at its end. */
export const DETECTION_BYTES = 65_536;

/**
 * Characters of a text that detection inspects. SVG can have long comments and declarations before its root element.
 */
export const DETECTION_CHARACTERS = 4_096;

/** Maximum length of a filename, as in most file systems. */
export const FILENAME_CHARACTERS_MAX = 255;

/** Attempts of a job before it fails permanently. */
export const JOB_ATTEMPTS_MAX = 3;

/** Milliseconds after which an unclaimed queued job gets a second message. */
export const QUEUED_RESEND_MS = 2 * 60_000;

/** Jobs that one run of the sweeper checks. */
export const SWEEP_JOBS_MAX = 500;

/** Webhook messages that one run of the sweeper queues. */
export const SWEEP_MESSAGES_MAX = 500;

/** Milliseconds that the sweeper looks ahead: the five minutes until its next run, and one minute of delay. */
export const SWEEP_AHEAD_MS = 6 * 60_000;

/** Accounts on a page of the operators' list. */
export const OPERATED_ACCOUNTS_MAX = 50;

/** Requests per month that an operator can give an account. */
export const QUOTA_MAX = 1_000_000_000;

/** Seconds that a request can wait for its job: HTTP API ends a request after 30 s. */
export const WAIT_SECONDS_MAX = 25;

/**
 * Requests of an account that wait for a job or an upload at the same time. Further ones are answered at once with the
 * current state. On AWS each holds a function, of the 1,000 that all accounts share; on one machine it holds a timer, so
 * the limit is that of streams.
 */
export const WAITS_PER_ACCOUNT_MAX = 10;
export const LOCAL_WAITS_PER_ACCOUNT_MAX = 100;

/**
 * Streams of events on one machine: in milliseconds how long each is open, and how often it sends a comment so that
 * proxies do not end it; their number per account, and in all. The gateway serves 2,000 requests at once.
 */
export const STREAM_MS_MAX = 5 * 60_000;
export const STREAM_COMMENT_MS = 10_000;
export const STREAMS_PER_ACCOUNT_MAX = 100;
export const STREAMS_MAX = 1_000;

/** Milliseconds after which a client reconnects when a stream has ended. */
export const STREAM_RETRY_MS = 1_000;

/** Seconds until a signed download URL expires. */
export const SIGNED_URL_SECONDS = 5 * 60;

/** Milliseconds that files are kept: 24 h after the upload, and 24 h after the end of the job. */
export const FILE_RETENTION_MS = 24 * 3_600_000;

/** Milliseconds that job records are kept: 30 days. */
export const RECORD_RETENTION_MS = 30 * 24 * 3_600_000;

/** Milliseconds that an idempotency key is remembered. */
export const IDEMPOTENCY_RETENTION_MS = 24 * 3_600_000;

/** Milliseconds that a key stays locked after an interrupted request: HTTP API ends a request after 30 s. */
export const IDEMPOTENCY_HOLD_MS = 60_000;

/** Maximum length of an `Idempotency-Key`. */
export const IDEMPOTENCY_KEY_CHARACTERS_MAX = 255;

/** Maximum number of entries in a job's `metadata`, and maximum length of keys and values. */
export const METADATA_ENTRIES_MAX = 16;
export const METADATA_KEY_CHARACTERS_MAX = 40;
export const METADATA_VALUE_CHARACTERS_MAX = 500;

/** Attempts of a write that conflicts with others to the same record: many concurrent requests of one account. */
export const CONFLICT_TRIES_MAX = 12;

/**
 * The longest pause in milliseconds between two such attempts. It doubles from 25, so all eleven pauses take at most 9
 * s (25 + 50 + … + 800 + 5 × 1,500), and half of that on average, within the 29 s of a request.
 */
export const CONFLICT_PAUSE_MS_MAX = 1_500;

/** Polling interval in milliseconds of a request that waits for a job, without change notifications. */
export const JOB_POLL_MS = 500;

/** Maximum size of a file that is sent directly to the file store or fetched from a URL: the limit of an S3 PUT. */
export const UPLOAD_BYTES_MAX = 5 * GB;

/** Size above which such a file is sent in parts, and the part size: S3 allows 10,000 parts of at least 5 MiB. */
export const SINGLE_PUT_BYTES_MAX = 100 * MB;
export const UPLOAD_PART_BYTES = 50 * MB;

/** Maximum size of a file with a test key. */
export const TEST_UPLOAD_BYTES_MAX = 1 * MB;

/** Limits of an import: redirects, URL length, number of headers, and header length. */
export const IMPORT_REDIRECTS_MAX = 5;
export const IMPORT_URL_CHARACTERS_MAX = 2_048;
export const IMPORT_HEADERS_MAX = 10;
export const IMPORT_HEADER_CHARACTERS_MAX = 2_048;

/** Timeouts of a fetch in milliseconds: in total, and without data. */
export const IMPORT_MS_MAX = 10 * 60_000;
export const IMPORT_SILENCE_MS_MAX = 30_000;

/** Milliseconds in addition to a download, to store the last part and detect the format. */
export const IMPORT_MARGIN_MS = 60_000;

/**
 * Imports, checks of sent files, webhook deliveries and exports of an account at the same time on AWS: at most twice as
 * many run for a moment, of the 20, 20, 50 and 20 of a deployment. On one machine, accounts share the available ones.
 */
export const IMPORTS_PER_ACCOUNT_MAX = 4;
export const CHECKS_PER_ACCOUNT_MAX = 4;
export const DELIVERIES_PER_ACCOUNT_MAX = 10;
export const EXPORTS_PER_ACCOUNT_MAX = 4;

/** Conversions per batch, and uploads per merge. */
export const BATCH_CONVERSIONS_MAX = 100;
export const MERGED_UPLOADS_MAX = 100;

/** Jobs and messages per page of a list. */
export const PAGE_ITEMS_MAX = 100;
export const PAGE_ITEMS_DEFAULT = 20;

/** Requests per second of an account. */
export const BURST_REQUESTS_MAX = 20;

/**
 * Queued jobs on one machine, per converter. A converter processes 75 small images a second, or one slow document in
 * three seconds: 5,000 jobs are a minute of the former and four hours of the latter, of the 24 hours that their files
 * are kept. A queued job takes 3 kB in the database and no memory. One account can use at most half of the queue.
 */
export const WAITING_JOBS_PER_CONVERTER_MAX = 5_000;

/** The maximum `Retry-After` in seconds. */
export const RETRY_AFTER_SECONDS_MAX = 300;

/** Disk space that uploads leave free, for results and temporary files of accepted jobs. */
export const DISK_FREE_BYTES_MIN = 1 * GB;

/** Maximum size of a batch request: a hundred conversions with several kilobytes of options and metadata each. */
export const BATCH_BODY_BYTES_MAX = 1 * MB;

/** Timeout of a webhook attempt in milliseconds, and maximum length of its stored error. */
export const WEBHOOK_ATTEMPT_MS_MAX = 15_000;
export const WEBHOOK_ERROR_CHARACTERS_MAX = 200;
export const WEBHOOK_URL_CHARACTERS_MAX = 2_048;

/** Maximum size of a file that a webhook sends: 20 MB in {@link WEBHOOK_ATTEMPT_MS_MAX} need 11 Mbit/s, and fit into memory. */
export const WEBHOOK_FILE_BYTES_MAX = 20 * MB;

/** Milliseconds that a webhook secret still signs after a rotation: 24 h. */
export const WEBHOOK_SECRET_OVERLAP_MS = 24 * 3_600_000;

/**
 * Timeouts of an export attempt in milliseconds: in total, and without progress. 5 GB in 13 minutes need 6.4 MB/s, and a
 * Lambda function ends after 15.
 */
export const EXPORT_ATTEMPT_MS_MAX = 13 * 60_000;
export const EXPORT_SILENCE_MS_MAX = 60_000;

/** Milliseconds in addition to an attempt, to record it. */
export const EXPORT_MARGIN_MS = 60_000;

/** Characters of an object key (S3 allows 1,024 bytes), and folders that an export to WebDAV creates. */
export const EXPORT_KEY_CHARACTERS_MAX = 512;
export const EXPORT_FOLDERS_MAX = 20;

/** Storages of an account, and the length of their values. */
export const STORAGES_MAX = 20;
export const STORAGE_VALUE_CHARACTERS_MAX = 1_024;

/** Timeout of each request of a storage test in milliseconds: two fit into a request of the API. */
export const STORAGE_TEST_MS_MAX = 10_000;

/** Months that usage counts are kept, in addition to their own month. */
export const USE_RETENTION_MONTHS = 24;

/** Maximum number of keys whose last use a process caches; each takes about a hundred bytes. */
export const KEY_USES_REMEMBERED_MAX = 10_000;

/** Maximum retention in hours that an account can set. */
export const RETENTION_HOURS_MAX = 24;

/** Steps of a pipeline. Each is a write of the transaction that creates it; DynamoDB allows 100. */
export const PIPELINE_STEPS_MAX = 20;
/** Uploads that a pipeline reads by name. */
export const PIPELINE_INPUTS_MAX = 50;
/** Results of a pipeline that can be downloaded: each is counted as one request. */
export const PIPELINE_RESULTS_MAX = 10;
/** Inputs that one step reads. */
export const PIPELINE_STEP_INPUTS_MAX = 50;

/** Presets of an account. */
export const PRESETS_MAX = 100;
/** Bytes of a preset as JSON. */
export const PRESET_BYTES_MAX = 16 * KB;
