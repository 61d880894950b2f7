import { stat } from "node:fs/promises";
import {
  ARCHIVE_BYTES_MAX,
  ARCHIVE_ENTRIES_MAX,
  ARCHIVE_RATIO_FROM_BYTES,
  ARCHIVE_RATIO_MAX,
} from "../../../domain/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";

/** Counts what comes out of an archive as it comes: sizes that the archive tells itself prove nothing. */
export interface Budget {
  /** @throws JobError `archive_unsafe` over {@link ARCHIVE_ENTRIES_MAX} entries */
  entry(): void;
  /** @throws JobError `archive_unsafe` over {@link ARCHIVE_BYTES_MAX}, or {@link ARCHIVE_RATIO_MAX} times the input */
  bytes(count: number): void;
}

/** @returns a budget for what comes out of the file */
export const budgetOf = async (input: string): Promise<Budget> => {
  const { size } = await stat(input);
  let entries = 0;
  let total = 0;
  return {
    entry: () => {
      entries += 1;
      if (entries > ARCHIVE_ENTRIES_MAX) {
        throw unsafe(`holds over ${ARCHIVE_ENTRIES_MAX} entries, which is the most allowed`);
      }
    },
    bytes: (count) => {
      total += count;
      if (total > ARCHIVE_BYTES_MAX) {
        throw unsafe(`unpacks to over ${ARCHIVE_BYTES_MAX} bytes, which is the most allowed`);
      }
      if (total > ARCHIVE_RATIO_FROM_BYTES && total > ARCHIVE_RATIO_MAX * size) {
        throw unsafe(`unpacks to over ${ARCHIVE_RATIO_MAX} times its size`);
      }
    },
  };
};

/** Gives the bytes on, and counts them. */
export const counted = async function* (bytes: AsyncIterable<Buffer>, budget: Budget): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    budget.bytes(chunk.length);
    yield chunk;
  }
};

/** @returns the error of an archive that must not be unpacked */
export const unsafe = (what: string): JobError => new JobError("archive_unsafe", `The archive ${what}.`);
