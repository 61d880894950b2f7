import type { Sharp } from "sharp";

const ENTRY_BYTES = 16;
const HEADER_BYTES = 6;
const BITMAP_HEADER_BYTES = 40;

/**
 * From this size on, images are stored as PNG, which Windows reads since Vista; smaller ones are bitmaps, which all
 * programs read.
 */
const PNG_FROM_SIDE = 256;

/** @returns a Windows icon with the image in these sizes */
export const icoOf = async (sides: readonly number[], drawn: (side: number) => Sharp): Promise<Buffer> => {
  const head = Buffer.alloc(HEADER_BYTES + sides.length * ENTRY_BYTES);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(sides.length, 4);
  const pictures: Buffer[] = [];
  let at = head.length;
  for (const [index, side] of sides.entries()) {
    const picture = side < PNG_FROM_SIDE ? await bitmap(drawn(side), side) : await drawn(side).png().toBuffer();
    const entry = HEADER_BYTES + index * ENTRY_BYTES;
    // 0 means 256.
    head.set([side % 256, side % 256, 0, 0, 1, 0, 32, 0], entry);
    head.writeUInt32LE(picture.length, entry + 8);
    head.writeUInt32LE(at, entry + 12);
    pictures.push(picture);
    at += picture.length;
  }
  return Buffer.concat([head, ...pictures]);
};

/** @returns a bottom-up 32-bit BGRA bitmap, followed by the mask for programs without alpha support */
const bitmap = async (picture: Sharp, side: number): Promise<Buffer> => {
  const pixels = await picture.ensureAlpha().raw().toBuffer();
  const maskRowBytes = Math.ceil(side / 32) * 4;
  const file = Buffer.alloc(BITMAP_HEADER_BYTES + side * side * 4 + side * maskRowBytes);
  file.writeUInt32LE(BITMAP_HEADER_BYTES, 0);
  file.writeInt32LE(side, 4);
  // Double height, because the mask counts too.
  file.writeInt32LE(side * 2, 8);
  file.writeUInt16LE(1, 12);
  file.writeUInt16LE(32, 14);
  const maskAt = BITMAP_HEADER_BYTES + side * side * 4;
  for (let y = 0; y < side; y += 1) {
    const row = side - 1 - y;
    for (let x = 0; x < side; x += 1) {
      const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray((y * side + x) * 4, (y * side + x) * 4 + 4);
      file.set([blue, green, red, alpha], BITMAP_HEADER_BYTES + (row * side + x) * 4);
      if (alpha < 128) {
        const offset = maskAt + row * maskRowBytes + (x >> 3);
        file[offset] = (file[offset] ?? 0) | (0x80 >> (x & 7));
      }
    }
  }
  return file;
};
