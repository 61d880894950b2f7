import { closeSync, openSync, readSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { crc32 } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { checkPicture } from "../../../domain/conversions/picture-sizes.ts";
import { JobError } from "../../../domain/errors.ts";
import { DETECTION_BYTES } from "../../../domain/limits.ts";

/** Frames stacked vertically, four bytes per pixel, with their timing. */
export interface Animation {
  readonly pixels: Buffer;
  readonly width: number;
  /** The height of all frames together. */
  readonly height: number;
  readonly channels: 4;
  /** The height of one frame. */
  readonly pageHeight: number;
  /** Display time of each frame, in milliseconds. */
  readonly delay: number[];
  /** Number of loops; 0 means forever. */
  readonly loop: number;
}

/**
 * An animated PNG has an `acTL` chunk before its pixels; libvips does not support it. Read synchronously: a converter
 * process does nothing else at the same time, and waiting would take longer than reading.
 *
 * @returns the declared number of frames; 0 for a plain PNG
 */
export const animatedFrames = (source: string | Buffer): number => {
  const head = typeof source === "string" ? headOf(source) : source.subarray(0, DETECTION_BYTES);
  const chunk = head.indexOf("acTL", 0, "latin1");
  return chunk === -1 || chunk + 8 > head.length ? 0 : head.readUInt32BE(chunk + 4);
};

const headOf = (path: string): Buffer => {
  const head = Buffer.alloc(DETECTION_BYTES);
  const file = openSync(path, "r");
  try {
    return head.subarray(0, readSync(file, head));
  } finally {
    closeSync(file);
  }
};

export const PNG_SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

/** @returns a chunk of a PNG (PNG specification, third edition, 5.3) */
export const pngChunk = (type: string, data: Uint8Array): Buffer => {
  const chunk = Buffer.alloc(data.length + 12);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, "latin1");
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, data.length + 8)), data.length + 8);
  return chunk;
};

export interface PngChunk {
  readonly type: string;
  readonly data: Buffer;
}

/** @returns the complete chunks of a PNG */
export const pngChunks = function* (bytes: Buffer): Generator<PngChunk> {
  let at = PNG_SIGNATURE.length;
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const end = at + 8 + length;
    if (end + 4 > bytes.length) {
      return;
    }
    yield { type: bytes.toString("latin1", at + 4, at + 8), data: bytes.subarray(at + 8, end) };
    at = end + 4;
  }
};

/** The `fcTL` data of a frame (PNG specification, third edition, 11.3.6.2), and its compressed pixels. */
interface Frame {
  readonly control: Buffer;
  readonly parts: Buffer[];
}

/** Chunks required to interpret the pixels of a frame. */
const COLOR_CHUNKS = ["PLTE", "tRNS", "iCCP", "gAMA", "cHRM", "sRGB", "sBIT"];

/**
 * Reads the frames of an animated PNG as displayed, in order.
 *
 * @returns undefined when it declares frames but has none, so that only its still image counts
 * @throws JobError `too_many_pixels`, `source_corrupt`; sharp's error when a frame is damaged
 */
