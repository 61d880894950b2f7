import { crc32, createInflate, inflateSync } from "node:zlib";
import { JobError } from "../../domain/errors.ts";
import type { StoredImage } from "./image.ts";

/** Colour types that a PDF reads without their alpha being taken apart, and their depths (PNG specification, 11.2.1). */
const COLOURS: Readonly<Record<number, { readonly components: 1 | 3; readonly depths: readonly number[] }>> = {
  0: { components: 1, depths: [1, 2, 4, 8, 16] },
  2: { components: 3, depths: [8, 16] },
  3: { components: 1, depths: [1, 2, 4, 8] },
};
const PALETTE = 3;

/** Share of the plain size from which on a PNG is as good as not compressed: it is then compressed anew. */
const COMPRESSED_SHARE_MAX = 0.95;
/** Bytes below which that does not matter. */
const SMALL_BYTES = 100_000;

/**
 * Takes the compressed pixels out of a PNG as they are: a PDF reads them with the same filters.
 *
 * @param trusted whether it is of our own making: it is then taken however little it is compressed
 * @returns the picture; undefined where it has to be decoded: alpha, interlacing, no compression
 * @throws JobError `source_corrupt`
 */
export const readPng = async (bytes: Buffer, trusted = false): Promise<StoredImage | undefined> => {
  const chunks = chunksOf(bytes);
  const header = chunks.get("IHDR")?.[0];
  if (header === undefined || header.length < 13) {
    throw corrupt("it has no header");
  }
  const [bits = 0, colour = 0, , , interlaced] = header.subarray(8);
  const { components, depths } = COLOURS[colour] ?? {};
  const translucent = colour === PALETTE && chunks.has("tRNS");
  // What has another depth is the decoder's to refuse.
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
    palette: colour === PALETTE ? paletteOf(chunks.get("PLTE")?.[0], bits) : undefined,
    profile: profileOf(chunks.get("iCCP")?.[0]),
    mask: keyOf(chunks.get("tRNS")?.[0], components),
  };
};

const SIGNATURE_BYTES = 8;

/** @returns the contents of the chunks, by type; each is held to its check */
const chunksOf = (bytes: Buffer): Map<string, Buffer[]> => {
  const chunks = new Map<string, Buffer[]>();
  let at = SIGNATURE_BYTES;
  while (!chunks.has("IEND")) {
    const length = at + 12 <= bytes.length ? bytes.readUInt32BE(at) : Number.POSITIVE_INFINITY;
    const end = at + 8 + length;
    if (end + 4 > bytes.length) {
      throw corrupt("it breaks off");
    }
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) {
      throw corrupt("the check of a chunk fails");
    }
    const type = bytes.toString("latin1", at + 4, at + 8);
    const alike = chunks.get(type) ?? [];
    alike.push(bytes.subarray(at + 8, end));
    chunks.set(type, alike);
    at = end + 4;
  }
  return chunks;
};

/** Bytes that are unpacked at a time, to be counted: those of 100 megapixels would be a gigabyte and a half. */
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
    throw corrupt("its pixels cannot be unpacked", error);
  }
  if (bytes !== plainBytes) {
    throw corrupt(`its pixels are ${bytes < plainBytes ? "not all there" : "more than it says"}`);
  }
};

/** A palette that is shorter than its pixels could ask for is filled up with black, as decoders do. */
const paletteOf = (colours: Buffer | undefined, bits: number): Uint8Array => {
  if (colours === undefined || colours.length < 3) {
    throw corrupt("it has no palette");
  }
  const palette = new Uint8Array(3 * 2 ** bits);
  palette.set(colours.subarray(0, palette.length));
  return palette;
};

const PROFILE_BYTES_MAX = 10_000_000;

/** A name that ends with a zero, the method, then the compressed profile. A damaged one is no reason to refuse the picture. */
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

/** @returns the colour that is not shown, as the least and the most of each component */
const keyOf = (chunk: Buffer | undefined, components: number): number[] | undefined =>
  chunk === undefined || chunk.length < 2 * components
    ? undefined
    : Array.from({ length: components }, (_, index) => chunk.readUInt16BE(2 * index)).flatMap((value) => [
        value,
        value,
      ]);

const corrupt = (why: string, cause?: unknown): JobError =>
  new JobError("source_corrupt", `The PNG could not be read: ${why}.`, { cause });
