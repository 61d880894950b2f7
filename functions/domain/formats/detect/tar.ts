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
  const field = CHECKSUM.exec(String.fromCharCode(...block.subarray(SUM_AT, SUM_END)))?.[1];
  return field !== undefined && Number.parseInt(field, 8) === checksumOf(block);
};

/** The place of the checksum in a header, for which spaces are added up. */
const [SUM_AT, SUM_END] = [148, 156];
const CHECKSUM = /^ *([0-7]+)[\0 ]*$/;

const checksumOf = (block: Uint8Array): number =>
  block.reduce((total, byte, index) => total + (index >= SUM_AT && index < SUM_END ? 32 : byte), 0);

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
