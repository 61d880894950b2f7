/**
 * The picture of every sample in `test/fixtures`: four quadrants in different colors, so that rotation is detectable.
 */

export const PICTURE_WIDTH = 96;
export const PICTURE_HEIGHT = 64;

/** Top left, top right, bottom left, bottom right, in sRGB. */
export const PICTURE_COLORS = [
  [208, 48, 32],
  [48, 160, 64],
  [32, 80, 192],
  [224, 192, 48],
] as const;

/** @returns the pixels of the picture in sRGB, row by row, three bytes each */
export const picturePixels = (width = PICTURE_WIDTH, height = PICTURE_HEIGHT): Buffer => {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const quarter = (y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1);
      pixels.set(PICTURE_COLORS[quarter] ?? [], (y * width + x) * 3);
    }
  }
  return pixels;
};
