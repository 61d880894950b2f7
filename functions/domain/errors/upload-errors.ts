import type { RetryableRow } from "./error-row.ts";

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
} as const satisfies Record<string, RetryableRow>;

export type UploadErrorCode = keyof typeof uploadErrors;
