import { open } from "node:fs/promises";
import { JobError } from "../../../domain/errors.ts";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";

/** The error for an encrypted document whose password is missing; LibreOffice can open it. */
export const passwordNeeded = (from: FormatId | undefined): JobError =>
  new JobError("password_required", `${fileOf(from)} is encrypted. Set the password option.`);

/** The error for a document with an encryption that no engine supports, whatever the password. */
export const sealed = (from: FormatId | undefined): JobError =>
  new JobError("password_required", `${fileOf(from)} is encrypted. Save it without a password first.`);

const fileOf = (from: FormatId | undefined): string =>
  from === undefined ? "The file" : `The ${formatOf(from).name} file`;

const COMPOUND = "d0cf11e0a1b11ae1";
/** The stream with the encrypted document ([MS-OFFCRYPTO] 2.3.4), as the directory of the compound file names it. */
const STREAM = Buffer.from("EncryptedPackage", "utf16le");
const WINDOW_BYTES = 1_048_576;

/**
 * @returns whether the file is an encrypted Office document: a compound file instead of a zip. Its directory can be
 * anywhere, so the file is read once.
 */
export const isEncryptedOffice = async (path: string): Promise<boolean> => {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const window = Buffer.alloc(Math.min(size, WINDOW_BYTES));
    await file.read(window, 0, window.length, 0);
    let isFound = window.includes(STREAM);
    if (window.toString("hex", 0, COMPOUND.length / 2) !== COMPOUND) {
      return false;
    }
    // The windows overlap, because the name may begin in one and end in the next.
    for (let at = WINDOW_BYTES - STREAM.length; at < size && !isFound; at += WINDOW_BYTES - STREAM.length) {
      const { bytesRead } = await file.read(window, 0, window.length, at);
      isFound = window.subarray(0, bytesRead).includes(STREAM);
    }
    return isFound;
  } finally {
    await file.close();
  }
};
