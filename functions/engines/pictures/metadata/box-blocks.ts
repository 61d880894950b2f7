import type { Block, Read } from "./block.ts";

/** A box of an ISO base media file: its type, and start and end of its contents. */
interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const BOXES_MAX = 10_000;

/** @returns the boxes in a part of the file, at most {@link BOXES_MAX} (ISO/IEC 14496-12, 4.2) */
const boxesIn = function* (read: Read, from: number, to: number): Generator<Box> {
  for (let at = from, count = 0; at + 8 <= to && count < BOXES_MAX; count += 1) {
    const head = read(at, 16);
    if (head.length < 8) {
      return;
    }
    const short = head.readUInt32BE(0);
    const large = short === 1 && head.length === 16;
    const length = large ? Number(head.readBigUInt64BE(8)) : short;
    const end = short === 0 ? to : Math.min(to, at + Math.max(8, length));
    yield { type: head.toString("latin1", 4, 8), start: at + (large ? 16 : 8), end };
    at = end;
  }
};

/** Where the TIFF structure starts in the EXIF of a box or an item: after an offset, which counts from its end. */
const exifFrom = (read: Read, start: number, end: number): Block => {
  const offset = read(start, 4);
  return { kind: "exif", start: start + 4 + (offset.length < 4 ? 0 : offset.readUInt32BE()), end };
};

/** The end of a file, for boxes that are read until there are no more. */
const END = Number.MAX_SAFE_INTEGER;

/** Metadata boxes of a JPEG XL (ISO/IEC 18181-2, 9); the encoder here does not compress them. */
export const jxlBlocks = function* (read: Read): Generator<Block> {
  for (const { type, start, end } of boxesIn(read, 0, END)) {
    if (type === "Exif") {
      yield exifFrom(read, start, end);
    } else if (type === "xml ") {
      yield { kind: "xmp", start, end };
    }
  }
};

/** Metadata items of an AVIF (ISO/IEC 23008-12, annex A); the encoder here writes each in one piece. */
export const heifBlocks = function* (read: Read): Generator<Block> {
  const meta = [...boxesIn(read, 0, END)].find(({ type }) => type === "meta");
  if (meta === undefined) {
    return;
  }
  const boxes = [...boxesIn(read, meta.start + 4, meta.end)];
  const [info, location] = ["iinf", "iloc"].map((name) => boxes.find(({ type }) => type === name));
  if (info === undefined || location === undefined) {
    return;
  }
  const extents = extentsOf(read(location.start, location.end - location.start));
  for (const { id, kind } of metadataItems(read, info)) {
    const extent = extents.get(id);
    if (extent !== undefined) {
      const [start, end] = [extent.at, extent.at + extent.bytes];
      yield kind === "exif" ? exifFrom(read, start, end) : { kind, start, end };
    }
  }
};

interface Item {
  readonly id: number;
  readonly kind: Block["kind"];
}

/** Item entries: those of version 3 have 32-bit identifiers (ISO/IEC 14496-12, 8.11.6). */
const metadataItems = (read: Read, { start, end }: Box): Item[] => {
  const first = start + (read(start, 1)[0] === 0 ? 6 : 8);
  return [...boxesIn(read, first, end)].flatMap((box): Item[] => {
    const entry = read(box.start, box.end - box.start);
    const long = entry[0] === 3;
    const id = long ? entry.readUInt32BE(4) : entry.readUInt16BE(4);
    const type = entry.toString("latin1", long ? 10 : 8, long ? 14 : 12);
    if (type !== "Exif" && !(type === "mime" && entry.includes("application/rdf+xml", 0, "latin1"))) {
      return [];
    }
    return [{ id, kind: type === "Exif" ? "exif" : "xmp" }];
  });
};

/** @returns the position of each item that has one extent in the file (ISO/IEC 14496-12, 8.11.3) */
const extentsOf = (iloc: Buffer): Map<number, { at: number; bytes: number }> => {
  const version = iloc[0] ?? 0;
  const [sizes = 0, bases = 0] = iloc.subarray(4, 6);
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 4, sizes & 15, bases >> 4];
  const indexBytes = version === 0 ? 0 : bases & 15;
  let at = 6;
  const next = (bytes: number): number => {
    at += bytes;
    return bytes === 0 || at > iloc.length ? 0 : Number(`0x${iloc.toString("hex", at - bytes, at)}`);
  };
  const items = new Map<number, { at: number; bytes: number }>();
  const count = next(version < 2 ? 2 : 4);
  for (let item = 0; item < count && at < iloc.length; item += 1) {
    const id = next(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : next(2) & 15;
    next(2);
    const base = next(baseBytes);
    const extents = next(2);
    for (let extent = 0; extent < extents && at < iloc.length; extent += 1) {
      next(indexBytes);
      const [offset, bytes] = [next(offsetBytes), next(lengthBytes)];
      if (extents === 1 && method === 0) {
        items.set(id, { at: base + offset, bytes });
      }
    }
  }
  return items;
};
