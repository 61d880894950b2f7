import { pipeline } from "node:stream/promises";
import { extract, type Header } from "tar-stream";
import { JobError } from "../../../domain/errors.ts";
import { byteReader } from "./byte-reader.ts";
import { noContent, type RawEntry } from "./entry.ts";
import { namesDecoder } from "./legacy-names.ts";
import { buffersOf, gathered } from "./through.ts";

/**
 * Reads a tar as a stream: V7, POSIX (ustar, pax) and GNU, with tar-stream.
 *
 * @throws JobError `source_mismatch` when the bytes are not a tar, `source_corrupt`, `unsupported_feature` for sparse
 * files and multi-volume archives
 */
export const tarEntries = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<RawEntry> {
  const tar = extract(READING);
  const failure = pipeline(gathered(plainBlocks(source)), tar).then(
    () => undefined,
    (error: unknown) => error,
  );
  const nameOf = namesOf();
  try {
    for await (const stream of tar) {
      const entry = entryOf(stream.header, nameOf);
      const content = async function* (): AsyncGenerator<Buffer> {
        try {
          yield* buffersOf(stream);
        } catch (error) {
          throw asJobError(isDestroyed(error) ? await failure : error);
        }
      };
      yield { ...entry, content: entry.kind === "file" ? content : noContent };
      stream.resume();
    }
    const error = await failure;
    if (error !== undefined) {
      throw error;
    }
  } catch (error) {
    throw asJobError(isDestroyed(error) ? await failure : error);
  } finally {
    tar.destroy();
  }
};

/** The error of an entry's stream when the tar fails; it does not contain the reason (streamx 2.28). */
const isDestroyed = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "STREAM_DESTROYED";

/** Headers do not declare the encoding of names: Latin-1 preserves their bytes. V7 headers have no signature. */
const READING = { highWaterMark: 65_536, filenameEncoding: "latin1", allowUnknownFormat: true };

/** Errors of tar-stream, all without a code: a wrong checksum, an invalid size, an early end. */
const TAR_ERRORS = /^(?:Invalid (?:tar )?header|Unexpected end of data|Header exceeds max size)/;

const asJobError = (cause: unknown): unknown =>
  cause instanceof Error && TAR_ERRORS.test(cause.message)
    ? new JobError("source_corrupt", "The tar is damaged or incomplete.", { cause })
    : cause;

const BLOCK_BYTES = 512;
const ZEROS = Buffer.alloc(BLOCK_BYTES);
const TYPE_AT = 156;
/** Links and devices: some programs record the size of the link's target, but no content follows. */
const EMPTY_TYPES = /[1-6]/;
/** The name of a volume, and the list of a folder's files in GNU incremental dumps: neither is an entry. */
const PASSED_TYPES = /[VD]/;

/**
 * Returns a tar in a form that tar-stream reads correctly: without the bytes after its end, where some programs leave
 * old data; without headers that are not entries; and without sizes on entries that have no content.
 */
const plainBlocks = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const reader = byteReader(source);
  let isFirst = true;
  for (let block = await reader.take(BLOCK_BYTES); block !== undefined; block = await reader.take(BLOCK_BYTES)) {
    if (block.equals(ZEROS)) {
      break;
    }
    if (isFirst && declaredSum(block) !== sumOf(block)) {
      throw new JobError("source_mismatch", "The file is not a tar archive.");
    }
    isFirst = false;
    const type = String.fromCharCode(block[TYPE_AT] ?? 0);
    const isEmpty = EMPTY_TYPES.test(type);
    const isPassed = PASSED_TYPES.test(type);
    if (!isPassed) {
      yield isEmpty ? withoutSize(block) : block;
    }
    for (let left = isEmpty ? 0 : BLOCK_BYTES * Math.ceil(sizeIn(block) / BLOCK_BYTES); left > 0; ) {
      const chunk = await reader.some(left);
      left -= chunk.length;
      if (!isPassed) {
        yield chunk;
      }
    }
  }
  // Compressed data has its checksum at the end.
  await reader.rest();
};

const [SIZE_AT, SIZE_END] = [124, 136];
const [SUM_AT, SUM_END] = [148, 156];

/** @returns the size of the content, in octal or, when the first bit is set, base 256 (GNU); 0 when it is neither */
const sizeIn = (block: Buffer): number => {
  const field = block.subarray(SIZE_AT, SIZE_END);
  if (((field[0] ?? 0) & 0x80) === 0) {
    return Number.parseInt(field.toString("latin1").trim(), 8) || 0;
  }
  return field.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0);
};

const declaredSum = (block: Buffer): number => Number.parseInt(block.toString("latin1", SUM_AT, SUM_END).trim(), 8);

/** @returns the checksum of a header: the sum of its bytes, with spaces for the checksum itself */
const sumOf = (block: Buffer): number =>
  block.reduce((sum, byte, at) => sum + (at >= SUM_AT && at < SUM_END ? 0x20 : byte), 0);

/** @returns the header with a size of 0; a wrong checksum stays wrong */
const withoutSize = (block: Buffer): Buffer => {
  const plain = Buffer.from(block);
  const wrongBy = declaredSum(block) - sumOf(block);
  plain.write("00000000000\0", SIZE_AT, "latin1");
  plain.write(`${(sumOf(plain) + wrongBy).toString(8).padStart(6, "0")}\0 `, SUM_AT, "latin1");
  return plain;
};

const KINDS: Readonly<Record<Header["type"], RawEntry["kind"]>> = {
  file: "file",
  "contiguous-file": "file",
  link: "hardlink",
  symlink: "symlink",
  directory: "folder",
  "block-device": "special",
  "character-device": "special",
  fifo: "special",
};

const entryOf = ({ type, name, linkname, size, mode, mtime, pax }: Header, nameOf: NameOf): RawEntry => {
  const records = new Map<string, string>(Object.entries(pax ?? {}));
  const kind: RawEntry["kind"] | undefined = KINDS[type];
  // tar-stream reports unknown types as null: GNU sparse files, and files that continue in another volume.
  if (kind === undefined || [...records.keys()].some((key) => key.startsWith("GNU.sparse."))) {
    throw new JobError("unsupported_feature", "The tar has a sparse file or is part of a multi-volume archive.");
  }
  const path = nameOf(records.get("path"), name);
  // tar-stream does not apply pax times, which can have fractions and years after 2242.
  const seconds = Number(records.get("mtime") ?? Number.NaN);
  return {
    path,
    kind: kind === "file" && path.endsWith("/") ? "folder" : kind,
    modified: Number.isFinite(seconds) ? new Date(seconds * 1_000) : mtime,
    mode: mode & 0o7777,
    bytes: kind === "file" ? size : 0,
    target: nameOf(records.get("linkpath"), linkname ?? ""),
    content: noContent,
  };
};

type NameOf = (unicode: string | undefined, latin1: string) => string;

/** Names in headers have no declared encoding. Names seen earlier help to detect it. */
const namesOf = (): NameOf => {
  const seen: Buffer[] = [];
  return (unicode, latin1) => {
    const legacy = Buffer.from(latin1, "latin1");
    if (unicode !== undefined || legacy.every((byte) => byte < 128)) {
      return unicode ?? latin1;
    }
    if (seen.length < NAMES_SEEN_MAX) {
      seen.push(legacy);
    }
    return namesDecoder([...seen, legacy])(legacy);
  };
};

const NAMES_SEEN_MAX = 20;
