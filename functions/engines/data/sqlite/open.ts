import { open } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { JobError } from "../../../domain/errors.ts";

/**
 * In a truncated page, SQLite reads the missing bytes as zeros and does not report lost rows.
 *
 * @see Database File Format, 1.3.8: the size is valid when the change counter equals the version-valid-for number
 */
export const checkComplete = async (path: string): Promise<void> => {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer: header } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
    const valid = header.readUInt32BE(24) === header.readUInt32BE(92);
    if (size < HEADER_BYTES || (valid && size < pageBytes * header.readUInt32BE(28))) {
      throw new JobError("source_corrupt", "The database is truncated.");
    }
  } finally {
    await file.close();
  }
};

const HEADER_BYTES = 100;

/** Without its write-ahead log the file is read as it is, and never written. */
export const opened = (path: string): DatabaseSync => {
  try {
    const database = new DatabaseSync(`file:${encodeURI(path).replaceAll(/[?#]/g, encodeURIComponent)}?immutable=1`, {
      readOnly: true,
      allowExtension: false,
      defensive: true,
      enableDoubleQuotedStringLiterals: false,
    });
    database.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON");
    return database;
  } catch (error) {
    throw translated(error);
  }
};

/** SQLite's codes for files in another format and damaged ones (Result and Error Codes). */
const CORRUPT = new Set([11, 26]);
const CANNOT_OPEN = 14;

export const translated = (error: unknown): unknown => {
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : 0;
  if (CORRUPT.has(code)) {
    return new JobError("source_corrupt", "The database is damaged, encrypted or truncated.", { cause: error });
  }
  return code === CANNOT_OPEN || code === 0 || error instanceof JobError
    ? error
    : new JobError("source_corrupt", "The database cannot be read.", { cause: error });
};

export const orCorrupt = <T>(run: () => T): T => {
  try {
    return run();
  } catch (error) {
    throw translated(error);
  }
};
