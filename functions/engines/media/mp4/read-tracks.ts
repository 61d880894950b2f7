import { type FileHandle, open } from "node:fs/promises";

/** Tracks of an MP4, M4A or QuickTime file, from the headers of its boxes (ISO/IEC 14496-12, 8.1 to 8.4). */
export interface Mp4Track {
  readonly kind: "video" | "audio" | "other";
  /** Duration of the media in seconds; 0 if the file does not declare it, like fragmented files. */
  readonly seconds: number;
}

/** Boxes that are read; no file that ffmpeg writes has more. */
const BOXES_MAX = 2_000;

/**
 * @returns the tracks, with a few reads of 100 bytes; undefined if the file is not of this kind or has an invalid box.
 *   Its sample tables are not examined.
 */
export const readMp4Tracks = async (path: string): Promise<Mp4Track[] | undefined> => {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const reader = { file, left: BOXES_MAX };
    const movie = (await boxesIn(reader, { from: 0, to: size })).find(({ type }) => type === "moov");
    if (movie === undefined) {
      return undefined;
    }
    const tracks: Mp4Track[] = [];
    for (const { type, ...range } of await boxesIn(reader, movie)) {
      if (type === "trak") {
        tracks.push(await trackOf(reader, range));
      }
    }
    return tracks;
  } catch (error) {
    if (error instanceof InvalidBox) {
      return undefined;
    }
    throw error;
  } finally {
    await file.close();
  }
};

class InvalidBox extends Error {}

interface Reader {
  readonly file: FileHandle;
  left: number;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

interface Box extends Range {
  readonly type: string;
}

const HEADER_BYTES = 8;
const LONG_HEADER_BYTES = 16;

/** @returns the boxes of a range; `from` and `to` are the places of their contents */
const boxesIn = async (reader: Reader, { from, to }: Range): Promise<Box[]> => {
  const boxes: Box[] = [];
  for (let at = from; at + HEADER_BYTES <= to; ) {
    reader.left -= 1;
    const header = await bytesAt(reader.file, at, LONG_HEADER_BYTES);
    if (reader.left < 0 || header.length < HEADER_BYTES) {
      throw new InvalidBox();
    }
    const { bytes, headerBytes } = sizeOf(header, to - at);
    if (bytes < headerBytes || at + bytes > to) {
      throw new InvalidBox();
    }
    boxes.push({ type: header.toString("latin1", 4, 8), from: at + headerBytes, to: at + bytes });
    at += bytes;
  }
  return boxes;
};

/** Size 0 means up to the end, and 1 that 64 bits follow the type. */
const sizeOf = (header: Buffer, left: number): { readonly bytes: number; readonly headerBytes: number } => {
  const short = header.readUInt32BE(0);
  if (short !== 1) {
    return { bytes: short === 0 ? left : short, headerBytes: HEADER_BYTES };
  }
  if (header.length < LONG_HEADER_BYTES) {
    throw new InvalidBox();
  }
  return { bytes: Number(header.readBigUInt64BE(HEADER_BYTES)), headerBytes: LONG_HEADER_BYTES };
};

const bytesAt = async (file: FileHandle, at: number, count: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, at);
  return buffer.subarray(0, bytesRead);
};

const KINDS: Readonly<Record<string, Mp4Track["kind"]>> = { vide: "video", soun: "audio" };

const trackOf = async (reader: Reader, track: Range): Promise<Mp4Track> => {
  const media = (await boxesIn(reader, track)).find(({ type }) => type === "mdia");
  const boxes = media === undefined ? [] : await boxesIn(reader, media);
  const [header, handler] = [
    await contentOf(reader, boxes, { type: "mdhd", bytes: 20 }),
    await contentOf(reader, boxes, { type: "hdlr", bytes: 12 }),
  ];
  return { kind: KINDS[handler.toString("latin1", 8, 12)] ?? "other", seconds: secondsIn(header) };
};

/** Bytes of `mdhd` in version 1, whose times have 64 bits. */
const LONG_MEDIA_BYTES = 32;

/** @returns the start of a box, of at least this many bytes */
const contentOf = async (
  { file }: Reader,
  boxes: readonly Box[],
  { type, bytes }: { readonly type: string; readonly bytes: number },
): Promise<Buffer> => {
  const box = boxes.find((each) => each.type === type);
  if (box === undefined || box.to - box.from < bytes) {
    throw new InvalidBox();
  }
  return bytesAt(file, box.from, Math.min(LONG_MEDIA_BYTES, box.to - box.from));
};

/** The time scale and the duration follow two times of 32 bits each, or of 64 bits in version 1. */
const secondsIn = (header: Buffer): number => {
  if (header[0] === 1 && header.length < LONG_MEDIA_BYTES) {
    throw new InvalidBox();
  }
  const [scale, duration] =
    header[0] === 1
      ? [header.readUInt32BE(20), Number(header.readBigUInt64BE(24))]
      : [header.readUInt32BE(12), header.readUInt32BE(16)];
  return scale === 0 ? 0 : duration / scale;
};
