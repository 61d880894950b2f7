import { writeFile } from "node:fs/promises";
import sharp from "sharp";
import { PNG_SIGNATURE, pngChunk, pngChunks } from "./apng.ts";

/** Vertically stacked frames, as returned by sharp, with their timing. */
export interface Frames {
  readonly pixels: Buffer;
  readonly width: number;
  readonly pageHeight: number;
  readonly delay: readonly number[];
  readonly loop: number;
}

/** Writes an animated PNG (PNG specification, third edition, 4.9) with complete frames, so none depends on another. */
export const writeAnimatedPng = async (path: string, frames: Frames): Promise<void> => {
  const { pixels, width, pageHeight, delay, loop } = frames;
  const size = width * pageHeight * 4;
  const raw = { width, height: pageHeight, channels: 4 } as const;
  const parts: Buffer[] = [];
  let sequence = 0;
  for (const [index, milliseconds] of delay.entries()) {
    const frame = sharp(pixels.subarray(index * size, (index + 1) * size), { raw });
    const chunks = [...pngChunks(await frame.png({ compressionLevel: 4 }).toBuffer())];
    const header = chunks.find(({ type }) => type === "IHDR")?.data ?? Buffer.alloc(13);
    if (index === 0) {
      parts.push(PNG_SIGNATURE, pngChunk("IHDR", header), pngChunk("acTL", numbers(delay.length, loop)));
    }
    parts.push(pngChunk("fcTL", control({ sequence, width, height: pageHeight, milliseconds })));
    sequence += 1;
    for (const { data } of chunks.filter(({ type }) => type === "IDAT")) {
      parts.push(index === 0 ? pngChunk("IDAT", data) : pngChunk("fdAT", Buffer.concat([numbers(sequence), data])));
      sequence += index === 0 ? 0 : 1;
    }
  }
  await writeFile(path, [...parts, pngChunk("IEND", Buffer.alloc(0))]);
};

const numbers = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) {
    bytes.writeUInt32BE(value, index * 4);
  }
  return bytes;
};

const DELAY_MS_MAX = 65_535;

const control = (frame: { sequence: number; width: number; height: number; milliseconds: number }): Buffer => {
  const delay = Buffer.alloc(6);
  delay.writeUInt16BE(Math.min(DELAY_MS_MAX, frame.milliseconds), 0);
  delay.writeUInt16BE(1_000, 2);
  return Buffer.concat([numbers(frame.sequence, frame.width, frame.height, 0, 0), delay]);
};
