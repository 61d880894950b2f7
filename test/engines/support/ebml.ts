/** Elements of Matroska (RFC 8794, RFC 9559), written and read by hand. */

/** @returns an element: its id in hexadecimal, its size in eight bytes, its content */
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

/** @returns the size that begins at the place, and where its content does */
const sizeAt = (bytes: Buffer, at: number): { size: number; start: number } => {
  const length = Math.clz32(bytes[at] ?? 0) - 23;
  const value = Buffer.concat([Buffer.alloc(8 - length), bytes.subarray(at, at + length)]).readBigUInt64BE();
  return { size: Number(value & ((1n << BigInt(7 * length)) - 1n)), start: at + length };
};

/** An element as it stands in a file. */
export interface FoundElement {
  readonly id: string;
  readonly content: Buffer;
  readonly whole: Buffer;
}

/** @returns the elements that follow each other in the bytes */
export const elementsIn = (bytes: Buffer): FoundElement[] => {
  const found: FoundElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { size, start } = sizeAt(bytes, at + Math.clz32(bytes[at] ?? 0) - 23);
    const idBytes = Math.clz32(bytes[at] ?? 0) - 23;
    found.push({
      id: bytes.toString("hex", at, at + idBytes),
      content: bytes.subarray(start, start + size),
      whole: bytes.subarray(at, start + size),
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

/** @returns a file like this one, whose segment has other elements */
export const resegmented = (
  file: Buffer,
  change: (elements: readonly FoundElement[]) => readonly Uint8Array[],
): Buffer => {
  const [head, segment] = elementsIn(file);
  if (head === undefined || segment === undefined) {
    throw new TypeError("This is no Matroska file.");
  }
  return Buffer.concat([head.whole, element(EBML.segment, ...change(elementsIn(segment.content)))]);
};
