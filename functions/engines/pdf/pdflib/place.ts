import type { Options } from "../../../domain/conversions/options.ts";

/** Points per inch. */
export const POINTS_PER_INCH = 72;
const POINTS_PER_MILLIMETER = 72 / 25.4;

/** Precision: a thousandth of a point. */
const round = (value: number): number => Math.round(value * 1_000) / 1_000;

/** Width and height in points, portrait (ISO 216; ANSI/ASME Y14.1). */
const SIZES = {
  a3: [841.89, 1190.55],
  a4: [595.28, 841.89],
  a5: [419.53, 595.28],
  letter: [612, 792],
  legal: [612, 1008],
} as const;

/** Maximum side length of a page in points (ISO 32000-1, annex C). */
const SIDE_POINTS_MAX = 14_400;

const DPI = 150;
/** Programs that do not know the physical size write 72 or 96; higher values come from scanners. */
const DENSITY_UNKNOWN_MAX = 96;
const DENSITY_MAX = 4_800;

/** A displayed picture: size in pixels, and resolution from the file. */
export interface Seen {
  readonly width: number;
  readonly height: number;
  readonly density?: number | undefined;
}

/** A page and the position of its picture, in points from the left and from the bottom. */
export interface Placing {
  readonly page: readonly [width: number, height: number];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Places a picture on a page: in its actual size, or centered on a page of a named size, as large as the margins allow.
 */
export const placePicture = (seen: Seen, options: Options): Placing => {
  const margin = (options.page_margin ?? 0) * POINTS_PER_MILLIMETER;
  const page = pageOf(seen, margin, options);
  const [across, down] = page.map((side) => Math.max(1, side - 2 * margin)) as [number, number];
  const factor = Math.min(across / seen.width, down / seen.height);
  const [width, height] = [seen.width * factor, seen.height * factor];
  return {
    page,
    ...{ width: round(width), height: round(height) },
    ...{ x: round((page[0] - width) / 2), y: round((page[1] - height) / 2) },
  };
};

const pageOf = (seen: Seen, margin: number, options: Options): readonly [number, number] => {
  const { page_size: name = "auto", page_orientation: direction = "auto" } = options;
  const own = name === "auto" ? ownSize(seen, margin, options.dpi) : SIZES[name];
  const landscape = direction === "auto" ? seen.width > seen.height : direction === "landscape";
  const [short, long] = [Math.min(...own), Math.max(...own)];
  return landscape ? [long, short] : [short, long];
};

const ownSize = ({ width, height, density = 0 }: Seen, margin: number, dpi?: number): readonly [number, number] => {
  const known = density > DENSITY_UNKNOWN_MAX && density <= DENSITY_MAX;
  const points = POINTS_PER_INCH / (dpi ?? (known ? density : DPI));
  const factor = Math.min(points, (SIDE_POINTS_MAX - 2 * margin) / Math.max(width, height));
  return [round(width * factor + 2 * margin), round(height * factor + 2 * margin)];
};
