import type { Metadata } from "sharp";
import type { FormatId } from "../../../domain/formats/formats.ts";
import { INEXPRESSIBLE, type Resolution, resolutionOfJfif, resolutionOfPng } from "./resolution.ts";

/** The part of sharp's metadata that conversions use. */
export type PlainHeader = Pick<Metadata, "autoOrient" | "format" | "hasAlpha" | "hasProfile" | "space"> &
  Partial<
    Pick<Metadata, "compression" | "delay" | "density" | "exif" | "iptc" | "loop" | "orientation" | "pages" | "xmp">
  > & {
    /** Whether the image has no metadata that would have to be copied to the result. @default false */
    readonly isBare?: boolean;
    /** What is written to the JPEG of a bare image, if the source specifies it. */
    readonly resolution?: Resolution | undefined;
  };

/**
 * Reads the header of an image that has only pixels and what does not affect them. sharp opens an image twice for that,
 * which takes a tenth of the conversion of a small one.
 *
 * @returns undefined for all other images; sharp reads their metadata
 */
export const plainHeader = (source: string | Buffer, from: FormatId, to: FormatId): PlainHeader | undefined => {
  // The resolution is only written to TIFF.
  if (typeof source === "string" || to === "tiff") {
    return undefined;
  }
  return from === "png" ? plainPng(source, to) : from === "jpg" ? plainJpeg(source, to) : undefined;
};

const PNG_SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
const PNG_HEADER_BYTES = 33;
const CHUNK_FRAME_BYTES = 12;
const [BITS, RGB, RGBA] = [8, 2, 6];

/** Chunks without a color profile, transparency, orientation or frames (PNG, Third Edition, 11.3). */
const PLAIN_CHUNKS: ReadonlySet<string> = new Set(["pHYs", "tIME", "sRGB", "gAMA", "cHRM", "sBIT", "bKGD"]);

/** A PNG of 8 bits per channel in color, not interlaced. */
const plainPng = (bytes: Buffer, to: FormatId): PlainHeader | undefined => {
  const isPng = bytes.length > PNG_HEADER_BYTES && bytes.subarray(0, 8).equals(PNG_SIGNATURE);
  if (!isPng || bytes.readUInt32BE(8) !== 13 || bytes.toString("latin1", 12, 16) !== "IHDR") {
    return undefined;
  }
  const [bits, color, compression, filter, interlace] = bytes.subarray(24, 29);
  if (bits !== BITS || (color !== RGB && color !== RGBA) || compression !== 0 || filter !== 0 || interlace !== 0) {
    return undefined;
  }
  let resolution: Found;
  for (let at = PNG_HEADER_BYTES; at + CHUNK_FRAME_BYTES <= bytes.length; ) {
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (type === "IDAT") {
      const size = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] as const;
      return headerOf("png", size, { hasAlpha: color === RGBA, ...bareness(to, resolution) });
    }
    if (!PLAIN_CHUNKS.has(type)) {
      return undefined;
    }
    if (type === "pHYs") {
      resolution = resolutionOfPng(bytes, at + 8);
    }
    at += CHUNK_FRAME_BYTES + bytes.readUInt32BE(at);
  }
  return undefined;
};

const [MARKER, START, JFIF, TABLES, HUFFMAN, INTERVAL, COMMENT] = [0xff, 0xd8, 0xe0, 0xdb, 0xc4, 0xdd, 0xfe];
const [BASELINE, PROGRESSIVE, SCAN] = [0xc0, 0xc2, 0xda];
const YCBCR_CHANNELS = 3;

/** A JPEG in color without application segments other than JFIF (ITU-T T.81, B.1; T.871). */
const plainJpeg = (bytes: Buffer, to: FormatId): PlainHeader | undefined => {
  if (bytes[0] !== MARKER || bytes[1] !== START) {
    return undefined;
  }
  let size: readonly [number, number] | undefined;
  let resolution: Found;
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === MARKER; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === SCAN) {
      return size && headerOf("jpeg", size, { hasAlpha: false, ...bareness(to, resolution) });
    }
    if (marker === BASELINE || marker === PROGRESSIVE) {
      if (at + 10 > bytes.length || bytes[at + 4] !== BITS || bytes[at + 9] !== YCBCR_CHANNELS) {
        return undefined;
      }
      size = [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
    } else if (![JFIF, TABLES, HUFFMAN, INTERVAL, COMMENT].includes(marker)) {
      return undefined;
    }
    if (marker === JFIF) {
      resolution ??= resolutionOfJfif(bytes, at + 4);
    }
  }
  return undefined;
};

type Found = Resolution | typeof INEXPRESSIBLE | undefined;

/** An image is bare if the target has a field for its resolution, which otherwise EXIF must state. */
const bareness = (to: FormatId, resolution: Found): Pick<PlainHeader, "isBare" | "resolution"> =>
  resolution === undefined || (resolution !== INEXPRESSIBLE && WITH_RESOLUTION.includes(to))
    ? { isBare: true, resolution }
    : {};

/** Formats with such a field. */
const WITH_RESOLUTION: readonly FormatId[] = ["jpg", "png"];

const headerOf = (
  format: "jpeg" | "png",
  [width, height]: readonly [number, number],
  own: Pick<PlainHeader, "hasAlpha" | "isBare" | "resolution">,
): PlainHeader | undefined =>
  width === 0 || height === 0
    ? undefined
    : { format, autoOrient: { width, height }, hasProfile: false, space: "srgb", ...own };
