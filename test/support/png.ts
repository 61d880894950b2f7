import { crc32, deflateSync } from "node:zlib";

/** @returns a chunk with its checksum (PNG specification, 5.3) */
const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
};

/**
 * @returns a 1-bit grayscale PNG with any size in its header; with `rows` it contains that many black rows, which
 * deflate makes a thousand times smaller
 */
export const hugePng = (width: number, height: number, rows = 0, before: readonly Buffer[] = []): Buffer => {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", Buffer.concat([size, Buffer.from([1, 0, 0, 0, 0])])),
    ...before,
    chunk("IDAT", deflateSync(Buffer.alloc(rows * (Math.ceil(width / 8) + 1)))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
};

/** The chunk that marks a PNG as animated, with its number of frames. */
export const animationControl = (frames: number): Buffer => {
  const data = Buffer.alloc(8);
  data.writeUInt32BE(frames, 0);
  return chunk("acTL", data);
};
