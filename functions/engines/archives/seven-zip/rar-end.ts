import { open } from "node:fs/promises";
import { crc32 } from "node:zlib";

/** Bytes at the end of a file that are searched for the last block: some programs append a signature or zeros. */
const TAIL_BYTES = 65_536;

/** The signature of RAR 5 has eight bytes; older ones have seven and end in zero. */
const RAR5_AT = 6;
/** Offset of the type of the first block in RAR 5, and the type which means that all other blocks are encrypted. */
const RAR5_KIND_AT = 13;
const RAR5_SEALED = 4;

/**
 * @returns whether the archive has its last block. unar reports success for an archive truncated between two files
 * (1.10.1). Programs before RAR 3 wrote no last block, so older archives always pass.
 */
export const hasRarEnd = async (input: string): Promise<boolean> => {
  const file = await open(input);
  try {
    const { size } = await file.stat();
    const { buffer: head } = await file.read(Buffer.alloc(RAR5_KIND_AT + 1), 0, RAR5_KIND_AT + 1, 0);
    const at = Math.max(0, size - TAIL_BYTES);
    const { buffer: tail, bytesRead } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, at);
    return head[RAR5_AT] !== 1 || head[RAR5_KIND_AT] === RAR5_SEALED || hasLastBlock(tail.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
};

const LAST_KIND = 5;
const CHECKSUM_BYTES = 4;
/** Type, flags and, for volumes, one more number. */
const SIZES = [3, 4, 5] as const;

/** @returns whether the bytes have an end block with a valid checksum (rarlab.com/technote.htm) */
const hasLastBlock = (bytes: Buffer): boolean => {
  for (let at = bytes.length - CHECKSUM_BYTES - 1 - SIZES[0]; at >= 0; at -= 1) {
    const size = SIZES.find((each) => each === bytes[at + CHECKSUM_BYTES]);
    if (size !== undefined && bytes[at + CHECKSUM_BYTES + 1] === LAST_KIND) {
      const block = bytes.subarray(at + CHECKSUM_BYTES, at + CHECKSUM_BYTES + 1 + size);
      if (block.length === 1 + size && crc32(block) === bytes.readUInt32LE(at)) {
        return true;
      }
    }
  }
  return false;
};
