import { join } from "node:path";
import sharp from "sharp";

/** The images of the benchmark, generated so that all runs are comparable. */
export interface Inputs {
  /** JPEG of 12 megapixels. */
  readonly large: string;
  /** JPEG of 6 megapixels. */
  readonly medium: string;
  /** PNG of 320 × 240 with an alpha channel, as most programs write it, and no transparent pixel. */
  readonly small: string;
  /** The same image without an alpha channel. */
  readonly opaque: string;
}

/** Creates the images in the folder, or uses the given photo for the two JPEGs. */
export const makeInputs = async (folder: string, photo: string | undefined): Promise<Inputs> => {
  const inputs = {
    large: join(folder, "12mp.jpg"),
    medium: join(folder, "6mp.jpg"),
    small: join(folder, "small.png"),
    opaque: join(folder, "opaque.png"),
  };
  const source = photo === undefined ? await landscape(4_032, 3_024) : photo;
  const scaled = (width: number, height: number) => sharp(source).resize(width, height, { fit: "cover" });
  await scaled(4_032, 3_024).jpeg({ quality: 90 }).toFile(inputs.large);
  await scaled(3_000, 2_000).jpeg({ quality: 90 }).toFile(inputs.medium);
  await scaled(320, 240).ensureAlpha().png().toFile(inputs.small);
  await sharp(inputs.small).removeAlpha().png().toFile(inputs.opaque);
  return inputs;
};

/**
 * An image that costs an encoder as much as a photo: soft shapes, edges and grain. The numbers come from a small
 * generator with a fixed seed (mulberry32), so the image is the same everywhere.
 */
const landscape = async (width: number, height: number): Promise<Buffer> => {
  const random = generator(7);
  const shapes = Array.from({ length: 300 }, () => {
    const [x, y, size] = [random() * width, random() * height, 20 + random() * 300];
    const color = `hsl(${Math.floor(random() * 360)} ${Math.floor(20 + random() * 60)}% ${Math.floor(20 + random() * 60)}%)`;
    return `<circle cx="${x}" cy="${y}" r="${size}" fill="${color}" fill-opacity="0.5"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes.join("")}</svg>`;
  const grain = Buffer.alloc(width * height * 3);
  for (let index = 0; index < grain.length; index += 1) {
    grain[index] = 118 + Math.floor(random() * 20);
  }
  const noise = await sharp(grain, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return sharp(Buffer.from(svg))
    .flatten()
    .composite([{ input: noise, blend: "soft-light" }])
    .png({ compressionLevel: 1 })
    .toBuffer();
};

/** @returns numbers from 0 to 1 that are the same for the same seed (mulberry32) */
export const generator = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};
