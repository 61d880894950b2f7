import { crc32, deflateSync } from "node:zlib";
import type { FormatId } from "../../../../functions/domain/formats/formats.ts";
import { animationControl, hugePng } from "../../../support/png.ts";
import { canvasGif } from "../pictures/gif.ts";
import { type Attack, attack, sample } from "./attack.ts";

/** Pictures and fonts that contain more than they show. */

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
};

const BEHIND_HEAD = 33;

/** @returns the sample with these bytes after its header */
const pngWith = (...chunks: readonly Buffer[]): Buffer => {
  const png = sample("png");
  return Buffer.concat([png.subarray(0, BEHIND_HEAD), ...chunks, png.subarray(BEHIND_HEAD)]);
};

const packedZeros = (megabytes: number): Buffer => deflateSync(Buffer.alloc(megabytes * 1_048_576));
const text = (letters: string): Buffer => Buffer.from(letters, "latin1");
const TARGETS: readonly FormatId[] = ["jpg", "webp", "pdf"];

/** @returns an animated PNG of 8 × 8 pixels, whose second frame has a given size, one bit per pixel */
const hugeFrame = (side: number): Buffer => {
  const control = (number: number, own: number): Buffer => {
    const data = Buffer.alloc(26);
    data.writeUInt32BE(number, 0);
    data.writeUInt32BE(own, 4);
    data.writeUInt32BE(own, 8);
    return chunk("fcTL", data);
  };
  const pixels = deflateSync(Buffer.alloc(side * (side / 8 + 1)));
  const [head, end] = [hugePng(8, 8, 8, [animationControl(2), control(0, 8)]), chunk("IEND", text(""))];
  const further = chunk("fdAT", Buffer.concat([Buffer.of(0, 0, 0, 2), pixels]));
  return Buffer.concat([head.subarray(0, -end.length), control(1, side), further, end]);
};

export const pictureBombs: readonly Attack[] = [
  attack("png", TARGETS, "a profile that decompresses to 200 MB", () =>
    pngWith(chunk("iCCP", Buffer.concat([text("icc\0\0"), packedZeros(200)]))),
  ),
  attack("png", TARGETS, "a text that decompresses to 200 MB", () =>
    pngWith(chunk("zTXt", Buffer.concat([text("Comment\0\0"), packedZeros(200)]))),
  ),
  attack("png", TARGETS, "300,000 empty chunks", () => pngWith(Buffer.alloc(12 * 300_000, chunk("tEXt", text(""))))),
  attack("png", TARGETS, "2^31 frames", () => pngWith(animationControl(2 ** 31 - 1))),
  attack("png", TARGETS, "pixels that decompress to 1 GB of excess rows", () =>
    Buffer.concat([hugePng(8, 8).subarray(0, BEHIND_HEAD), chunk("IDAT", packedZeros(500)), chunk("IEND", text(""))]),
  ),
  attack("apng", ["webp", "gif", "mp4"], "a frame of 16,000 × 16,000 on a picture of 8 × 8", () => hugeFrame(16_000)),
  attack("gif", ["webp", "png", "mp4"], "a canvas of 65,535 × 65,535", () =>
    canvasGif({ width: 65_535, height: 65_535, frames: 2 }),
  ),
  attack("gif", ["webp", "png"], "20,000 frames", () => canvasGif({ width: 500, height: 500, frames: 20_000 })),
  attack("gif", ["webp", "png"], "pixels without an end code", () =>
    Buffer.concat([
      canvasGif({ width: 2_000, height: 2_000, frames: 1, side: 2_000 }).subarray(0, -4),
      Buffer.alloc(2_000_000, text("\xff".repeat(256))),
    ]),
  ),
];

/** @returns a WOFF with one table that decompresses to a given size (W3C, WOFF 1.0, 4 and 5) */
const woffBomb = (megabytes: number): Buffer => {
  const packed = packedZeros(megabytes);
  const head = Buffer.alloc(64);
  head.write("wOFF", 0, "latin1");
  head.writeUInt32BE(0x00010000, 4);
  head.writeUInt32BE(64 + packed.length, 8);
  head.writeUInt16BE(1, 12);
  head.writeUInt32BE(28 + megabytes * 1_048_576, 16);
  head.write("glyf", 44, "latin1");
  head.writeUInt32BE(64, 48);
  head.writeUInt32BE(packed.length, 52);
  head.writeUInt32BE(megabytes * 1_048_576, 56);
  return Buffer.concat([head, packed]);
};

export const fontBombs: readonly Attack[] = [
  attack("woff", ["ttf", "woff2"], "a table that decompresses to 500 MB", () => woffBomb(500)),
  attack("ttc", ["ttf", "woff2"], "the same font 10,000 times", () => {
    const font = sample("ttf");
    const head = Buffer.alloc(12 + 40_000);
    head.write("ttcf\0\u0001\0\0", 0, "latin1");
    head.writeUInt32BE(10_000, 8);
    for (let index = 0; index < 10_000; index += 1) {
      head.writeUInt32BE(head.length, 12 + 4 * index);
    }
    return Buffer.concat([head, font]);
  }),
];