export const readAnimatedPng = async (source: string | Buffer): Promise<Animation | undefined> => {
  const { header, colorChunks, frames, loop } = framesOf(typeof source === "string" ? await readFile(source) : source);
  const [width, height] = header.length < 8 ? [0, 0] : [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (frames.length === 0 || width === 0) {
    return undefined;
  }
  checkPicture({ width, height }, frames.length);
  const size = width * height * 4;
  const pixels = Buffer.alloc(size * frames.length);
  const canvas = Buffer.alloc(size);
  for (const [index, frame] of frames.entries()) {
    const area = areaOf(frame.control, { width, height });
    checkInside(area);
    const picture = await decoded(frame, header, colorChunks);
    const before = frame.control[24] === DISPOSE_TO_PREVIOUS ? Buffer.from(canvas) : undefined;
    paint(canvas, picture, area);
    pixels.set(canvas, index * size);
    if (before !== undefined) {
      canvas.set(before);
    } else if (frame.control[24] === DISPOSE_TO_BACKGROUND) {
      clear(canvas, area);
    }
  }
  const delay = frames.map(({ control }) => milliseconds(control));
  return { pixels, width, height: height * frames.length, channels: 4, pageHeight: height, delay, loop };
};

/** @returns the animation with each frame changed; sharp treats frames that it did not read itself as one image */
export const changedFrames = async (animation: Animation, change: (frame: Sharp) => Sharp): Promise<Animation> => {
  const { pixels, width, pageHeight, delay } = animation;
  const size = width * pageHeight * 4;
  const raw = { width, height: pageHeight, channels: 4 } as const;
  const frames: Buffer[] = [];
  let result = { width, height: pageHeight };
  for (const index of delay.keys()) {
    const frame = sharp(pixels.subarray(index * size, (index + 1) * size), { raw });
    const { data, info } = await change(frame).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    frames.push(data);
    result = info;
  }
  const height = result.height * delay.length;
  return { ...animation, pixels: Buffer.concat(frames), width: result.width, height, pageHeight: result.height };
};

const DISPOSE_TO_BACKGROUND = 1;
const DISPOSE_TO_PREVIOUS = 2;

const framesOf = (bytes: Buffer) => {
  let header = Buffer.alloc(0);
  let loop = 0;
  const colorChunks: Buffer[] = [];
  const frames: Frame[] = [];
  for (const { type, data } of pngChunks(bytes)) {
    const last = frames.at(-1);
    if (type === "IHDR") {
      header = Buffer.from(data);
    } else if (COLOR_CHUNKS.includes(type)) {
      colorChunks.push(pngChunk(type, data));
    } else if (type === "acTL" && data.length >= 8) {
      loop = data.readUInt32BE(4);
    } else if (type === "fcTL" && data.length >= 26) {
      frames.push({ control: data, parts: [] });
    } else if (type === "IDAT") {
      // A still image that is not a frame comes before the first control chunk.
      last?.parts.push(data);
    } else if (type === "fdAT") {
      last?.parts.push(data.subarray(4));
    }
  }
  return { header, colorChunks, loop, frames: frames.filter(({ parts }) => parts.length > 0) };
};

/** A frame lacks only the PNG container; with one, sharp reads it, with its palette and profile. */
const decoded = ({ control, parts }: Frame, header: Buffer, colorChunks: readonly Buffer[]): Promise<Buffer> => {
  const own = Buffer.concat([control.subarray(4, 12), header.subarray(8)]);
  const png = Buffer.concat([
    PNG_SIGNATURE,
    pngChunk("IHDR", own),
    ...colorChunks,
    pngChunk("IDAT", Buffer.concat(parts)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
  return sharp(png, { failOn: "error" }).toColourspace("srgb").ensureAlpha().raw().toBuffer();
};

interface FrameArea {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Size of the canvas. */
  readonly canvasWidth: number;
  readonly canvasHeight: number;
  /** Whether the frame is blended over the canvas instead of replacing it. */
  readonly over: boolean;
}

const areaOf = (control: Buffer, canvas: { width: number; height: number }): FrameArea => ({
  width: control.readUInt32BE(4),
  height: control.readUInt32BE(8),
  left: control.readUInt32BE(12),
  top: control.readUInt32BE(16),
  canvasWidth: canvas.width,
  canvasHeight: canvas.height,
  over: control[25] === 1,
});

/** A frame must not exceed the image (11.3.6.2), because only the image's pixels were counted. */
const checkInside = ({ left, top, width, height, canvasWidth, canvasHeight }: FrameArea): void => {
  if (left + width > canvasWidth || top + height > canvasHeight) {
    throw new JobError("source_corrupt", "A frame of the animated PNG exceeds the image.");
  }
};

/** @returns the rows of a frame on the canvas: their offsets there and in the frame, and their pixel count */
const rows = function* ({ left, top, width, height, canvasWidth, canvasHeight }: FrameArea) {
  const count = Math.max(0, Math.min(width, canvasWidth - left));
  for (let y = 0; y < height && top + y < canvasHeight; y += 1) {
    yield { canvas: ((top + y) * canvasWidth + left) * 4, frame: y * width * 4, count };
  }
};

const paint = (canvas: Buffer, picture: Buffer, area: FrameArea): void => {
  for (const row of rows(area)) {
    if (!area.over) {
      picture.copy(canvas, row.canvas, row.frame, row.frame + row.count * 4);
      continue;
    }
    for (let pixel = 0; pixel < row.count * 4; pixel += 4) {
      blend(canvas, row.canvas + pixel, picture.subarray(row.frame + pixel, row.frame + pixel + 4));
    }
  }
};

const clear = (canvas: Buffer, area: FrameArea): void => {
  for (const row of rows(area)) {
    canvas.fill(0, row.canvas, row.canvas + row.count * 4);
  }
};

/** Blends one pixel over another (PNG specification, third edition, 13.16). */
const blend = (canvas: Buffer, at: number, [red = 0, green = 0, blue = 0, alpha = 0]: Uint8Array): void => {
  const below = ((canvas[at + 3] ?? 0) * (255 - alpha)) / 255;
  const sum = alpha + below;
  for (const [index, value] of [red, green, blue].entries()) {
    canvas[at + index] = sum === 0 ? 0 : Math.round((value * alpha + (canvas[at + index] ?? 0) * below) / sum);
  }
  canvas[at + 3] = Math.round(sum);
};

const milliseconds = (control: Buffer): number =>
  Math.round((1_000 * control.readUInt16BE(20)) / (control.readUInt16BE(22) || 100));
