import sharp from "sharp";

/** A grayscale picture: one byte per pixel, row by row. */
export interface GrayPicture {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Pixels at least as dark as this belong to letters and lines. */
export const DARK = 140;

/** The angle is measured on a copy of this width in pixels, which still separates the lines of a page. */
const WIDTH = 1_000;
const DOTS_MAX = 60_000;
/** Scanners and cameras skew a page by up to a few degrees; more is a different layout. */
const DEGREES_MAX = 5;
const STEPS = [0.5, 0.1, 0.02] as const;
/** Below this angle in degrees, recognition is not worse, and rotation would only blur the letters. */
const DEGREES_MIN = 0.15;
/** The lines of a skewed page are sharper at its angle than unrotated by at least this factor. */
const GAIN_MIN = 1.05;

/**
 * Measures the skew by projection profiles: at the right angle, rows of pixels are either full of letters or empty.
 *
 * @returns degrees by which the picture must be rotated clockwise to make its lines horizontal; 0 if they are
 */
export const skewOf = async (picture: GrayPicture): Promise<number> => {
  const { data, info } = await sharpOf(picture)
    .resize({ width: Math.min(WIDTH, picture.width) })
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const dots = dotsOf({ data, width: info.width, height: info.height });
  const sharpness = (degrees: number): number => sharpnessAt(dots, degrees, info.height);
  let best = { degrees: 0, value: sharpness(0) };
  const straight = best.value;
  let range = DEGREES_MAX;
  for (const step of STEPS) {
    const center = best.degrees;
    for (let degrees = center - range; degrees <= center + range + step / 2; degrees += step) {
      const value = sharpness(degrees);
      best = value > best.value ? { degrees, value } : best;
    }
    range = step;
  }
  const isSkewed = Math.abs(best.degrees) >= DEGREES_MIN && best.value >= straight * GAIN_MIN;
  return isSkewed && Math.abs(best.degrees) < DEGREES_MAX ? Number(best.degrees.toFixed(2)) : 0;
};

/** Rotates the picture around its center, clockwise. It keeps its size, and its corners become white. */
export const rotated = async (picture: GrayPicture, degrees: number): Promise<GrayPicture> => {
  if (degrees === 0) {
    return picture;
  }
  const { width, height } = picture;
  const turned = await sharpOf(picture)
    .rotate(degrees, { background: "#fff" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const place = {
    left: Math.floor((turned.info.width - width) / 2),
    top: Math.floor((turned.info.height - height) / 2),
    width,
    height,
  };
  const { width: across, height: down, channels } = turned.info;
  const data = await sharp(turned.data, { raw: { width: across, height: down, channels }, limitInputPixels: false })
    .extract(place)
    .toColourspace("b-w")
    .raw()
    .toBuffer();
  return { data, width, height };
};

export const sharpOf = ({ data, width, height }: GrayPicture) =>
  sharp(data, { raw: { width, height, channels: 1 }, limitInputPixels: false });

/** @returns the positions of dark pixels, evenly thinned out: x and y in turns */
const dotsOf = ({ data, width, height }: GrayPicture): Int32Array => {
  let count = 0;
  for (const gray of data) {
    count += gray < DARK ? 1 : 0;
  }
  const every = Math.max(1, Math.ceil(count / DOTS_MAX));
  const dots = new Int32Array(2 * Math.ceil(count / every));
  let seen = 0;
  for (let place = 0; place < width * height; place += 1) {
    if ((data[place] ?? 255) < DARK) {
      if (seen % every === 0) {
        dots[(2 * seen) / every] = (place % width) - width / 2;
        dots[(2 * seen) / every + 1] = Math.floor(place / width);
      }
      seen += 1;
    }
  }
  return dots;
};

/** @returns the sum of squared differences between rows of dots, with the picture rotated by the angle */
const sharpnessAt = (dots: Int32Array, degrees: number, height: number): number => {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const margin = Math.ceil(WIDTH * Math.abs(slope)) + 1;
  const rows = new Int32Array(height + 2 * margin);
  for (let at = 0; at < dots.length; at += 2) {
    const row = Math.round((dots[at + 1] ?? 0) + (dots[at] ?? 0) * slope) + margin;
    rows[row] = (rows[row] ?? 0) + 1;
  }
  let sum = 0;
  for (let row = 1; row < rows.length; row += 1) {
    const step = (rows[row] ?? 0) - (rows[row - 1] ?? 0);
    sum += step * step;
  }
  return sum;
};
