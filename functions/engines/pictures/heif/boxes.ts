import { type FileHandle, open } from "node:fs/promises";
import { JobError } from "../../../domain/errors.ts";

/** The properties of a HEIC's images (ISO/IEC 23008-12) that determine the choice of a decoder. */
export interface HeifHeader {
  readonly width: number;
  readonly height: number;
  /** Bits per channel of the primary image, and its chroma format: 1 is 4:2:0 (ISO/IEC 14496-15, 8.3.3.1). */
  readonly bits: number;
  readonly chroma: number;
  readonly alpha: boolean;
  /** Number of standalone images, and the index of the primary one. */
  readonly pictures: number;
  readonly main: number;
}

/**
 * @returns the header from the boxes
 * @throws JobError `source_corrupt` when they describe no image
 */
export const readHeifHeader = async (path: string): Promise<HeifHeader> => {
  const meta = await metaBox(path);
  const boxes = [...boxesIn(meta, 4, meta.length)];
  const find = (type: string): Box | undefined => boxes.find((box) => box.type === type);
  const items = itemsOf(meta, find("iinf"));
  const references = referencesOf(meta, find("iref"));
  const properties = propertiesOf(meta, find("iprp"));
  const primary = find("pitm");
  const main = primary === undefined ? 0 : idAt(meta, primary.start, meta[primary.start] === 0 ? 2 : 4);
  const size = properties.get(main)?.find(({ type }) => type === "ispe");
  if (size === undefined) {
    throw new JobError("source_corrupt", "The HEIC contains no image.");
  }
  // The tiles of a grid contain its coding.
  const tile = references.find(({ type, from }) => type === "dimg" && from === main)?.to[0] ?? main;
  const coding = properties.get(tile)?.find(({ type }) => type === "hvcC");
  const all = [...properties.values()].flat();
  const parts = new Set(references.flatMap(({ type, from, to }) => (type === "dimg" ? to : [from])));
  const shown = items.filter(({ id, hidden, type }) => !hidden && !parts.has(id) && PICTURES.includes(type));
  return {
    width: meta.readUInt32BE(size.start + 4),
    height: meta.readUInt32BE(size.start + 8),
    bits: coding === undefined ? 0 : ((meta[coding.start + 17] ?? 0) & 7) + 8,
    chroma: coding === undefined ? 0 : (meta[coding.start + 16] ?? 0) & 3,
    alpha: all.some((box) => box.type === "auxC" && ALPHA.test(meta.toString("latin1", box.start + 4, box.end))),
    pictures: shown.length,
    main: Math.max(
      0,
      shown.findIndex(({ id }) => id === main),
    ),
  };
};

const ALPHA = /^urn:(?:mpeg:hevc:2015:auxid:1|mpeg:mpegB:cicp:systems:auxiliary:alpha)\0/;

/** Item types of images: coded and derived ones. */
const PICTURES = ["hvc1", "grid", "iden", "iovl", "av01", "jpeg", "unci"];

interface Box {
  readonly type: string;
  /** Start and end of its contents. */
  readonly start: number;
  readonly end: number;
}

/** @returns the boxes in a byte range; boxes that exceed it are cut */
const boxesIn = function* (bytes: Buffer, from: number, to: number): Generator<Box> {
  for (let at = from; at + 8 <= to; ) {
    const length = bytes.readUInt32BE(at);
    const end = length === 0 ? to : Math.min(to, at + Math.max(8, length));
    yield { type: bytes.toString("latin1", at + 4, at + 8), start: at + 8, end };
    at = end;
  }
};

const META_BYTES_MAX = 8_000_000;
const TOP_BOXES_MAX = 100;

