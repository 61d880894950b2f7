import { JobError } from "../../../domain/errors.ts";

/** The largest image of an Apple icon: an embedded file, or RGBA pixels. */
export type IcnsPicture =
  | { readonly kind: "png" | "jp2"; readonly bytes: Buffer }
  | { readonly kind: "pixels"; readonly side: number; readonly bytes: Buffer };

/** Names of parts that contain a PNG or a JPEG 2000, with their size in pixels. */
const FILES: Readonly<Record<string, number>> = {
  ...{ icp4: 16, icp5: 32, icp6: 64, ic07: 128, ic08: 256, ic09: 512, ic10: 1_024 },
  ...{ ic11: 32, ic12: 64, ic13: 256, ic14: 512, ic04: 16, ic05: 32, icsb: 18, icsB: 36, sb24: 24, SB24: 48 },
};

/** Names of parts that contain packed red, green and blue, with their size in pixels, and the part with their alpha. */
const PACKED = [
  ["it32", 128, "t8mk"],
  ["ih32", 48, "h8mk"],
  ["il32", 32, "l8mk"],
  ["is32", 16, "s8mk"],
] as const;

const PNG = Buffer.from("89504e47", "hex");
const JP2 = Buffer.from("0000000c6a5020200d0a870a", "hex");
const CODESTREAM = Buffer.from("ff4fff51", "hex");

/**
 * @returns the largest image of an Apple icon
 * @throws JobError `source_corrupt` when it is empty, `unsupported_feature` when it has only unsupported images
 */
export const largestIcns = (file: Buffer): IcnsPicture => {
  const parts = partsOf(file);
  const files = [...parts]
    .flatMap(([type, bytes]) => (FILES[type] === undefined ? [] : [{ side: FILES[type], bytes, kind: kindOf(bytes) }]))
    .toSorted((one, other) => other.side - one.side);
  const best = files.find(({ kind }) => kind !== undefined);
  const packed = PACKED.find(([type]) => parts.has(type));
  if (best?.kind !== undefined && best.side >= (packed?.[1] ?? 0)) {
    return { kind: best.kind, bytes: best.bytes };
  }
  if (packed !== undefined) {
    const [type, side, mask] = packed;
    const skipped = type === "it32" ? 4 : 0;
    return {
      kind: "pixels",
      side,
      bytes: pixelsOf(parts.get(type)?.subarray(skipped) ?? EMPTY, parts.get(mask), side),
    };
  }
  throw parts.size === 0
    ? new JobError("source_corrupt", "The Apple icon is empty.")
    : new JobError("unsupported_feature", "The Apple icon contains only unsupported image types.");
};

const EMPTY = Buffer.alloc(0);

/**
 * @returns the parts by name
 * @throws JobError `source_corrupt` when a part exceeds the file
 */
const partsOf = (file: Buffer): Map<string, Buffer> => {
  const parts = new Map<string, Buffer>();
  for (let at = 8; at + 8 <= file.length; ) {
    const length = file.readUInt32BE(at + 4);
    if (length < 8 || at + length > file.length) {
      throw new JobError("source_corrupt", "The Apple icon is truncated.");
    }
    parts.set(file.toString("latin1", at, at + 4), file.subarray(at + 8, at + length));
    at += length;
  }
  return parts;
};

const kindOf = (bytes: Buffer): "png" | "jp2" | undefined => {
  const begins = (mark: Buffer): boolean => bytes.subarray(0, mark.length).equals(mark);
  return begins(PNG) ? "png" : begins(JP2) || begins(CODESTREAM) ? "jp2" : undefined;
};

/** @returns the RGBA values of each pixel; without a mask, all are opaque */
const pixelsOf = (packed: Buffer, mask: Buffer | undefined, side: number): Buffer => {
  const count = side * side;
  const planes = unpacked(packed, count * 3);
  const pixels = Buffer.alloc(count * 4, 255);
  for (let index = 0; index < count; index += 1) {
    for (const channel of [0, 1, 2]) {
      pixels[index * 4 + channel] = planes[channel * count + index] ?? 0;
    }
    pixels[index * 4 + 3] = mask?.[index] ?? 255;
  }
  return pixels;
};

/**
 * Run-length encoding: a control byte with the high bit set starts a run of its value minus 125; without it, that many
 * bytes plus one follow.
 */
const unpacked = (packed: Buffer, length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  let to = 0;
  for (let at = 0; at < packed.length && to < length; ) {
    const control = packed[at] ?? 0;
    if (control >= 0x80) {
      const run = Math.min(control - 125, length - to);
      bytes.fill(packed[at + 1] ?? 0, to, to + run);
      to += run;
      at += 2;
    } else {
      to += packed.copy(bytes, to, at + 1, at + 2 + control);
      at += control + 2;
    }
  }
  if (to < length) {
    throw new JobError("source_corrupt", "The pixel data of the Apple icon is truncated.");
  }
  return bytes;
};
