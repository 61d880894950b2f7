/** Boxes of MP4 and QuickTime (ISO/IEC 14496-12, 4.2), written and changed by hand. */

/** @returns the numbers as big-endian words of 32 bits */
export const words = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) {
    bytes.writeUInt32BE(value, 4 * index);
  }
  return bytes;
};

/** @returns a box with its size */
export const box = (name: string, ...content: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([words(8 + body.length), Buffer.from(name, "latin1"), body]);
};

/**
 * @param path names of nested boxes, outermost first
 * @returns the bytes with another content in the first box at this path; the sizes of enclosing boxes are updated,
 * offsets in tables are not
 */
export const rewritten = (bytes: Buffer, path: readonly string[], change: (content: Buffer) => Uint8Array): Buffer => {
  const [name = "", ...rest] = path;
  const parts: Uint8Array[] = [];
  let isDone = false;
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = Math.max(8, bytes.readUInt32BE(at));
    const content = bytes.subarray(at + 8, at + size);
    const found: boolean = !isDone && bytes.toString("latin1", at + 4, at + 8) === name;
    isDone ||= found;
    const inner = rest.length === 0 ? change : (within: Buffer) => rewritten(within, rest, change);
    parts.push(found ? box(name, inner(content)) : bytes.subarray(at, at + size));
    at += size;
  }
  return Buffer.concat(parts);
};

/** The path to the sample description of the first track. */
export const SAMPLES = ["moov", "trak", "mdia", "minf", "stbl"] as const;
