import type { LightPicture } from "./values.ts";

/** @returns an uncompressed Radiance image with four bytes per pixel (Radiance, "File Formats", 3.2) */
export const writeHdr = ({ width, height, data }: LightPicture): Buffer => {
  const head = Buffer.from(`#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${height} +X ${width}\n`, "latin1");
  const file = Buffer.alloc(head.length + width * height * 4);
  file.set(head);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const at = pixel * 4;
    const [red, green, blue] = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
    const most = Math.max(red, green, blue);
    if (most < DARKEST) {
      continue;
    }
    const exponent = Math.floor(Math.log2(most)) + 1;
    const scale = 256 / 2 ** exponent;
    const offset = head.length + at;
    file[offset] = Math.min(255, Math.floor(red * scale));
    file[offset + 1] = Math.min(255, Math.floor(green * scale));
    file[offset + 2] = Math.min(255, Math.floor(blue * scale));
    file[offset + 3] = exponent + EXPONENT_OFFSET;
  }
  return file;
};

const DARKEST = 1e-32;
const EXPONENT_OFFSET = 128;
