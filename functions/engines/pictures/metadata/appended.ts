import { closeSync, openSync, readSync } from "node:fs";
import type { FormatId } from "../../../domain/formats/formats.ts";
import type { Warning } from "../../../domain/warning.ts";
import { describesGainMap, describesMotion } from "./xmp.ts";

/** Bytes at the start of a file that are searched: the metadata of the image, and the boxes of a HEIC. */
const HEAD_BYTES = 262_144;
/** Bytes at the start of an appended image that are searched. */
const IMAGE_HEAD_BYTES = 16_384;
const IMAGES_MAX = 16;

/** The marks of gain maps: Adobe's and Google's, Apple's, and ISO 21496-1. */
const GAIN_MAP = /hdr-gain-map\/1\.0\/|hdrgainmap|HDRGainMap|urn:iso:std:iso:ts:21496:-1/;

/**
 * @param source the path of the file, or its content
 * @returns warnings for what the source has in addition to its image: results contain neither gain maps nor videos
 */
export const appendedWarnings = (source: string | Buffer, format: FormatId): Warning[] => {
  const search = SEARCHES[format];
  if (search === undefined) {
    return [];
  }
  if (typeof source !== "string") {
    return search(source.subarray(0, HEAD_BYTES), (at, length) => source.subarray(at, at + length));
  }
  const file = openSync(source, "r");
  try {
    const read = (at: number, length: number): Buffer => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, at));
    };
    return search(read(0, HEAD_BYTES), read);
  } finally {
    closeSync(file);
  }
};

type Read = (at: number, length: number) => Buffer;
type Search = (head: Buffer, read: Read) => Warning[];

/** A gain map is an auxiliary image of its type, or belongs to a tone-mapped image (ISO/IEC 23008-12). */
const searchBoxes: Search = (head) =>
  /hdrgainmap|infe.{8}tmap/s.test(head.toString("latin1")) ? [GAIN_MAP_WARNING] : [];

const searchJpeg: Search = (head, read) => {
  const gainMap =
    describesGainMap(head) || imagesAfter(head).some((at) => GAIN_MAP.test(String(read(at, IMAGE_HEAD_BYTES))));
  return [...(gainMap ? [GAIN_MAP_WARNING] : []), ...(describesMotion(head) ? [MOTION_WARNING] : [])];
};

const MULTI_PICTURE = Buffer.from("MPF\0", "latin1");
const ENTRIES_TAG = 0xb002;

/** @returns the offsets of the images after the first one (CIPA DC-007, 5.2.3) */
const imagesAfter = (head: Buffer): number[] => {
  const found = head.indexOf(MULTI_PICTURE);
  if (found < 0) {
    return [];
  }
  const start = found + MULTI_PICTURE.length;
  const little = head.toString("latin1", start, start + 2) === "II";
  const number = (at: number, bytes: 2 | 4): number =>
    at + bytes > head.length ? 0 : little ? head.readUIntLE(at, bytes) : head.readUIntBE(at, bytes);
  const directory = start + number(start + 4, 4);
  const tags = Array.from({ length: Math.min(number(directory, 2), 16) }, (_, index) => directory + 2 + index * 12);
  const entries = tags.find((at) => number(at, 2) === ENTRIES_TAG);
  if (entries === undefined) {
    return [];
  }
  const count = Math.min(number(entries + 4, 4) >> 4, IMAGES_MAX);
  const list = start + number(entries + 8, 4);
  return Array.from({ length: count }, (_, index) => number(list + index * 16 + 8, 4))
    .filter((offset) => offset > 0)
    .map((offset) => start + offset);
};

const SEARCHES: Partial<Record<FormatId, Search>> = { jpg: searchJpeg, heic: searchBoxes, avif: searchBoxes };

const GAIN_MAP_WARNING: Warning = {
  code: "gain_map_dropped",
  detail: "The HDR gain map is not kept: the result is the image for standard screens.",
};

const MOTION_WARNING: Warning = {
  code: "motion_photo_dropped",
  detail: "The video of the motion photo is not kept: the result is its still image.",
};
