import { deflateSync } from "node:zlib";
import type { LightPicture } from "./values.ts";

/** Rows per compressed block (OpenEXR, "File Layout", ZIP compression). */
const BLOCK_ROWS = 16;
const ZIP = 3;
const HALF = 1;

/** @returns a single-part scan-line OpenEXR image with half floats, compressed with zlib */
export const writeExr = (picture: LightPicture): Buffer => {
  const { width, height } = picture;
  const channels = hasAlpha(picture) ? ALPHA : OPAQUE;
  const head = header(width, height, channels);
  const blocks: Buffer[] = [];
  const offsets = Buffer.alloc(Math.ceil(height / BLOCK_ROWS) * 8);
  let at = head.length + offsets.length;
  for (let top = 0; top < height; top += BLOCK_ROWS) {
    const packed = pack(rowsOf(picture, top, channels));
    const start = Buffer.alloc(8);
    start.writeInt32LE(top, 0);
    start.writeInt32LE(packed.length, 4);
    offsets.writeBigUInt64LE(BigInt(at), (top / BLOCK_ROWS) * 8);
    blocks.push(start, packed);
    at += start.length + packed.length;
  }
  return Buffer.concat([head, offsets, ...blocks]);
};

/** Channels in alphabetical order, each with its index in the four values of a pixel. */
type Channels = readonly (readonly [name: string, index: number])[];
const OPAQUE: Channels = [
  ["B", 2],
  ["G", 1],
  ["R", 0],
];
const ALPHA: Channels = [["A", 3], ...OPAQUE];

const hasAlpha = ({ data }: LightPicture): boolean => {
  for (let at = 3; at < data.length; at += 4) {
    if ((data[at] ?? 1) < 1) {
      return true;
    }
  }
  return false;
};

const header = (width: number, height: number, channels: Channels): Buffer => {
  const list = channels.map(([name]) => Buffer.concat([text(name), integers(HALF, 0, 1, 1)]));
  const window = integers(0, 0, width - 1, height - 1);
  return Buffer.concat([
    Buffer.from("762f310102000000", "hex"),
    attribute("channels", "chlist", Buffer.concat([...list, Buffer.alloc(1)])),
    attribute("compression", "compression", Buffer.from([ZIP])),
    attribute("dataWindow", "box2i", window),
    attribute("displayWindow", "box2i", window),
    attribute("lineOrder", "lineOrder", Buffer.alloc(1)),
    attribute("pixelAspectRatio", "float", floats(1)),
    attribute("screenWindowCenter", "v2f", floats(0, 0)),
    attribute("screenWindowWidth", "float", floats(1)),
    Buffer.alloc(1),
  ]);
};

const text = (words: string): Buffer => Buffer.from(`${words}\0`, "latin1");
const integers = (...values: readonly number[]): Buffer => Buffer.from(Int32Array.from(values).buffer);
const floats = (...values: readonly number[]): Buffer => Buffer.from(Float32Array.from(values).buffer);

const attribute = (name: string, type: string, value: Buffer): Buffer =>
  Buffer.concat([text(name), text(type), integers(value.length), value]);

/** @returns rows with separate channels */
const rowsOf = ({ width, height, data }: LightPicture, top: number, channels: Channels): Buffer => {
  const rows = Math.min(BLOCK_ROWS, height - top);
  const values = new Float32Array(rows * width * channels.length);
  let target = 0;
  for (let y = top; y < top + rows; y += 1) {
    for (const [, index] of channels) {
      for (let x = 0; x < width; x += 1) {
        values[target] = data[(y * width + x) * 4 + index] ?? 0;
        target += 1;
      }
    }
  }
  return Buffer.from(new Float16Array(values).buffer);
};

/** Low bytes first, then high bytes, each as the difference to the previous one, which zlib compresses better. */
const pack = (bytes: Buffer): Buffer => {
  const half = bytes.length / 2;
  const differences = Buffer.alloc(bytes.length);
  let before = 128;
  for (let index = 0; index < bytes.length; index += 1) {
    const value = bytes[index < half ? index * 2 : (index - half) * 2 + 1] ?? 0;
    differences[index] = value - before + 128;
    before = value;
  }
  const packed = deflateSync(differences, { level: 4 });
  // A block that compression does not shrink is stored uncompressed.
  return packed.length < bytes.length ? packed : bytes;
};
