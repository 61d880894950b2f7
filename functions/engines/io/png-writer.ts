import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { crc32, createDeflate, deflateSync } from "node:zlib";

/** What a PNG holds beside its pixels. */
export interface PngHeader {
  readonly width: number;
  readonly height: number;
  /** 3: red, green, blue; 4: alpha too. Eight bits each. */
  readonly channels: 3 | 4;
  readonly profile?: Uint8Array | undefined;
  /** The TIFF structure, without `Exif\0\0` before it. */
  readonly exif?: Uint8Array | undefined;
  readonly xmp?: Uint8Array | undefined;
}

/**
 * Writes a PNG that is not compressed, for the next step to read: ImageMagick needs 740 ms for the 12 megapixels that
 * this needs 200 for, and sharp then reads it in 160 ms rather than 350.
 *
 * @param rows the pixels, whole rows at a time, from above
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

/** Puts the filter type before each row: 0, as it is. */
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
