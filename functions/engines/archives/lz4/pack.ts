import { encodeBlock } from "./block.ts";
import { xxh32 } from "./xxh32.ts";

/** Bytes of a block, the largest size of the format (7 in the descriptor). */
const BLOCK_BYTES = 4 * 1_024 * 1_024;
/** The magic number, and the descriptor: version 1, independent blocks, a checksum of the content. */
const MAGIC = Buffer.from([0x04, 0x22, 0x4d, 0x18]);
const DESCRIPTOR = Buffer.from([0x64, 0x70]);
const STORED = 0x80000000;

/** Returns the bytes as one LZ4 frame. */
export const lz4Frame = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const header = xxh32();
  header.update(DESCRIPTOR);
  yield Buffer.concat([MAGIC, DESCRIPTOR, Buffer.from([(header.digest() >>> 8) & 0xff])]);
  const content = xxh32();
  for await (const plain of blocksOf(source)) {
    content.update(plain);
    const packed = encodeBlock(plain);
    yield number(packed === undefined ? plain.length + STORED : packed.length);
    yield packed ?? plain;
  }
  yield number(0);
  yield number(content.digest());
};

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

const blocksOf = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    held.push(chunk);
    bytes += chunk.length;
    while (bytes >= BLOCK_BYTES) {
      const all = Buffer.concat(held);
      yield all.subarray(0, BLOCK_BYTES);
      held = [all.subarray(BLOCK_BYTES)];
      bytes -= BLOCK_BYTES;
    }
  }
  if (bytes > 0) {
    yield Buffer.concat(held);
  }
};
