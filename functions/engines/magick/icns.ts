import { JobError } from "../../domain/errors.ts";

/** What the largest picture of an Apple icon is: a file in a format of its own, or pixels, red to alpha. */
export type IcnsPicture =
  | { readonly kind: "png" | "jp2"; readonly bytes: Buffer }
  | { readonly kind: "pixels"; readonly side: number; readonly bytes: Buffer };

/** Names of parts that hold a PNG or a JPEG 2000, with their pixels a side. */
const FILES: Readonly<Record<string, number>> = {
  ...{ icp4: 16, icp5: 32, icp6: 64, ic07: 128, ic08: 256, ic09: 512, ic10: 1_024 },
  ...{ ic11: 32, ic12: 64, ic13: 256, ic14: 512, ic04: 16, ic05: 32, icsb: 18, icsB: 36, sb24: 24, SB24: 48 },
};

/** Names of parts that hold packed red, green and blue, with their pixels a side, and the part that is their alpha. */
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
 * @returns the largest picture of an Apple icon
 * @throws JobError `source_corrupt` when it holds none, `unsupported_feature` when it holds others only
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
    ? new JobError("source_corrupt", "The Apple icon holds nothing.")
    : new JobError("unsupported_feature", "The Apple icon holds only pictures of kinds that are not read here.");
};

const EMPTY = Buffer.alloc(0);

/** @returns the parts by their names; what reaches beyond the file is left out */
const partsOf = (file: Buffer): Map<string, Buffer> => {
  const parts = new Map<string, Buffer>();
  for (let at = 8; at + 8 <= file.length; ) {
    const length = file.readUInt32BE(at + 4);
    if (length < 8 || at + length > file.length) {
      throw new JobError("source_corrupt", "The Apple icon breaks off before its end.");
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

/** @returns red to alpha of each pixel; without a mask all of them are opaque */
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

/** Runs of one value, whose length less 125 has the high bit, and values as they are, whose number less one has not. */
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
    throw new JobError("source_corrupt", "The pixels of the Apple icon break off.");
  }
  return bytes;
};
