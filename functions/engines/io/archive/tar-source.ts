import { JobError } from "../../../domain/errors.ts";
import { type ByteReader, byteReader } from "./byte-reader.ts";
import { noContent, type RawEntry } from "./entry.ts";
import { namesDecoder } from "./legacy-names.ts";

const BLOCK_BYTES = 512;
const ZEROS = Buffer.alloc(BLOCK_BYTES);

/** Bytes of a header that extends another: names and times, nothing that is large. */
const EXTENSION_BYTES_MAX = 1_048_576;

/**
 * Reads a tar as it comes: of V7, POSIX (ustar, pax), GNU and old Solaris.
 *
 * @throws JobError `source_mismatch` when the bytes are no tar at all, `source_corrupt`, `unsupported_feature` for
 * sparse files and archives in several volumes
 */
export const tarEntries = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<RawEntry> {
  const reader = byteReader(source);
  const nameOf = namesOf();
  const global: Records = new Map();
  let own: Records = new Map();
  for (let index = 0; ; index += 1) {
    const block = await reader.take(BLOCK_BYTES);
    if (block === undefined || isEnd(block)) {
      // What is packed has its checksum at its end.
      await reader.rest();
      return;
    }
    const header = headerOf(block, index === 0);
    const extended = EXTENSIONS[header.type];
    if (extended !== undefined) {
      const bytes = await extensionBytes(reader, header.bytes);
      extended(bytes, header.type === "g" ? global : own);
      continue;
    }
    const entry = entryOf(header, new Map([...global, ...own]), nameOf);
    own = new Map();
    yield* contained(reader, entry);
  }
};

/** Records of pax, with their values as bytes. */
type Records = Map<string, Buffer>;

const isEnd = (block: Buffer): boolean => block.equals(ZEROS);

const contained = async function* (reader: ByteReader, entry: RawEntry & { stored: number }): AsyncGenerator<RawEntry> {
  const { stored, ...raw } = entry;
  let left = stored;
  const content = async function* (): AsyncGenerator<Buffer> {
    while (left > 0) {
      const chunk = await reader.some(left);
      left -= chunk.length;
      yield chunk;
    }
  };
  yield { ...raw, content: raw.kind === "file" ? content : noContent };
  for await (const _ of content()) {
    // What nobody wanted is passed over.
  }
  await reader.take((BLOCK_BYTES - (stored % BLOCK_BYTES)) % BLOCK_BYTES);
};

interface Header {
  readonly name: Buffer;
  readonly link: Buffer;
  readonly type: string;
  readonly mode: number;
  readonly bytes: number;
  readonly modified: number;
}

const headerOf = (block: Buffer, first: boolean): Header => {
  if (!hasChecksum(block)) {
    throw first
      ? new JobError("source_mismatch", "The file is not a tar archive.")
      : new JobError("source_corrupt", "The tar is damaged: the checksum of a header is wrong.");
  }
  const posix = block.toString("latin1", 257, 263) === "ustar\0";
  const prefix = posix ? textAt(block, 345, 155) : Buffer.alloc(0);
  const name = textAt(block, 0, 100);
  return {
    name: prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from("/"), name]),
    link: textAt(block, 157, 100),
    type: String.fromCharCode(block[156] ?? 0),
    mode: numberAt(block, 100, 8),
    bytes: numberAt(block, 124, 12),
    modified: numberAt(block, 136, 12),
  };
};

/** @returns whether the header's sum is right: of its bytes, with spaces for the sum itself; some old tars sum signed */
const hasChecksum = (block: Buffer): boolean => {
  let [sum, signed] = [0, 0];
  for (let at = 0; at < BLOCK_BYTES; at += 1) {
    const byte = at >= 148 && at < 156 ? 32 : (block[at] ?? 0);
    sum += byte;
    signed += byte > 127 ? byte - 256 : byte;
  }
  const said = numberAt(block, 148, 8);
  return said === sum || said === signed;
};

const textAt = (block: Buffer, start: number, length: number): Buffer => {
  const field = block.subarray(start, start + length);
  const end = field.indexOf(0);
  return end === -1 ? field : field.subarray(0, end);
};

