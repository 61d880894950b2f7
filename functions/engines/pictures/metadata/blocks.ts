import { closeSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from "node:fs";
import { inflateSync } from "node:zlib";
import type { FormatId } from "../../../domain/formats/formats.ts";
import { PNG_SIGNATURE, pngChunk } from "../sharp/apng.ts";
import type { Block, Read } from "./block.ts";
import { heifBlocks, jxlBlocks } from "./box-blocks.ts";
import { tiffBlocks } from "./tiff-blocks.ts";

/** Receives the bytes of a block, and changes them without changing their length. */
export type ChangeBlock = (kind: Block["kind"], bytes: Buffer) => void;

/** Changes the metadata of an image file. Formats without metadata remain as they are. */
export const changeMetadata = (path: string, format: FormatId, change: ChangeBlock): void => {
  const blocksOf = BLOCKS[format];
  if (blocksOf === undefined) {
    return;
  }
  // Read synchronously: a converter process does nothing else at the same time, and waiting would take longer.
  const file = openSync(path, "r+");
  let replaced: Replaced[];
  try {
    const read = readerOf(file);
    replaced = changedParts(read, blocksOf(read), change);
    for (const { from, bytes } of replaced.filter(hasSameLength)) {
      writeSync(file, bytes, 0, bytes.length, from);
    }
  } finally {
    closeSync(file);
  }
  const resized = replaced.filter((part) => !hasSameLength(part));
  if (resized.length > 0) {
    writeFileSync(path, withParts(readFileSync(path), resized));
  }
};

/** The same for an image in memory, which can be changed itself. @returns the image with the changes */
export const changeMetadataOfBytes = (image: Buffer, format: FormatId, change: ChangeBlock): Buffer => {
  const read: Read = (at, length) => image.subarray(at, at + length);
  const replaced = changedParts(read, BLOCKS[format]?.(read) ?? [], change);
  for (const { from, bytes } of replaced.filter(hasSameLength)) {
    bytes.copy(image, from);
  }
  const resized = replaced.filter((part) => !hasSameLength(part));
  return resized.length === 0 ? image : withParts(image, resized);
};

const changedParts = (read: Read, blocks: Iterable<Block>, change: ChangeBlock): Replaced[] => {
  const replaced: Replaced[] = [];
  for (const { kind, start, end, chunkAt, isPacked } of blocks) {
    const stored = read(start, Math.min(end - start, BLOCK_BYTES_MAX));
    const bytes = isPacked ? inflateSync(stored, { maxOutputLength: BLOCK_BYTES_MAX }) : Buffer.from(stored);
    const before = Buffer.from(bytes);
    change(kind, bytes);
    if (!bytes.equals(before)) {
      replaced.push(
        chunkAt === undefined
          ? { from: start, to: start + bytes.length, bytes }
          : { from: chunkAt, to: end + 4, bytes: chunkOf(kind, bytes) },
      );
    }
  }
  return replaced;
};

const readerOf =
  (file: number): Read =>
  (at, length) => {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, at));
  };

/** Reads the metadata of an image file, up to {@link BLOCK_BYTES_MAX} of each block. */
export const readMetadata = (
  path: string,
  format: FormatId,
  visit: (kind: Block["kind"], bytes: Buffer) => void,
): void => {
  const blocksOf = BLOCKS[format];
  if (blocksOf === undefined) {
    return;
  }
  const file = openSync(path, "r");
  try {
    const read = readerOf(file);
    for (const { kind, start, end } of blocksOf(read)) {
      visit(kind, read(start, Math.max(0, Math.min(end - start, BLOCK_BYTES_MAX))));
    }
  } finally {
    closeSync(file);
  }
};

/** Metadata is at most a few hundred kilobytes; a longer block is not changed after this position. */
const BLOCK_BYTES_MAX = 16_777_216;

/** A changed part of a file, which may have another length afterward. */
interface Replaced {
  readonly from: number;
  readonly to: number;
  readonly bytes: Buffer;
}

const hasSameLength = ({ from, to, bytes }: Replaced): boolean => to - from === bytes.length;

/** @param parts in the order of their positions */
const withParts = (file: Buffer, parts: readonly Replaced[]): Buffer => {
  const starts = [0, ...parts.map(({ to }) => to)];
  const kept = starts.map((start, index) => file.subarray(start, parts[index]?.from ?? file.length));
  return Buffer.concat(kept.flatMap((part, index) => [part, parts[index]?.bytes ?? Buffer.alloc(0)]));
};

