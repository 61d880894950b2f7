import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { crc32, createDeflate, deflateSync } from "node:zlib";

/** The contents of a PNG in addition to its pixels. */
export interface PngHeader {
  readonly width: number;
  readonly height: number;
  /** 3: RGB; 4: RGBA. Eight bits each. */
  readonly channels: 3 | 4;
  readonly profile?: Uint8Array | undefined;
  /** The TIFF structure, without the `Exif\0\0` prefix. */
  readonly exif?: Uint8Array | undefined;
  readonly xmp?: Uint8Array | undefined;
}

/**
 * Writes an uncompressed PNG for the next step. For 12 megapixels, ImageMagick takes 740 ms and this takes 200 ms;
 * sharp then reads it in 160 ms instead of 350.
 *
 * @param rows the pixels, complete rows at a time, from the top
 * @see PNG specification, third edition
 */
export const writePng = async (
  path: string,
  { width, height, channels, profile, exif, xmp }: PngHeader,
  rows: Iterable<Uint8Array>,
): Promise<void> => {
  const file = await open(path, "wx");
  const write = async (type: string, data: Uint8Array): Promise<void> => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(data.length);
    head.write(type, 4, "latin1");
    const check = Buffer.alloc(4);
    check.writeUInt32BE(crc32(data, crc32(head.subarray(4))));
    await file.writev([head, data, check]);
  };
  try {
    await file.write(SIGNATURE);
    const size = Buffer.alloc(8);
    size.writeUInt32BE(width, 0);
    size.writeUInt32BE(height, 4);
    await write("IHDR", Buffer.concat([size, Buffer.from([8, channels === 4 ? 6 : 2, 0, 0, 0])]));
    if (profile !== undefined) {
      await write("iCCP", Buffer.concat([Buffer.from("ICC\0\0", "latin1"), deflateSync(profile)]));
    }
    if (exif !== undefined) {
      await write("eXIf", exif);
    }
    if (xmp !== undefined) {
      await write("iTXt", Buffer.concat([Buffer.from("XML:com.adobe.xmp\0\0\0\0\0", "latin1"), xmp]));
    }
    const deflate = createDeflate({ level: 0, chunkSize: CHUNK_BYTES });
    await pipeline(filtered(rows, width * channels), deflate, async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        await write("IDAT", chunk);
      }
    });
    await write("IEND", Buffer.alloc(0));
  } finally {
    await file.close();
  }
};

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
const CHUNK_BYTES = 1_048_576;

/** Prefixes each row with filter type 0 (none). */
const filtered = function* (rows: Iterable<Uint8Array>, rowBytes: number): Generator<Buffer> {
  for (const some of rows) {
    const count = some.length / rowBytes;
    const lines = Buffer.alloc(count * (rowBytes + 1));
    for (let row = 0; row < count; row += 1) {
      lines.set(some.subarray(row * rowBytes, (row + 1) * rowBytes), row * (rowBytes + 1) + 1);
    }
    yield lines;
  }
};