/** @returns a number that is written in octal, or, after a first bit, in base 256 (GNU); NaN when it is neither */
const numberAt = (block: Buffer, start: number, length: number): number => {
  const field = block.subarray(start, start + length);
  if (((field[0] ?? 0) & 0x80) === 0) {
    const digits = field
      .toString("latin1")
      .replace(/[\0 ]+$/, "")
      .trimStart();
    return /^[0-7]*$/.test(digits) ? Number.parseInt(digits || "0", 8) : Number.NaN;
  }
  const negative = field[0] === 0xff;
  const value = field.subarray(1).reduce((sum, byte) => sum * 256 + (negative ? 255 - byte : byte), 0);
  return negative ? -value - 1 : value;
};

const extensionBytes = async (reader: ByteReader, bytes: number): Promise<Buffer> => {
  if (!(bytes >= 0 && bytes <= EXTENSION_BYTES_MAX)) {
    throw new JobError("source_corrupt", `The tar is damaged: a header says that it has ${bytes} bytes.`);
  }
  const padded = Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
  return ((await reader.take(padded)) ?? Buffer.alloc(0)).subarray(0, bytes);
};

const pax = (bytes: Buffer, records: Records): void => {
  let at = 0;
  while (at < bytes.length) {
    const space = bytes.indexOf(0x20, at);
    const length = space === -1 ? 0 : Number(bytes.toString("latin1", at, space));
    const equals = bytes.indexOf(0x3d, space);
    if (!(length > 0) || equals === -1 || equals >= at + length) {
      return;
    }
    records.set(bytes.toString("utf8", space + 1, equals), bytes.subarray(equals + 1, at + length - 1));
    at += length;
  }
};

const gnuName =
  (record: string) =>
  (bytes: Buffer, records: Records): void => {
    records.set(record, textAt(bytes, 0, bytes.length));
  };

/** Headers that say more of the next one (POSIX.1-2017, pax, "ustar Interchange Format"; GNU tar manual). */
const EXTENSIONS: Partial<Record<string, (bytes: Buffer, records: Records) => void>> = {
  x: pax,
  X: pax,
  g: pax,
  L: gnuName("gnu.path"),
  K: gnuName("gnu.linkpath"),
};

const KINDS: Partial<Record<string, RawEntry["kind"]>> = {
  1: "hardlink",
  2: "symlink",
  3: "special",
  4: "special",
  5: "folder",
  6: "special",
  D: "folder",
};
/** Files with holes, and files that go on in another volume. */
const UNSUPPORTED = /[SM]/;
/** The name of a volume, which is no entry. */
const LABEL = "V";

const entryOf = (header: Header, records: Records, nameOf: NameOf): RawEntry & { stored: number } => {
  if (UNSUPPORTED.test(header.type) || [...records.keys()].some((key) => key.startsWith("GNU.sparse."))) {
    throw new JobError("unsupported_feature", "The tar holds a sparse file, or is one volume of several.");
  }
  const kind = header.type === LABEL ? "folder" : (KINDS[header.type] ?? "file");
  const path = nameOf(records.get("path"), records.get("gnu.path") ?? header.name);
  const stored = Number(records.get("size") ?? header.bytes);
  if (!(Number.isSafeInteger(stored) && stored >= 0)) {
    throw new JobError("source_corrupt", `The tar is damaged: it says that ${path} has ${stored} bytes.`);
  }
  // Links may give the size of what they lead to; nothing of it follows.
  const follows = kind === "file" || header.type === "D" ? stored : 0;
  const seconds = Number(records.get("mtime") ?? header.modified);
  return {
    path: header.type === LABEL ? "./" : path,
    kind: kind === "file" && path.endsWith("/") ? "folder" : kind,
    modified: new Date(Number.isFinite(seconds) ? seconds * 1_000 : 0),
    mode: header.mode & 0o7777,
    bytes: follows,
    stored: follows,
    target: nameOf(records.get("linkpath"), records.get("gnu.linkpath") ?? header.link),
    content: noContent,
  };
};

type NameOf = (unicode: Buffer | undefined, legacy: Buffer) => string;

/** Names of headers are in no named encoding. What was seen before helps to tell it. */
const namesOf = (): NameOf => {
  const seen: Buffer[] = [];
  return (unicode, legacy) => {
    if (unicode !== undefined || legacy.every((byte) => byte < 128)) {
      return (unicode ?? legacy).toString("utf8");
    }
    if (seen.length < NAMES_SEEN_MAX) {
      seen.push(Buffer.from(legacy));
    }
    return namesDecoder([...seen, legacy])(legacy);
  };
};

const NAMES_SEEN_MAX = 20;
