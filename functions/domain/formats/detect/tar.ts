import { constants, gunzipSync, zstdDecompressSync } from "node:zlib";

/** Bytes of a packed file that are unpacked to see whether it holds a tar; its first header has 512. */
const LOOK_BYTES = 4_096;
/** Bytes that these can become: Deflate packs to a thousandth, and Zstandard stops by itself at a block of 128 kB. */
const LOOKED_BYTES_MAX = 8_000_000;

const BLOCK_BYTES = 512;

/** @returns whether the bytes begin with the header of a tar, by its checksum: V7 tars have no mark */
export const isTar = (head: Uint8Array): boolean => {
  const block = head.subarray(0, BLOCK_BYTES);
  if (block.length < BLOCK_BYTES || block[0] === 0) {
    return false;
  }
  const field = String.fromCharCode(...block.subarray(148, 156)).replace(/[\0 ]+$/, "");
  const sum = block.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
  return /^ *[0-7]+$/.test(field) && Number.parseInt(field.trim(), 8) === sum;
};

/** @returns whether what is packed by gzip or Zstandard begins like a tar */
export const holdsTar = (head: Uint8Array, format: "gz" | "zst"): boolean => {
  const packed = head.subarray(0, LOOK_BYTES);
  try {
    const plain =
      format === "gz"
        ? gunzipSync(packed, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: LOOKED_BYTES_MAX })
        : zstdDecompressSync(head, { finishFlush: constants.ZSTD_e_flush, maxOutputLength: LOOKED_BYTES_MAX });
    return isTar(plain);
  } catch {
    return false;
  }
};
