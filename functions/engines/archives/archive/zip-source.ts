import { open as openFile } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { ARCHIVE_ENTRIES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { dealtOut } from "../seven-zip/contents.ts";
import { unsafe } from "./budget.ts";
import { noContent, type RawEntry } from "./entry.ts";
import { namesDecoder } from "./legacy-names.ts";
import { canRead, memberBytes, type OpenZip } from "./zip-member.ts";

/**
 * A zip, and the function that unpacks what Node cannot: encrypted members and methods other than Deflate and
 * Zstandard.
 */
export interface ZipSource {
  readonly input: string;
  /** @returns the contents of all files of the zip, concatenated in the order of its directory */
  readonly unpack: () => AsyncIterable<Buffer>;
  readonly password: string | undefined;
  readonly progress: (share: number) => void;
}

/**
 * Reads a zip from its directory.
 *
 * @throws JobError `source_corrupt`, `archive_unsafe`, `password_required`
 */
export const zipEntries = async function* ({ input, unpack, password, progress }: ZipSource): AsyncGenerator<RawEntry> {
  const zip = await orCorrupt(openPromise(input, { lazyEntries: true, autoClose: false, decodeStrings: false }));
  const file = await openFile(input);
  const open = { zip, file };
  try {
    const entries = await orCorrupt(listed(zip));
    const described = describedBy(entries);
    if (entries.some((entry) => entry.isEncrypted()) && password === undefined) {
      throw new JobError("password_required", "The zip is encrypted.");
    }
    if (entries.some((entry) => !canRead(entry))) {
      const listed = entries.map((entry) => ({ ...described(entry), streamed: described(entry).bytes }));
      yield* dealtOut(listed, unpack(), "zip");
      return;
    }
    for (const [index, entry] of entries.entries()) {
      progress(index / entries.length);
      const raw = described(entry);
      const target = raw.kind === "symlink" ? await textOf(open, entry) : "";
      yield { ...raw, content: raw.kind === "file" ? () => contentOf(open, entry) : noContent, target };
    }
  } finally {
    await file.close();
    zip.close();
  }
};

const listed = async (zip: ZipFile): Promise<Entry[]> => {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    entries.push(entry);
    if (entries.length > ARCHIVE_ENTRIES_MAX) {
      throw unsafe(`has more than ${ARCHIVE_ENTRIES_MAX} entries, the maximum`);
    }
  }
  return entries;
};

type Described = Omit<RawEntry, "content">;

const UTF8_FLAG = 0x800;
/** "Version made by" values of systems with permissions: Unix and macOS (APPNOTE.TXT 4.4.2). */
const UNIX_HOSTS: readonly number[] = [3, 19];
const LINK_TYPE = 0o120_000;
const FOLDER_TYPE = 0o040_000;
const DOS_FOLDER = 0x10;

const describedBy = (entries: readonly Entry[]): ((entry: Entry) => Described) => {
  const legacy = entries.filter((entry) => (entry.generalPurposeBitFlag & UTF8_FLAG) === 0);
  const decode = namesDecoder(legacy.map(({ fileNameRaw }) => fileNameRaw));
  const nameOf = (entry: Entry): string =>
    (entry.generalPurposeBitFlag & UTF8_FLAG) === 0
      ? (unicodePath(entry) ?? decode(entry.fileNameRaw))
      : entry.fileNameRaw.toString("utf8");
  return (entry) => {
    // The only separator in zips is `/`, but some Windows programs write `\`.
    const path = nameOf(entry).replaceAll("\\", "/");
    const attributes = entry.externalFileAttributes >>> 16;
    const mode = UNIX_HOSTS.includes(entry.versionMadeBy >>> 8) ? attributes : 0;
    const type = mode & 0o170_000;
    const dosFolder = mode === 0 && (entry.externalFileAttributes & DOS_FOLDER) !== 0 && entry.uncompressedSize === 0;
    const folder = path.endsWith("/") || type === FOLDER_TYPE || dosFolder;
    return {
      path,
      kind: folder ? "folder" : type === LINK_TYPE ? "symlink" : "file",
      modified: entry.getLastModDate(),
      mode: mode & 0o7777,
      bytes: folder ? 0 : entry.uncompressedSize,
    };
  };
};

const UNICODE_PATH = 0x7075;

/** @returns the UTF-8 name that Info-ZIP adds to one in a code page; undefined when it belongs to another name */
const unicodePath = ({ extraFields, fileNameRaw }: Entry): string | undefined => {
  const data = extraFields.find(({ id }) => id === UNICODE_PATH)?.data;
  const valid = data !== undefined && data.length > 5 && data[0] === 1 && data.readUInt32LE(1) === crc32(fileNameRaw);
  return valid ? data.toString("utf8", 5) : undefined;
};

const contentOf = async function* (open: OpenZip, entry: Entry): AsyncGenerator<Buffer> {
  try {
    yield* memberBytes(open, entry);
  } catch (error) {
    throw corrupt(error);
  }
};

const LINK_BYTES_MAX = 4_096;

const textOf = async (open: OpenZip, entry: Entry): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of entry.uncompressedSize > LINK_BYTES_MAX ? noContent() : contentOf(open, entry)) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
};

const orCorrupt = <T>(promise: Promise<T>): Promise<T> =>
  promise.catch((error: unknown): never => {
    throw corrupt(error);
  });

/** Errors of yauzl mean a damaged zip; other errors pass through. */
const corrupt = (error: unknown): unknown => {
  if (error instanceof JobError) {
    return error;
  }
  const reason = error instanceof Error ? error.message : "";
  return /multi-disk|strong encryption/.test(reason)
    ? new JobError("unsupported_feature", "The zip is part of a multi-part archive or uses PKWARE strong encryption.", {
        cause: error,
        isFinal: true,
      })
    : new JobError("source_corrupt", "The zip is damaged.", { cause: error, isFinal: true });
};
