import { NoSuchKey, NotFound, S3ServiceException } from "@aws-sdk/client-s3";

/** Errors with 403 that are about the request and not about the file (Amazon S3 API Reference, "Error responses"). */
const REQUEST_ERRORS: ReadonlySet<string> = new Set([
  "InvalidAccessKeyId",
  "RequestTimeTooSkewed",
  "SignatureDoesNotMatch",
]);

/**
 * Without the permission to list the bucket, which no function has, S3 returns 403 for missing files (Amazon S3 API
 * Reference, "GetObject", "HeadObject"). Every role can read the prefix of the keys that its records name, so a 403 for
 * such a key means that the file is missing. A HEAD response has no body with the name of the error.
 */
export const isMissing = (error: unknown): boolean => {
  if (error instanceof NoSuchKey || error instanceof NotFound) {
    return true;
  }
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  return status === 404 || (status === 403 && error instanceof Error && !REQUEST_ERRORS.has(error.name));
};
