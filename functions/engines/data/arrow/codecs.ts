import { zstdDecompressSync } from "node:zlib";
import { CompressionType, compressionRegistry } from "apache-arrow";
import { lz4Content } from "../../archives/lz4/frames.ts";

/** Maximum unpacked bytes of one column of a record batch: writers limit batches to some megabytes. */
const COLUMN_BYTES_MAX = 256_000_000;

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Registers the decoders of compressed Arrow files: LZ4, which pandas and Polars use by default, and Zstandard. */
export const registerCodecs = (): void => {
  compressionRegistry.set(CompressionType.LZ4_FRAME, {
    decode: (packed) => lz4Content(bufferOf(packed), COLUMN_BYTES_MAX),
  });
  compressionRegistry.set(CompressionType.ZSTD, {
    decode: (packed) => zstdDecompressSync(packed, { maxOutputLength: COLUMN_BYTES_MAX }),
  });
};
