import type { ConversionRow } from "../../conversion.ts";
import type { OptionName } from "../../options.ts";
import { RASTER } from "./raster.ts";

const RESIZE = ["width", "height", "fit", "background", "strip_metadata"] as const satisfies readonly OptionName[];
const QUALITY = ["quality", ...RESIZE] as const satisfies readonly OptionName[];
const LOSSLESS = ["quality", "lossless", ...RESIZE] as const satisfies readonly OptionName[];

/** Conversions of sharp: between image formats, and from an animation to one file per frame. */
export const sharpConversions: readonly ConversionRow[] = [
  { from: RASTER, to: "jpg", fidelity: "lossy", options: QUALITY, costMs: 150 },
  { from: RASTER, to: "png", fidelity: "lossless", options: RESIZE, costMs: 450 },
  { from: RASTER, to: "webp", fidelity: "lossy", options: LOSSLESS, costMs: 1_000 },
  { from: RASTER, to: "gif", fidelity: "lossy", options: RESIZE, costMs: 4_000 },
  { from: RASTER, to: "tiff", fidelity: "lossless", options: RESIZE, costMs: 450 },
  { from: RASTER, to: "avif", fidelity: "lossy", options: LOSSLESS, costMs: 2_000 },
  { from: RASTER, to: "apng", fidelity: "lossless", options: RESIZE, costMs: 600 },
  // Opt-in, so that a still image does not take another route because of an option that has no effect on it.
  ...(
    [
      { from: ["gif", "webp"], to: "png", fidelity: "lossless", options: [...RESIZE, "split"] },
      { from: ["gif", "webp"], to: "jpg", fidelity: "lossy", options: [...QUALITY, "split"] },
      { from: ["gif"], to: "webp", fidelity: "lossy", options: [...LOSSLESS, "split"] },
      { from: ["gif", "webp"], to: "avif", fidelity: "lossy", options: [...LOSSLESS, "split"] },
      { from: ["gif", "webp"], to: "tiff", fidelity: "lossless", options: [...RESIZE, "split"] },
    ] as const
  ).map((row) => ({ ...row, costMs: 500, optIn: ["split"] as const })),
];

const FRAMES = ["width", "height", "fit", "background", "delay"] as const satisfies readonly OptionName[];

/**
 * Targets that several images are merged into; a single image is converted differently. Costs are for ten images of one
 * megapixel.
 */
export const sharpMerges: readonly ConversionRow[] = [
  { from: RASTER, to: "gif", fidelity: "lossy", options: FRAMES, costMs: 4_000 },
  { from: RASTER, to: "webp", fidelity: "lossy", options: [...FRAMES, "quality", "lossless"], costMs: 1_000 },
  { from: RASTER, to: "apng", fidelity: "lossless", options: FRAMES, costMs: 600 },
  { from: RASTER, to: "tiff", fidelity: "lossless", options: RESIZE, costMs: 450 },
];
