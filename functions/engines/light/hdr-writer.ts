import type { LightPicture } from "./values.ts";

/** @returns a Radiance picture of four bytes a pixel, not packed (Radiance, "File Formats", 3.2) */
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
    const place = head.length + at;
    file[place] = Math.min(255, Math.floor(red * scale));
    file[place + 1] = Math.min(255, Math.floor(green * scale));
    file[place + 2] = Math.min(255, Math.floor(blue * scale));
    file[place + 3] = exponent + EXPONENT_OFFSET;
  }
  return file;
};

const DARKEST = 1e-32;
const EXPONENT_OFFSET = 128;
