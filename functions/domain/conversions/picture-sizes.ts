import { JobError } from "../errors.ts";
import { type FormatId, formatOf } from "../formats/formats.ts";
import { PICTURE_FRAMES_MAX, PICTURE_PIXELS_MAX, PICTURE_SIDE_PIXELS_MAX } from "./conversion-limits.ts";
import type { Options } from "./options.ts";

/** The size of an image or of one of its frames, in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Rejects images that are too large to decode. The size is read from the header, without decoding.
 *
 * @param frames the number of decoded frames, which are all in memory
 * @throws JobError `too_many_pixels`
 */
export const checkPicture = (size: PictureSize, frames = 1): void => {
  if (frames > PICTURE_FRAMES_MAX) {
    throw new JobError(
      "too_many_pixels",
      `The animation has ${frames} frames; at most ${PICTURE_FRAMES_MAX} are allowed.`,
    );
  }
  if (pixels(size) * frames > PICTURE_PIXELS_MAX) {
    const times = frames === 1 ? "" : ` in each of its ${frames} frames`;
    throw tooLarge(`The image has ${named(size)} pixels${times}`);
  }
};

/** How an image is resized: scaled first, then cropped or padded. */
export interface Fitting {
  readonly scaled: PictureSize;
  readonly result: PictureSize;
}

/** @returns the sizes that result from `width`, `height` and `fit`, nearly exact */
export const fitted = (size: PictureSize, { width, height, fit = "inside" }: Options): Fitting => {
  if (width === undefined && height === undefined) {
    return { scaled: size, result: size };
  }
  const [across, down] = [(width ?? 0) / size.width, (height ?? 0) / size.height];
  const one = width === undefined || height === undefined;
  const result = { width: width ?? 0, height: height ?? 0 };
  if (fit === "fill" && !one) {
    return { scaled: result, result };
  }
  const larger = one || fit === "outside" || fit === "cover";
  const scaled = scaledBy(size, larger ? Math.max(across, down) : Math.min(across, down));
  const exact = !one && (fit === "cover" || fit === "contain");
  return { scaled, result: exact ? result : scaled };
};

const scaledBy = ({ width, height }: PictureSize, factor: number): PictureSize => ({
  width: Math.max(1, Math.round(width * factor)),
  height: Math.max(1, Math.round(height * factor)),
});

/** The planned output of a conversion. */
export interface PictureResult extends Fitting {
  readonly frames: number;
  readonly to: FormatId;
  /** Maximum pixels of the encoder within its memory. @default PICTURE_PIXELS_MAX */
  readonly pixelsMax?: number;
}

/**
 * Rejects results that are too large to encode, for the service or for the format.
 *
 * @throws JobError `too_many_pixels`, with a hint how to reduce the size
 */
export const checkResult = ({ scaled, result, frames, to, pixelsMax = PICTURE_PIXELS_MAX }: PictureResult): void => {
  const { name, sidePixelsMax = Number.POSITIVE_INFINITY } = formatOf(to);
  if (pixels(scaled) * frames > PICTURE_PIXELS_MAX) {
    throw tooLarge(`With these options the image would have ${named(scaled)} pixels`);
  }
  if (pixels(result) * frames > pixelsMax) {
    throw tooLarge(`The result would have ${named(result)} pixels as ${name} with these options`, pixelsMax);
  }
  if (Math.max(result.width, result.height) > sidePixelsMax) {
    throw new JobError(
      "too_many_pixels",
      `The result would have ${named(result)} pixels, but each side of a ${name} image can have at most ` +
        `${sidePixelsMax}. Set width and height to at most ${Math.min(sidePixelsMax, PICTURE_SIDE_PIXELS_MAX)}.`,
    );
  }
};

const tooLarge = (what: string, pixelsMax = PICTURE_PIXELS_MAX): JobError =>
  new JobError("too_many_pixels", `${what}; at most ${pixelsMax} in total are allowed.`);

const pixels = ({ width, height }: PictureSize): number => width * height;

const named = ({ width, height }: PictureSize): string => `${width} × ${height}`;
