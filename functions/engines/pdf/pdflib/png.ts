import { crc32, createInflate, inflateSync } from "node:zlib";
import { JobError } from "../../../domain/errors.ts";
import type { StoredImage } from "./image.ts";

/**
 * Color types that a PDF can read without separating the alpha channel, and their bit depths (PNG specification,
 * 11.2.1).
 */
const COLORS: Readonly<Record<number, { readonly components: 1 | 3; readonly depths: readonly number[] }>> = {
  0: { components: 1, depths: [1, 2, 4, 8, 16] },
  2: { components: 3, depths: [8, 16] },
  3: { components: 1, depths: [1, 2, 4, 8] },
};
const PALETTE = 3;

/** Ratio to the uncompressed size above which a PNG is considered uncompressed and is compressed again. */
const COMPRESSED_SHARE_MAX = 0.95;
/** Minimum size in bytes for this check. */
const SMALL_BYTES = 100_000;

/**
 * Extracts the compressed pixels of a PNG unchanged: a PDF decodes them with the same filters.
 *
 * @param trusted whether we encoded the PNG; it is then accepted with any compression ratio
 * @returns the picture; undefined if it must be decoded: alpha, interlacing, no compression
 * @throws JobError `source_corrupt`
 */
export const readPng = async (bytes: Buffer, trusted = false): Promise<StoredImage | undefined> => {
  const chunks = chunksOf(bytes);
  const header = chunks.get("IHDR")?.[0];
  if (header === undefined || header.length < 13) {
    throw corrupt("missing header");
  }
  const [bits = 0, color = 0, , , interlaced] = header.subarray(8);
  const { components, depths } = COLORS[color] ?? {};
  const translucent = color === PALETTE && chunks.has("tRNS");
  // Other bit depths are left to the decoder to reject.
  if (components === undefined || depths?.includes(bits) !== true || interlaced !== 0 || translucent) {
    return undefined;
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const data = Buffer.concat(chunks.get("IDAT") ?? []);
  const plainBytes = height * (Math.ceil((width * components * bits) / 8) + 1);
  if (!trusted && data.length > SMALL_BYTES && data.length > COMPRESSED_SHARE_MAX * plainBytes) {
    return undefined;
  }
  if (!trusted) {
    await checkPixels(data, plainBytes);
  }
  return {
    ...{ width, height, components, bits, bytes: data, coding: "predicted" },
    palette: color === PALETTE ? paletteOf(chunks.get("PLTE")?.[0], bits) : undefined,
    profile: profileOf(chunks.get("iCCP")?.[0]),
    mask: keyOf(chunks.get("tRNS")?.[0], components),
  };
};

const SIGNATURE_BYTES = 8;

/** @returns the chunk contents by type, after verifying each CRC */
const chunksOf = (bytes: Buffer): Map<string, Buffer[]> => {
  const chunks = new Map<string, Buffer[]>();
  let at = SIGNATURE_BYTES;
  while (!chunks.has("IEND")) {
    const length = at + 12 <= bytes.length ? bytes.readUInt32BE(at) : Number.POSITIVE_INFINITY;
    const end = at + 8 + length;
    if (end + 4 > bytes.length) {
      throw corrupt("file is truncated");
    }
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) {
      throw corrupt("chunk checksum mismatch");
    }
    const type = bytes.toString("latin1", at + 4, at + 8);
    const alike = chunks.get(type) ?? [];
    alike.push(bytes.subarray(at + 8, end));
    chunks.set(type, alike);
    at = end + 4;
  }
  return chunks;
};

/** Bytes unpacked at a time while counting: 100 megapixels would need 1.5 GB. */
const UNPACKED_BYTES = 1_048_576;

const checkPixels = async (data: Buffer, plainBytes: number): Promise<void> => {
  const inflate = createInflate({ chunkSize: UNPACKED_BYTES });
  let bytes = 0;
  try {
    inflate.end(data);
    for await (const chunk of inflate) {
      bytes += chunk.length;
      if (bytes > plainBytes) {
        break;
      }
    }
  } catch (error) {
    throw corrupt("pixel data cannot be decompressed", error);
  }
  if (bytes !== plainBytes) {
    throw corrupt(`${bytes < plainBytes ? "too little" : "too much"} pixel data`);
  }
};

/** Pads a palette that is too short for the bit depth with black, as decoders do. */
const paletteOf = (colors: Buffer | undefined, bits: number): Uint8Array => {
  if (colors === undefined || colors.length < 3) {
    throw corrupt("missing palette");
  }
  const palette = new Uint8Array(3 * 2 ** bits);
  palette.set(colors.subarray(0, palette.length));
  return palette;
};

const PROFILE_BYTES_MAX = 10_000_000;

/**
 * A zero-terminated name, the method, then the compressed profile. A damaged profile is not a reason to reject the
 * picture.
 */
const profileOf = (chunk: Buffer | undefined): Uint8Array | undefined => {
  if (chunk === undefined) {
    return undefined;
  }
  try {
    return inflateSync(chunk.subarray(chunk.indexOf(0) + 2), { maxOutputLength: PROFILE_BYTES_MAX });
  } catch {
    return undefined;
  }
};

/** @returns the transparent color, as minimum and maximum of each component */
const keyOf = (chunk: Buffer | undefined, components: number): number[] | undefined =>
  chunk === undefined || chunk.length < 2 * components
    ? undefined
    : Array.from({ length: components }, (_, index) => chunk.readUInt16BE(2 * index)).flatMap((value) => [
        value,
        value,
      ]);

const corrupt = (why: string, cause?: unknown): JobError =>
  new JobError("source_corrupt", `The PNG could not be read: ${why}.`, { cause });
