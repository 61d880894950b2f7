import type { Sharp } from "sharp";

/** The part names of a size: at normal resolution, and as the Retina version of half the size. All contain a PNG. */
const TYPES: Readonly<Record<number, readonly string[]>> = {
  16: ["icp4"],
  32: ["icp5", "ic11"],
  64: ["icp6", "ic12"],
  128: ["ic07"],
  256: ["ic08", "ic13"],
  512: ["ic09", "ic14"],
  1024: ["ic10"],
};

/** @returns an Apple icon with the image in these sizes */
export const icnsOf = async (sides: readonly number[], drawn: (side: number) => Sharp): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for (const side of sides) {
    const png = await drawn(side).png().toBuffer();
    parts.push(...(TYPES[side] ?? []).map((type) => part(type, png)));
  }
  return part("icns", Buffer.concat(parts));
};

/** @returns a part: its name, its length including both, and the bytes */
const part = (type: string, bytes: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.write(type, "latin1");
  head.writeUInt32BE(bytes.length + head.length, 4);
  return Buffer.concat([head, bytes]);
};
