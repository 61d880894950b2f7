/**
 * Whether an OpenEXR header is valid, from its first attribute to its end (OpenEXR, "File Layout"). The decoder trusts
 * every length, and searches endlessly for the end of a name beyond the end of the file.
 */
export const isExrHeader = (bytes: Buffer): boolean => {
  const parts = (bytes[5] ?? 0) & MULTI_PART;
  let at = MAGIC_BYTES;
  for (let part = 0; part < PARTS_MAX; part += 1) {
    const end = endOfAttributes(bytes, at);
    if (end === undefined || parts === 0) {
      return end !== undefined;
    }
    if (end === at + 1) {
      return part > 0;
    }
    at = end;
  }
  return false;
};

const MAGIC_BYTES = 8;
const MULTI_PART = 16;
const PARTS_MAX = 1_000;

/** Value sizes of types with a fixed size, in bytes. */
const BYTES: Readonly<Record<string, number>> = {
  box2i: 16,
  chromaticities: 32,
  compression: 1,
  envmap: 1,
  float: 4,
  int: 4,
  lineOrder: 1,
  rational: 8,
  tiledesc: 9,
  timecode: 8,
  v2f: 8,
  v3f: 12,
};

/** @returns the end of the attributes of a part; undefined when they are invalid */
const endOfAttributes = (bytes: Buffer, start: number): number | undefined => {
  let at = start;
  while (at < bytes.length && bytes[at] !== 0) {
    const nameEnd = bytes.indexOf(0, at);
    const typeEnd = nameEnd === -1 ? -1 : bytes.indexOf(0, nameEnd + 1);
    if (typeEnd === -1 || typeEnd + 5 > bytes.length) {
      return undefined;
    }
    const type = bytes.toString("latin1", nameEnd + 1, typeEnd);
    const size = bytes.readUInt32LE(typeEnd + 1);
    at = typeEnd + 5 + size;
    const fits = (BYTES[type] ?? size) === size && (type !== "chlist" || isChannelList(bytes, typeEnd + 5, size));
    if (at >= bytes.length || !fits) {
      return undefined;
    }
  }
  return at < bytes.length ? at + 1 : undefined;
};

/** After a channel's name: its type, a flag, three reserved bytes, and its sampling. */
const CHANNEL_BYTES = 16;

const isChannelList = (bytes: Buffer, start: number, size: number): boolean => {
  const end = start + size - 1;
  let at = start;
  while (at < end) {
    const nameEnd = bytes.indexOf(0, at);
    at = nameEnd === -1 ? Number.POSITIVE_INFINITY : nameEnd + 1 + CHANNEL_BYTES;
  }
  return at === end && end < bytes.length && bytes[end] === 0;
};
