import { JobError } from "../../../domain/errors.ts";

/**
 * Any error of DuckDB while reading the only file it can access, a Parquet file, is caused by the file.
 *
 * @throws JobError `password_required`, `source_corrupt`, `unsupported_feature`
 */
export const orCorrupt = async <T>(promise: Promise<T>): Promise<T> => {
  try {
    return await promise;
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (/encrypt/i.test(message)) {
      throw new JobError("password_required", "The Parquet file is encrypted.", { cause: error });
    }
    if (/Not implemented/i.test(message)) {
      throw new JobError("unsupported_feature", "The Parquet file uses a feature that is not supported.", {
        cause: error,
      });
    }
    if (
      /^(?:Invalid Input|IO|Conversion|Serialization|TProtocolException|Invalid|Binder) ?(?:Error|Exception)?/.test(
        message,
      )
    ) {
      throw new JobError("source_corrupt", "The Parquet file is damaged or truncated.", { cause: error });
    }
    throw error;
  }
};
