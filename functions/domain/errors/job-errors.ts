import type { ErrorRow } from "./error-row.ts";

interface JobErrorRow extends ErrorRow {
  /** Whether the same conversion can succeed when it is requested again. */
  readonly retryable: boolean;
  /** `input`: caused by the file or the options. `service`: caused by the service; the request is not charged. */
  readonly fault: "input" | "service";
  /** Whether the same job is retried before it fails. */
  readonly attemptedAgain: boolean;
}

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
