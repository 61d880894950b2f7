import sharp, { type Sharp } from "sharp";

/** An image with linear values: 1 is white, brighter pixels have higher values. Four values per pixel. */
export interface LightPicture {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
  /** Whether rows are stored bottom-up. */
  readonly bottomUp: boolean;
}

const DEEP_MAX = 65_535;

/** @returns the sRGB value, 0 to 1, of a linear value (IEC 61966-2-1) */
const encoded = (value: number): number => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);

/** @returns the linear value of an sRGB value */
const decoded = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** Linear values by 16-bit sRGB value: calculating a power for each would take a second for 12 megapixels. */
const LIGHT = Float32Array.from({ length: DEEP_MAX + 1 }, (_, index) => decoded(index / DEEP_MAX));

/**
 * Writes linear values as a 16-bit sRGB PNG.
 *
 * @returns whether any value was brighter than white
 */
export const fromLight = async (picture: LightPicture, output: string): Promise<boolean> => {
  const { width, height, data, bottomUp } = picture;
  const values = new Uint16Array(data.length);
  let clipped = false;
  let clear = false;
  for (let y = 0; y < height; y += 1) {
    const source = (bottomUp ? height - 1 - y : y) * width * 4;
    const target = y * width * 4;
    for (let index = 0; index < width * 4; index += 1) {
      const value = data[source + index] ?? 0;
      const alpha = index % 4 === 3;
      clipped ||= !alpha && value > 1;
      clear ||= alpha && value < 1;
      // NaN becomes black, as in viewers.
      const bounded = value > 0 ? Math.min(1, value) : 0;
      values[target + index] = Math.round((alpha ? bounded : encoded(bounded)) * DEEP_MAX);
    }
  }
  const raw = { width, height, channels: 4 } as const;
  const deep = sharp(values, { raw }).toColourspace("rgb16");
  await (clear ? deep : deep.removeAlpha()).png({ compressionLevel: 0 }).toFile(output);
  return clipped;
};

/** @returns the linear values of an image opened by sharp */
export const toLight = async (picture: Sharp): Promise<LightPicture> => {
  const { data, info } = await picture
    .toColourspace("rgb16")
    .ensureAlpha()
    .raw({ depth: "ushort" })
    .toBuffer({ resolveWithObject: true });
  const values = new Uint16Array(data.buffer, data.byteOffset, data.length / 2);
  const light = new Float32Array(values.length);
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? 0;
    light[index] = index % 4 === 3 ? value / DEEP_MAX : (LIGHT[value] ?? 0);
  }
  return { width: info.width, height: info.height, data: light, bottomUp: false };
};