const metaBox = async (path: string): Promise<Buffer> => {
  const file = await open(path);
  try {
    let at = 0;
    for (let count = 0; count < TOP_BOXES_MAX; count += 1) {
      const head = await bytesAt(file, at, 16);
      const short = head.length < 16 ? 0 : head.readUInt32BE(0);
      const [length, start] = short === 1 ? [Number(head.readBigUInt64BE(8)), 16] : [short, 8];
      if (length < 8 || !Number.isSafeInteger(at + length)) {
        break;
      }
      if (head.toString("latin1", 4, 8) === "meta") {
        return bytesAt(file, at + start, Math.min(length - start, META_BYTES_MAX));
      }
      at += length;
    }
    throw new JobError("source_corrupt", "The HEIC has no meta box.");
  } finally {
    await file.close();
  }
};

const bytesAt = async (file: FileHandle, at: number, length: number): Promise<Buffer> => {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, at);
  return bytes.subarray(0, bytesRead);
};

/** @returns a number of two or four bytes; 0 beyond the end */
const idAt = (bytes: Buffer, versionAt: number, length: number, offset = 4): number =>
  versionAt + offset + length > bytes.length ? 0 : bytes.readUIntBE(versionAt + offset, length);

interface Item {
  readonly id: number;
  readonly type: string;
  readonly hidden: boolean;
}

/** @returns the items (`iinf` with `infe` of version 2 or 3, 8.11.6 of ISO/IEC 14496-12) */
const itemsOf = (bytes: Buffer, box: Box | undefined): Item[] => {
  if (box === undefined) {
    return [];
  }
  const first = box.start + (bytes[box.start] === 0 ? 6 : 8);
  return [...boxesIn(bytes, first, box.end)].map(({ start }) => {
    const idBytes = bytes[start] === 2 ? 2 : 4;
    const typeAt = start + 4 + idBytes + 2;
    return {
      id: idAt(bytes, start, idBytes),
      type: bytes.toString("latin1", typeAt, typeAt + 4),
      hidden: ((bytes[start + 3] ?? 0) & 1) === 1,
    };
  });
};

interface Reference {
  readonly type: string;
  readonly from: number;
  readonly to: readonly number[];
}

/**
 * @returns the references between items: `dimg` derived from, `thmb` thumbnail of, `auxl` auxiliary of, `cdsc`
 * describes
 */
const referencesOf = (bytes: Buffer, box: Box | undefined): Reference[] => {
  if (box === undefined) {
    return [];
  }
  const idBytes = bytes[box.start] === 0 ? 2 : 4;
  return [...boxesIn(bytes, box.start + 4, box.end)].map(({ type, start, end }) => {
    const count = Math.min(idAt(bytes, start, 2, idBytes), Math.floor((end - start) / idBytes));
    const to = Array.from({ length: count }, (_, index) => idAt(bytes, start, idBytes, idBytes + 2 + index * idBytes));
    return { type, from: idAt(bytes, start, idBytes, 0), to };
  });
};

/** @returns the properties of each item (`ipco` and `ipma`, ISO/IEC 23008-12, 9.3) */
const propertiesOf = (bytes: Buffer, box: Box | undefined): Map<number, Box[]> => {
  const inner = box === undefined ? [] : [...boxesIn(bytes, box.start, box.end)];
  const container = inner.find(({ type }) => type === "ipco");
  const all = container === undefined ? [] : [...boxesIn(bytes, container.start, container.end)];
  const properties = new Map<number, Box[]>();
  for (const { start, end } of inner.filter(({ type }) => type === "ipma")) {
    const idBytes = bytes[start] === 0 ? 2 : 4;
    const wide = ((bytes[start + 3] ?? 0) & 1) === 1;
    for (let at = start + 8; at + idBytes < end && at + idBytes < bytes.length; ) {
      const id = idAt(bytes, at, idBytes, 0);
      const count = bytes[at + idBytes] ?? 0;
      const first = at + idBytes + 1;
      const indices = Array.from({ length: count }, (_, index) =>
        wide ? idAt(bytes, first, 2, index * 2) & 0x7fff : (bytes[first + index] ?? 0) & 0x7f,
      );
      properties.set(id, [
        ...(properties.get(id) ?? []),
        ...indices.flatMap((index) => all.slice(Math.max(0, index - 1), index)),
      ]);
      at = first + count * (wide ? 2 : 1);
    }
  }
  return properties;
};
