import { constants, gunzipSync, zstdDecompressSync } from "node:zlib";

/** Bytes of a compressed file that are decompressed to check for a tar; its first header has 512. */
const INSPECTED_BYTES = 4_096;
/**
 * Maximum bytes that they decompress to: Deflate saves at most a factor of 1,000, and Zstandard stops after a block of
 * 128 kB.
 */
const UNPACKED_BYTES_MAX = 8_000_000;

const BLOCK_BYTES = 512;

/** @returns whether the bytes start with a tar header, by its checksum: V7 tars have no signature */
export const isTar = (head: Uint8Array): boolean => {
  const block = head.subarray(0, BLOCK_BYTES);
  if (block.length < BLOCK_BYTES || block[0] === 0) {
    return false;
  }
  const field = String.fromCharCode(...block.subarray(148, 156)).replace(/[\0 ]+$/, "");
  const sum = block.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
  return /^ *[0-7]+$/.test(field) && Number.parseInt(field.trim(), 8) === sum;
};

/** @returns whether the content of a gzip or Zstandard file starts like a tar */
export const holdsTar = (head: Uint8Array, format: "gz" | "zst"): boolean => {
  const packed = head.subarray(0, INSPECTED_BYTES);
  try {
    const plain =
      format === "gz"
        ? gunzipSync(packed, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: UNPACKED_BYTES_MAX })
        : zstdDecompressSync(head, { finishFlush: constants.ZSTD_e_flush, maxOutputLength: UNPACKED_BYTES_MAX });
    return isTar(plain);
  } catch {
    return false;
  }
};
