import { stat } from "node:fs/promises";
import {
  ARCHIVE_BYTES_MAX,
  ARCHIVE_ENTRIES_MAX,
  ARCHIVE_RATIO_FROM_BYTES,
  ARCHIVE_RATIO_MAX,
} from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";

/** Counts the bytes that an archive unpacks to while it is read. Sizes that the archive declares are not trusted. */
export interface Budget {
  /** @throws JobError `archive_unsafe` over {@link ARCHIVE_ENTRIES_MAX} entries */
  entry(): void;
  /** @throws JobError `archive_unsafe` over {@link ARCHIVE_BYTES_MAX}, or {@link ARCHIVE_RATIO_MAX} times the input */
  bytes(count: number): void;
}

/** @returns a budget for the content of the file */
export const budgetOf = async (input: string): Promise<Budget> => {
  const { size } = await stat(input);
  let entries = 0;
  let total = 0;
  return {
    entry: () => {
      entries += 1;
      if (entries > ARCHIVE_ENTRIES_MAX) {
        throw unsafe(`has more than ${ARCHIVE_ENTRIES_MAX} entries, the maximum`);
      }
    },
    bytes: (count) => {
      total += count;
      if (total > ARCHIVE_BYTES_MAX) {
        throw unsafe(`unpacks to more than ${ARCHIVE_BYTES_MAX} bytes, the maximum`);
      }
      if (total > ARCHIVE_RATIO_FROM_BYTES && total > ARCHIVE_RATIO_MAX * size) {
        throw unsafe(`unpacks to more than ${ARCHIVE_RATIO_MAX} times its size, the maximum`);
      }
    },
  };
};

/** Passes the bytes through and counts them. */
export const counted = async function* (bytes: AsyncIterable<Buffer>, budget: Budget): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    budget.bytes(chunk.length);
    yield chunk;
  }
};

/** @returns the error for an archive that must not be unpacked */
export const unsafe = (what: string): JobError => new JobError("archive_unsafe", `The archive ${what}.`);
