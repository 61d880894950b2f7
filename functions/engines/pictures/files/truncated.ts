import { type FileHandle, open } from "node:fs/promises";
import type { FormatId } from "../../../domain/formats/formats.ts";

/**
 * Detects truncated files in formats whose decoders do not report it: libnsgif omits the missing frames, libheif leaves
 * tiles gray, ImageMagick leaves rows of a PSD black, and LibRaw those of some cameras, all without an error.
 *
 * @param source the path of the file, or its content
 * @returns whether the sizes in the file exceed its length; false for formats that need no such check
 */
export const isTruncated = async (source: string | Buffer, format: FormatId): Promise<boolean> => {
  const endOf = ENDS[format];
  if (endOf === undefined) {
    return false;
  }
  if (typeof source !== "string") {
    return (await endOf((at) => source[at] ?? 0, source.length)) > source.length;
  }
  const file = await open(source);
  try {
    const { size } = await file.stat();
    return (await endOf(reader(file, size), size)) > size;
  } finally {
    await file.close();
  }
};

type EndOf = (byteAt: ByteAt, size: number) => Promise<number>;

/** @returns the end of the top-level boxes (ISO/IEC 14496-12, 4.2); each declares its size */
const endOfBoxes = async (byteAt: ByteAt, size: number): Promise<number> => {
  let at = 0;
  while (at < size) {
    const short = await numberAt(byteAt, at, 4);
    const bytes = short === 1 ? await numberAt(byteAt, at + 8, 8) : short;
    if (bytes < 8) {
      // 0 means up to the end of the file; any other value is not a valid box, which the decoder reports.
      return size;
    }
    at += bytes;
  }
  return at;
};

const PSD_HEADER_BYTES = 26;
const PSD_RAW = 0;
const PSD_RUNS = 1;

/**
 * @returns the end of the flattened image, which is the last section (Adobe Photoshop File Formats Specification,
 * "Image Data"); in a packed one, each row declares its size. Other compressions are left to the decoder.
 */
const endOfPsd = async (byteAt: ByteAt, size: number): Promise<number> => {
  const numbers = (at: number, bytes: number) => numberAt(byteAt, at, bytes);
  const large = (await numbers(4, 2)) === 2;
  const [channels, height, width, depth] = [
    await numbers(12, 2),
    await numbers(14, 4),
    await numbers(18, 4),
    await numbers(22, 2),
  ];
  let at = PSD_HEADER_BYTES;
  for (const lengthBytes of [4, 4, large ? 8 : 4]) {
    at += lengthBytes + (await numbers(at, lengthBytes));
  }
  const packing = await numbers(at, 2);
  at += 2;
  if (packing === PSD_RAW) {
    return at + channels * height * Math.ceil((width * depth) / 8);
  }
  return packing === PSD_RUNS ? endOfRuns(byteAt, at, { rows: channels * height, bytes: large ? 4 : 2, size }) : at;
};

const endOfRuns = async (
  byteAt: ByteAt,
  start: number,
  { rows, bytes, size }: { rows: number; bytes: number; size: number },
): Promise<number> => {
  let end = start + rows * bytes;
  for (let row = 0; row < rows && end <= size; row += 1) {
    end += await numberAt(byteAt, start + row * bytes, bytes);
  }
  return end;
};

const SGI_HEADER_BYTES = 512;

/**
 * @returns the end of the rows of an SGI image (The SGI Image File Format, 1.00); in a packed one, tables contain the
 * offset and length of each row
 */
const endOfSgi = async (byteAt: ByteAt, size: number): Promise<number> => {
  const [packed, bytes] = [await byteAt(2), await byteAt(3)];
  const [width, height, channels] = [
    await numberAt(byteAt, 6, 2),
    await numberAt(byteAt, 8, 2),
    await numberAt(byteAt, 10, 2),
  ];
  const rows = height * channels;
  if (packed === 0) {
    return SGI_HEADER_BYTES + rows * width * bytes;
  }
  let end = SGI_HEADER_BYTES + rows * 8;
  for (let row = 0; row < rows && end <= size; row += 1) {
    const start = await numberAt(byteAt, SGI_HEADER_BYTES + row * 4, 4);
    end = Math.max(end, start + (await numberAt(byteAt, SGI_HEADER_BYTES + (rows + row) * 4, 4)));
  }
  return end;
};

const GIF_HEADER_BYTES = 13;
const GIF_IMAGE = 0x2c;
const GIF_EXTENSION = 0x21;

/**
 * @returns the end of the last block (GIF89a, appendix A). A file without a trailer is complete: some encoders omit it,
 * and nothing is lost.
 */
