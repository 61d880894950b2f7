import { type Entry, openPromise, type ZipFile } from "yauzl";
import {
  ARCHIVE_ENTRIES_MAX,
  ARCHIVE_RATIO_FROM_BYTES,
  ARCHIVE_RATIO_MAX,
  ZIP_DOCUMENT_BYTES_MAX,
} from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";

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
 * @throws JobError `source_corrupt`, `archive_unsafe`, `password_required`
 */
export const readZip = async <T>(file: string, use: (zip: ZipDocument) => Promise<T>): Promise<T> => {
  const zip = await orCorrupt(openPromise(file, { lazyEntries: true, autoClose: false }));
  try {
    const entries = await entriesOf(zip);
    const budget = { read: 0, compressed: 0 };
    return await use({
      paths: [...entries.keys()],
      has: (path) => entries.has(path),
      read: async (path) => {
        const entry = entries.get(path);
        return entry && (await bytesOf(zip, entry, budget));
      },
    });
  } finally {
    zip.close();
  }
};

const entriesOf = async (zip: ZipFile): Promise<Map<string, Entry>> => {
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
  );
  return entries;
};

/** Bytes unpacked from a zip so far, and the size of the zip. */
interface Budget {
  read: number;
  compressed: number;
}

const bytesOf = async (zip: ZipFile, entry: Entry, budget: Budget): Promise<Buffer> => {
  if (entry.isEncrypted()) {
    throw new JobError("password_required", "The file is encrypted.");
  }
  const chunks: Buffer[] = [];
  budget.compressed += entry.compressedSize;
  const stream = await orCorrupt(zip.openReadStreamPromise(entry));
  await orCorrupt(
    (async () => {
      for await (const chunk of stream) {
        chunks.push(chunk);
        budget.read += chunk.length;
        checkBudget(budget);
      }
    })(),
  );
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
const orCorrupt = async <T>(promise: Promise<T>): Promise<T> => {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof JobError) {
      throw error;
    }
    throw new JobError("source_corrupt", "The file is a damaged zip.", { cause: error });
  }
};
