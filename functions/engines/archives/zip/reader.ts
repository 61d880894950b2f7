import { type Entry, openPromise, type ZipFile } from "yauzl";
import {
  ARCHIVE_ENTRIES_MAX,
  ARCHIVE_RATIO_FROM_BYTES,
  ARCHIVE_RATIO_MAX,
  ZIP_DOCUMENT_BYTES_MAX,
} from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";
import { isEncryptedOffice, passwordNeeded, sealed } from "./encrypted.ts";

/** A document that is a zip (docx, epub, kmz, …): its members by path, read into memory one at a time. */
export interface ZipDocument {
  /** Paths of the members, in order, without folders. */
  readonly paths: readonly string[];
  has(path: string): boolean;
  /**
   * @returns the bytes of a member; undefined when there is none
   * @throws JobError `archive_unsafe` when the total of all reads is too large, `source_corrupt` when it is damaged
   */
  read(path: string): Promise<Buffer | undefined>;
}

/**
 * Opens a document that is a zip, and closes it when `use` has ended. Unpacked bytes are counted; declared sizes are
 * not trusted.
 *
 * @param from the format of the document, which the errors name
 * @throws JobError `source_corrupt`, `archive_unsafe`, `password_required`
 */
export const readZip = async <T>(file: string, use: (zip: ZipDocument) => Promise<T>, from?: FormatId): Promise<T> => {
  const orCorrupt = damagedUnless(from);
  const zip = await orCorrupt(openDocument(file, from), "it is truncated or has no ZIP directory");
  try {
    const entries = await entriesOf(zip, orCorrupt);
    const budget = { read: 0, compressed: 0 };
    return await use({
      paths: [...entries.keys()],
      has: (path) => entries.has(path),
      read: async (path) => {
        const entry = entries.get(path);
        if (entry?.isEncrypted()) {
          throw sealed(from);
        }
        return entry && (await orCorrupt(bytesOf(zip, entry, budget), `${path.slice(0, 100)} in it cannot be read`));
      },
    });
  } finally {
    zip.close();
  }
};

/** @throws JobError `password_required` for an encrypted Office document, which is not a zip */
const openDocument = async (file: string, from: FormatId | undefined): Promise<ZipFile> => {
  try {
    return await openPromise(file, { lazyEntries: true, autoClose: false });
  } catch (error) {
    throw (await isEncryptedOffice(file)) ? passwordNeeded(from) : error;
  }
};

const entriesOf = async (zip: ZipFile, orCorrupt: ReturnType<typeof damagedUnless>): Promise<Map<string, Entry>> => {
  if (zip.entryCount > ARCHIVE_ENTRIES_MAX) {
    throw unsafe(`has ${zip.entryCount} members; the maximum is ${ARCHIVE_ENTRIES_MAX}`);
  }
  const entries = new Map<string, Entry>();
  await orCorrupt(
    (async () => {
      for await (const entry of zip.eachEntry()) {
        if (!entry.fileName.endsWith("/")) {
          entries.set(entry.fileName, entry);
        }
      }
    })(),
    "its ZIP directory cannot be read",
  );
  return entries;
};

/** Bytes unpacked from a zip so far, and the size of the zip. */
interface Budget {
  read: number;
  compressed: number;
}

const bytesOf = async (zip: ZipFile, entry: Entry, budget: Budget): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  budget.compressed += entry.compressedSize;
  const stream = await zip.openReadStreamPromise(entry);
  for await (const chunk of stream) {
    chunks.push(chunk);
    budget.read += chunk.length;
    checkBudget(budget);
  }
  return Buffer.concat(chunks);
};

const checkBudget = ({ read, compressed }: Budget): void => {
  if (read > ZIP_DOCUMENT_BYTES_MAX) {
    throw unsafe(`unpacks to more than ${ZIP_DOCUMENT_BYTES_MAX} bytes, the maximum`);
  }
  if (read > ARCHIVE_RATIO_FROM_BYTES && read > ARCHIVE_RATIO_MAX * compressed) {
    throw unsafe(`unpacks to more than ${ARCHIVE_RATIO_MAX} times its size, the maximum`);
  }
};

const unsafe = (what: string): JobError => new JobError("archive_unsafe", `The file ${what}.`);

/** Errors of yauzl mean a damaged zip; other errors pass through. */
const damagedUnless =
  (from: FormatId | undefined) =>
  async <T>(reading: Promise<T>, reason: string): Promise<T> => {
    try {
      return await reading;
    } catch (cause) {
      if (cause instanceof JobError) {
        throw cause;
      }
      const file = from === undefined ? "file" : `${formatOf(from).name} file`;
      throw new JobError("source_corrupt", `The ${file} is damaged: ${reason}.`, { cause });
    }
  };