const endOfGif = async (byteAt: ByteAt, size: number): Promise<number> => {
  let at = GIF_HEADER_BYTES + tableBytes(await byteAt(10));
  while (at < size) {
    const kind = await byteAt(at);
    if (kind === GIF_IMAGE) {
      // Descriptor, local color table, one byte of code size, then the pixels.
      at = await endOfSubBlocks(byteAt, at + 10 + tableBytes(await byteAt(at + 9)) + 1, size);
    } else if (kind === GIF_EXTENSION) {
      at = await endOfSubBlocks(byteAt, at + 2, size);
    } else {
      // The trailer, or bytes that are not a block: the rest is left to the decoder.
      return at + 1;
    }
  }
  return at;
};

const endOfSubBlocks = async (byteAt: ByteAt, start: number, size: number): Promise<number> => {
  let at = start;
  while (at < size) {
    const known = byteAt(at);
    const length = typeof known === "number" ? known : await known;
    at += length + 1;
    if (length === 0) {
      return at;
    }
  }
  // The terminator of the sub-blocks is beyond the end of the file.
  return size + 1;
};

/** @returns the size of the color table that a packed field declares */
const tableBytes = (packed: number): number => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1));

/** A JPEG-LS declares no size; without its end marker (ISO/IEC 14495-1, C.1), something is missing. */
const endOfJpegLs = async (byteAt: ByteAt, size: number): Promise<number> =>
  (await numberAt(byteAt, size - 2, 2)) === 0xffd9 ? size : size + 1;

/** Offset and length of the sensor data in the header, after those of the preview and of the tags. */
const endOfFujifilm = async (byteAt: ByteAt): Promise<number> =>
  (await numberAt(byteAt, 100, 4)) + (await numberAt(byteAt, 104, 4));

const STRIP_OFFSETS = 273;
const STRIP_BYTES = 279;
const PANASONIC_OFFSET = 280;
const UNSET = 0xffff_ffff;
const ENTRIES_MAX = 200;

/** @returns the end of the sensor data, which the first directory declares, in little-endian numbers */
const endOfPanasonic = async (byteAt: ByteAt): Promise<number> => {
  const longAt = async (at: number): Promise<number> =>
    Buffer.from((await numberAt(byteAt, at, 4)).toString(16).padStart(8, "0"), "hex").readUInt32LE();
  const directory = await longAt(4);
  const count = Math.min((await byteAt(directory)) + 256 * (await byteAt(directory + 1)), ENTRIES_MAX);
  const values = new Map<number, number>();
  for (let at = directory + 2; at < directory + 2 + count * 12; at += 12) {
    values.set((await byteAt(at)) + 256 * (await byteAt(at + 1)), await longAt(at + 8));
  }
  const strip = values.get(STRIP_OFFSETS) ?? UNSET;
  const start = values.get(PANASONIC_OFFSET) ?? (strip === UNSET ? 0 : strip);
  // Without a length, at least one byte must exist.
  return start + (values.get(STRIP_BYTES) ?? 1);
};

/** Functions that return the declared end of a file, by format. */
const ENDS: Partial<Record<FormatId, EndOf>> = {
  gif: endOfGif,
  avif: endOfBoxes,
  heic: endOfBoxes,
  cr3: endOfBoxes,
  jls: endOfJpegLs,
  raf: endOfFujifilm,
  rw2: endOfPanasonic,
  psd: endOfPsd,
  psb: endOfPsd,
  sgi: endOfSgi,
};

/** Reads one byte; 0 beyond the end. */
type ByteAt = (at: number) => number | Promise<number>;

const numberAt = async (byteAt: ByteAt, at: number, bytes: number): Promise<number> => {
  let value = 0;
  for (let index = 0; index < bytes; index += 1) {
    value = value * 256 + (await byteAt(at + index));
  }
  return value;
};

const WINDOW_BYTES = 65_536;

/** @returns a reader with one window of the file in memory, so memory usage is constant */
const reader = (file: FileHandle, size: number): ByteAt => {
  const window = Buffer.alloc(WINDOW_BYTES);
  let start = 0;
  let end = 0;
  const load = async (at: number): Promise<number> => {
    const { bytesRead } = await file.read(window, 0, WINDOW_BYTES, at);
    [start, end] = [at, at + bytesRead];
    return bytesRead === 0 ? 0 : (window[0] ?? 0);
  };
  // 8-byte sizes may point beyond any file, where Node refuses to read.
  return (at) => (at >= start && at < end ? (window[at - start] ?? 0) : at < size ? load(at) : 0);
};
