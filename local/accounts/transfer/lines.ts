import { chmod, type FileHandle, open, rm } from "node:fs/promises";

/** A file that cannot be written or read; the message says why. */
export class TransferError extends Error {}

/** Text files with one record per line, read and written in parts of limited size. */

/** The longest line in bytes: an account with its webhook secrets has 2 kB, a month with every count 4 kB. */
const LINE_BYTES_MAX = 64 * 1_024;
const OWNER_ONLY = 0o600;
const NEWLINE = 0x0a;

/** @returns the lines of a file with their numbers @throws TransferError for a line that is too long or incomplete */
export async function* linesOf(path: string): AsyncGenerator<{ readonly number: number; readonly line: string }> {
  let [number, rest] = [0, Buffer.alloc(0)];
  const file = await opened(path, "r");
  for await (const chunk of file.createReadStream()) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      number += 1;
      yield { number, line: rest.toString("utf8", 0, end) };
      rest = rest.subarray(end + 1);
    }
    if (rest.length > LINE_BYTES_MAX) {
      throw new TransferError(`Line ${number + 1} is longer than ${LINE_BYTES_MAX} bytes.`);
    }
  }
  if (rest.length > 0) {
    throw new TransferError(`Line ${number + 1} is incomplete. The file is truncated.`);
  }
}

/**
 * Writes a new file that only its owner can read, and deletes it if the lines cannot be completed.
 * @throws TransferError if the file exists
 */
export const writeLines = async (path: string, lines: AsyncIterable<string>): Promise<void> => {
  const file = await opened(path, "wx");
  try {
    // The mode of a new file is also restricted by the umask, which can only remove permissions.
    await chmod(path, OWNER_ONLY);
    for await (const line of lines) {
      await file.appendFile(`${line}\n`);
    }
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
};

const reasons: Readonly<Record<string, string>> = {
  EACCES: "Permission denied.",
  EEXIST: "The file already exists.",
  EISDIR: "It is a directory.",
  ENOENT: "No such file or directory.",
};

const opened = async (path: string, flags: "r" | "wx"): Promise<FileHandle> => {
  try {
    return await open(path, flags, OWNER_ONLY);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? reasons[String(error.code)] : undefined;
    throw reason === undefined ? error : new TransferError(`Cannot open ${path}: ${reason}`);
  }
};
