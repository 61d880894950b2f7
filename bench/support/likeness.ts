import sharp from "sharp";

/** Edge of a block in pixels, as in the SSIM of x264. */
const BLOCK = 8;

/** Constants of SSIM for 8 bits (Wang et al., 2004): they keep flat blocks from dividing by zero. */
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

/** @returns the mean structural similarity (SSIM) of the brightness of two images of the same size; 1 for equal ones */
export const ssim = async (one: string, other: string): Promise<number> => {
  const [first, second] = await Promise.all([one, other].map(grayOf));
  if (first === undefined || second === undefined || first.data.length !== second.data.length) {
    throw new RangeError(`${one} and ${other} differ in size.`);
  }
  const { width, height } = first.info;
  let [sum, blocks] = [0, 0];
  for (let top = 0; top + BLOCK <= height; top += BLOCK) {
    for (let left = 0; left + BLOCK <= width; left += BLOCK) {
      sum += blockSsim([first.data, second.data], top * width + left, width);
      blocks += 1;
    }
  }
  return sum / blocks;
};

const grayOf = (path: string) => sharp(path).grayscale().raw().toBuffer({ resolveWithObject: true });

const blockSsim = ([one, other]: readonly [Buffer, Buffer], start: number, width: number): number => {
  let [sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0];
  for (let row = 0; row < BLOCK; row += 1) {
    for (let column = 0; column < BLOCK; column += 1) {
      const at = start + row * width + column;
      const [a, b] = [one[at] ?? 0, other[at] ?? 0];
      sumA += a;
      sumB += b;
      squaresA += a * a;
      squaresB += b * b;
      products += a * b;
    }
  }
  const count = BLOCK * BLOCK;
  const [meanA, meanB] = [sumA / count, sumB / count];
  const variances = squaresA / count - meanA ** 2 + squaresB / count - meanB ** 2;
  const covariance = products / count - meanA * meanB;
  return ((2 * meanA * meanB + C1) * (2 * covariance + C2)) / ((meanA ** 2 + meanB ** 2 + C1) * (variances + C2));
};

/**
 * @param reaches whether this quality is enough; higher ones are too
 * @returns the lowest sufficient quality of the range, by at most seven attempts; the highest if none is sufficient
 */
export const lowestQuality = async (
  [low, high]: readonly [number, number],
  reaches: (quality: number) => Promise<boolean>,
): Promise<number> => {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (await reaches(middle)) {
      to = middle;
    } else {
      from = middle + 1;
    }
  }
  return to;
};
