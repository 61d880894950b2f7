/** Every limit of the service, named, with its unit last and its arithmetic beside it. */

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

/** Bytes of a file that the fast lane converts. */
export const FAST_INPUT_BYTES_MAX = 500 * MB;

/** Bytes of a result. */
export const OUTPUT_BYTES_MAX = 5 * GB;

/** Bytes of a JSON request body: the largest legal one (16 metadata strings of 500 characters) is under 40 kB. */
export const JSON_BODY_BYTES_MAX = 64 * KB;

/** Bytes of the multipart frame that surrounds the file: boundaries and part headers. */
export const MULTIPART_FRAME_BYTES_MAX = 64 * KB;

/** Bytes at the beginning and at the end of a file that detection looks at: the directory of a zip stands at its end. */
export const DETECTION_BYTES = 65_536;

/** Characters of a text that detection looks at. SVG may carry long comments and declarations before its root element. */
export const DETECTION_CHARACTERS = 4_096;

/** Files that a conversion may make of one: pages, sheets, frames. */
export const PARTS_MAX = 2_000;

/** Warnings of a job. */
export const WARNINGS_MAX = 50;

/** Pages of a document. */
export const DOCUMENT_PAGES_MAX = 2_000;

/** Entries of an archive, bytes that it unpacks to, and how many times its size that is, from some bytes on. */
export const ARCHIVE_ENTRIES_MAX = 50_000;
export const ARCHIVE_BYTES_MAX = 10 * GB;
export const ARCHIVE_RATIO_MAX = 200;
export const ARCHIVE_RATIO_FROM_BYTES = 100 * MB;

/** Bytes of a zip that is a document (docx, epub, …), unpacked: it is held in memory, in part several times. */
export const ZIP_DOCUMENT_BYTES_MAX = 300 * MB;

/** Bytes of a text that is held in memory whole, and as a tree of objects takes ten times as much. */
export const TEXT_BYTES_MAX = 100 * MB;

/** Pixels of a picture, all its frames counted: 100 megapixels in 4 channels are 400 MB of memory. */
export const PICTURE_PIXELS_MAX = 100_000_000;

/**
 * Pixels of a picture where the codec needs so much memory for each that {@link CONVERTER_MEMORY_BYTES_MAX} ends it
 * before {@link PICTURE_PIXELS_MAX} does, as measured: AVIF 22 bytes and lossless WebP 24 (1.3 GB), lossless AVIF 36
 * (1.3 GB), ImageMagick's WebAssembly 15 (1.2 GB).
 */
export const AVIF_PIXELS_MAX = 55_000_000;
export const WEBP_LOSSLESS_PIXELS_MAX = 55_000_000;
export const AVIF_LOSSLESS_PIXELS_MAX = 36_000_000;
export const MAGICK_PIXELS_MAX = 80_000_000;

/** Pixels of one side of a picture that we write; WebP ends at 16,383. */
export const PICTURE_SIDE_PIXELS_MAX = 16_383;

/** Bytes of an SVG, which is read into memory whole: a text node ends at 10 MB in libxml2, so this is a large drawing. */
export const SVG_BYTES_MAX = 50 * MB;

/** Frames of an animation. */
export const PICTURE_FRAMES_MAX = 2_000;

/** Characters of a file name, as most file systems have it. */
export const FILENAME_CHARACTERS_MAX = 255;

/** Bytes of memory that one converter process may hold (1.5 GB). */
export const CONVERTER_MEMORY_BYTES_MAX = 1.5 * GB;

/** Conversions after which a converter process is replaced, whatever its memory: a start costs 0.3 s of CPU. */
export const CONVERTER_JOBS_MAX = 2_000;

/** Bytes of memory above which an idle converter process is replaced. */
export const CONVERTER_IDLE_BYTES_MAX = 0.6 * GB;

/** Times that a job is tried before it fails for good. */
export const JOB_ATTEMPTS_MAX = 3;

/** Milliseconds after which a queued job that nobody claimed gets a second message. */
export const QUEUED_RESEND_MS = 2 * 60_000;

/** Jobs that one run of the sweeper looks at. */
export const SWEEP_JOBS_MAX = 500;

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
