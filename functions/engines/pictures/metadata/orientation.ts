import { closeSync, openSync, readSync } from "node:fs";
import type { FormatId } from "../../../domain/formats/formats.ts";
import { readMetadata } from "./blocks.ts";

const ORIENTATION = 0x0112;
const ENTRY_BYTES = 12;
/** Entries in the first directory of EXIF data; cameras write about 15. */
const ENTRIES_MAX = 200;
const DIRECTORY_BYTES_MAX = 2 + ENTRIES_MAX * ENTRY_BYTES;

/**
 * @returns how the stored pixels are turned, 1 to 8 (EXIF 2.32, 4.6.4): 1 for upright ones, and for formats that do not
 * say
 */
export const orientationOf = (path: string, format: FormatId): number => {
  if (format === "tiff") {
    return orientationInTiff((at, length) => partOf(path, at, length));
  }
  let orientation = 1;
  readMetadata(path, format, (kind, bytes) => {
    if (kind === "exif") {
      orientation = orientationInTiff((at, length) => bytes.subarray(at, at + length));
    }
  });
  return orientation;
};

const partOf = (path: string, at: number, length: number): Buffer => {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, at));
  } finally {
    closeSync(file);
  }
};

/** @param read reads a part of a TIFF structure: as many of the bytes as exist */
const orientationInTiff = (read: (at: number, length: number) => Buffer): number => {
  const head = read(0, 8);
  const little = head.toString("latin1", 0, 2) === "II";
  const number = (bytes: Buffer, at: number, length: 2 | 4): number =>
    at + length > bytes.length ? 0 : little ? bytes.readUIntLE(at, length) : bytes.readUIntBE(at, length);
  const directory = read(number(head, 4, 4), DIRECTORY_BYTES_MAX);
  const count = Math.min(ENTRIES_MAX, number(directory, 0, 2));
  const entries = Array.from({ length: count }, (_, index) => 2 + index * ENTRY_BYTES);
  const entry = entries.find((at) => number(directory, at, 2) === ORIENTATION);
  const value = entry === undefined ? 1 : number(directory, entry + 8, 2);
  return value >= 1 && value <= 8 ? value : 1;
};
