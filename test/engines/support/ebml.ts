/** Matroska elements (RFC 8794, RFC 9559), written and read by hand. */

/** @returns an element: its ID in hexadecimal, its size in eight bytes, its content */
export const element = (id: string, ...content: readonly (Uint8Array | string | number)[]): Buffer => {
  const body = Buffer.concat(content.map(bytesOf));
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(body.length) | (1n << 56n));
  return Buffer.concat([Buffer.from(id, "hex"), size, body]);
};

const bytesOf = (content: Uint8Array | string | number): Uint8Array => {
  if (typeof content !== "number") {
    return typeof content === "string" ? Buffer.from(content) : content;
  }
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(content));
  return bytes;
};

/** @returns the size at the offset, and the offset of the content */
const sizeAt = (bytes: Buffer, at: number): { size: number; start: number } => {
  const length = Math.clz32(bytes[at] ?? 0) - 23;
  const value = Buffer.concat([Buffer.alloc(8 - length), bytes.subarray(at, at + length)]).readBigUInt64BE();
  return { size: Number(value & ((1n << BigInt(7 * length)) - 1n)), start: at + length };
};

/** An element in a file. */
export interface FoundElement {
  readonly id: string;
  readonly content: Buffer;
  readonly raw: Buffer;
}

/** @returns the consecutive elements in the bytes */
export const elementsIn = (bytes: Buffer): FoundElement[] => {
  const found: FoundElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { size, start } = sizeAt(bytes, at + Math.clz32(bytes[at] ?? 0) - 23);
    const idBytes = Math.clz32(bytes[at] ?? 0) - 23;
    found.push({
      id: bytes.toString("hex", at, at + idBytes),
      content: bytes.subarray(start, start + size),
      raw: bytes.subarray(at, start + size),
    });
    at = start + size;
  }
  return found;
};

export const EBML = {
  head: "1a45dfa3",
  segment: "18538067",
  info: "1549a966",
  tracks: "1654ae6b",
  cluster: "1f43b675",
};

/** @returns a copy of the file with other elements in its segment */
export const resegmented = (
  file: Buffer,
  change: (elements: readonly FoundElement[]) => readonly Uint8Array[],
): Buffer => {
  const [head, segment] = elementsIn(file);
  if (head === undefined || segment === undefined) {
    throw new TypeError("Not a Matroska file.");
  }
  return Buffer.concat([head.raw, element(EBML.segment, ...change(elementsIn(segment.content)))]);
};