/** @returns a chunk of a PNG, with uncompressed XMP */
const chunkOf = (kind: Block["kind"], bytes: Buffer): Buffer =>
  kind === "exif"
    ? pngChunk("eXIf", bytes)
    : pngChunk("iTXt", Buffer.concat([Buffer.from(XMP_CHUNK, "latin1"), bytes]));

const EXIF = "Exif\0\0";
const XMP = "http://ns.adobe.com/xap/1.0/\0";
const MORE_XMP = "http://ns.adobe.com/xmp/extension/\0";
/** After its name: the digest of the complete data, its length, and the offset of this part. */
const MORE_XMP_BYTES = MORE_XMP.length + 40;
const PHOTOSHOP = "Photoshop 3.0\0";
const LONGEST = MORE_XMP_BYTES;

const SEGMENTS = [
  { marker: 0xe1, name: EXIF, kind: "exif", skipped: EXIF.length },
  { marker: 0xe1, name: XMP, kind: "xmp", skipped: XMP.length },
  { marker: 0xe1, name: MORE_XMP, kind: "xmp", skipped: MORE_XMP_BYTES },
  { marker: 0xed, name: PHOTOSHOP, kind: "iptc", skipped: PHOTOSHOP.length },
] as const;

const START_OF_SCAN = 0xda;

/** Segments of a JPEG, up to the compressed data (ITU-T T.81, B.1.1.3; EXIF 2.32, 4.7.2; XMP part 3, 1.1.3). */
const jpegBlocks = function* (read: Read): Generator<Block> {
  for (let at = 2; ; ) {
    const head = read(at, 4 + LONGEST);
    const marker = head[1] ?? 0;
    if (head.length < 4 || head[0] !== 0xff || marker === START_OF_SCAN) {
      return;
    }
    const end = at + 2 + head.readUInt16BE(2);
    const found = SEGMENTS.find(
      ({ name, ...row }) => row.marker === marker && head.toString("latin1", 4, 4 + name.length) === name,
    );
    if (found !== undefined) {
      yield { kind: found.kind, start: at + 4 + found.skipped, end };
    }
    at = end;
  }
};

const XMP_NAME = "XML:com.adobe.xmp\0";
/** After the name: whether it is compressed, the method, and an empty language and translated keyword. */
const XMP_CHUNK = `${XMP_NAME}\0\0\0\0`;

/** Chunks of a PNG (third edition, 11.3.3.4 and 11.3.4.5). */
const pngBlocks = function* (read: Read): Generator<Block> {
  for (let at = PNG_SIGNATURE.length; ; ) {
    const head = read(at, 8 + XMP_CHUNK.length);
    if (head.length < 12) {
      return;
    }
    const [start, end] = [at + 8, at + 8 + head.readUInt32BE(0)];
    const [type, name] = [head.toString("latin1", 4, 8), head.toString("latin1", 8, 8 + XMP_NAME.length)];
    if (type === "eXIf") {
      yield { kind: "exif", start, end, chunkAt: at };
    } else if (type === "iTXt" && name === XMP_NAME) {
      const isPacked = head[8 + XMP_NAME.length] === 1;
      yield { kind: "xmp", start: start + XMP_CHUNK.length, end, chunkAt: at, isPacked };
    } else if (type === "zTXt" && name === XMP_NAME) {
      // libvips writes XMP to the chunk for Latin-1. Only the method is between name and text.
      yield { kind: "xmp", start: start + XMP_NAME.length + 1, end, chunkAt: at, isPacked: true };
    }
    at = end + 4;
  }
};

/** Chunks of a WebP (RFC 9649, 2.7.1.5). Some writers put the prefix of JPEG before EXIF. */
const webpBlocks = function* (read: Read): Generator<Block> {
  for (let at = 12; ; ) {
    const head = read(at, 8 + EXIF.length);
    if (head.length < 8) {
      return;
    }
    const [start, end] = [at + 8, at + 8 + head.readUInt32LE(4)];
    const type = head.toString("latin1", 0, 4);
    if (type === "EXIF") {
      yield { kind: "exif", start: head.toString("latin1", 8) === EXIF ? start + EXIF.length : start, end };
    } else if (type === "XMP ") {
      yield { kind: "xmp", start, end };
    }
    at = end + ((end - start) % 2);
  }
};

/** Formats that engines here write with metadata. */
const BLOCKS: Partial<Record<FormatId, (read: Read) => Iterable<Block>>> = {
  jpg: jpegBlocks,
  png: pngBlocks,
  webp: webpBlocks,
  avif: heifBlocks,
  jxl: jxlBlocks,
  tiff: tiffBlocks,
};
