import { type FileHandle, open } from "node:fs/promises";
import { DOCUMENT_PAGES_MAX } from "../../../domain/conversions/conversion-limits.ts";

const NEW_SUBFILE_TYPE = 254;
const REDUCED_OR_MASK = 0b101;

/**
 * Finds the pages of a TIFF that are separate images, not reduced versions of another one or masks (TIFF 6.0, section
 * 8, NewSubfileType).
 *
 * @returns their indices; only the first page when the directories cannot be followed
 */
export const tiffPages = async (path: string): Promise<number[]> => {
  const file = await open(path);
  try {
    const kinds = await subfileTypes(file);
    const pages = kinds.flatMap((kind, index) => ((kind & REDUCED_OR_MASK) === 0 ? [index] : []));
    return pages.length === 0 ? [0] : pages;
  } finally {
    await file.close();
  }
};

/** @returns the type of each directory in the chain. BigTIFF has 8-byte offsets and counts. */
const subfileTypes = async (file: FileHandle): Promise<number[]> => {
  const head = await bytesAt(file, 0, 16);
  const little = head.toString("latin1", 0, 2) === "II";
  const number = (bytes: Buffer, at: number, length: number): number =>
    at + length > bytes.length ? 0 : little ? readLittle(bytes, at, length) : readBig(bytes, at, length);
  const large = number(head, 2, 2) === 43;
  const { offset, count, entry, value } = large ? LARGE : SMALL;
  const kinds: number[] = [];
  const seen = new Set<number>();
  let at = number(head, large ? 8 : 4, offset);
  while (at > 0 && !seen.has(at) && kinds.length < DOCUMENT_PAGES_MAX) {
    seen.add(at);
    const entries = number(await bytesAt(file, at, count), 0, count);
    const directory = await bytesAt(file, at + count, Math.min(entries, ENTRIES_MAX) * entry + offset);
    if (directory.length === 0) {
      break;
    }
    let kind = 0;
    for (let tag = 0; tag + entry <= directory.length - offset; tag += entry) {
      kind = number(directory, tag, 2) === NEW_SUBFILE_TYPE ? number(directory, tag + value, 4) : kind;
    }
    kinds.push(kind);
    at = number(directory, entries * entry, offset);
  }
  return kinds;
};

const SMALL = { offset: 4, count: 2, entry: 12, value: 8 };
const LARGE = { offset: 8, count: 8, entry: 20, value: 12 };
const ENTRIES_MAX = 4_096;

const readLittle = (bytes: Buffer, at: number, length: number): number =>
  length === 8 ? Number(bytes.readBigUInt64LE(at)) : bytes.readUIntLE(at, length);

const readBig = (bytes: Buffer, at: number, length: number): number =>
  length === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUIntBE(at, length);

/** @returns as many of the bytes as exist; an 8-byte offset may exceed any file size */
const bytesAt = async (file: FileHandle, at: number, length: number): Promise<Buffer> => {
  if (at + length > Number.MAX_SAFE_INTEGER) {
    return Buffer.alloc(0);
  }
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, at);
  return bytes.subarray(0, bytesRead);
};
