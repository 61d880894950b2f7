import type { ConversionRow } from "../../conversion.ts";
import type { OptionRules } from "../../option-rules.ts";
import type { OptionName } from "../../options.ts";
import { QUALITY as DEFAULTS, JPEG_RULES, withQuality } from "./qualities.ts";
import { fromRaster } from "./raster.ts";

const RESIZE = ["width", "height", "fit", "background", "strip_metadata"] as const satisfies readonly OptionName[];
const QUALITY = ["quality", ...RESIZE] as const satisfies readonly OptionName[];
const LOSSLESS = ["quality", "lossless", ...RESIZE] as const satisfies readonly OptionName[];

const WEBP = withQuality(DEFAULTS.webp);
const AVIF = withQuality(DEFAULTS.avif);

/** Conversions of sharp: between image formats, and from an animation to one file per frame. */
export const sharpConversions: readonly ConversionRow[] = [
  ...fromRaster({ to: "jpg", fidelity: "lossy", options: QUALITY, rules: JPEG_RULES, costMs: 150 }),
  ...fromRaster({ to: "png", fidelity: "lossless", options: RESIZE, costMs: 450 }),
  ...fromRaster({ to: "webp", fidelity: "lossy", options: LOSSLESS, rules: WEBP, costMs: 1_000 }),
  ...fromRaster({ to: "gif", fidelity: "lossy", options: RESIZE, costMs: 4_000 }),
  ...fromRaster({ to: "tiff", fidelity: "lossless", options: RESIZE, costMs: 450 }),
  ...fromRaster({ to: "avif", fidelity: "lossy", options: LOSSLESS, rules: AVIF, loses: ["frames"], costMs: 2_000 }),
  ...fromRaster({ to: "apng", fidelity: "lossless", options: RESIZE, costMs: 600 }),
  // Opt-in, so that a still image does not take another route because of an option that has no effect on it.
  ...(
    [
      { from: ["gif", "webp"], to: "png", fidelity: "lossless", options: [...RESIZE, "split"] },
      { from: ["gif", "webp"], to: "jpg", fidelity: "lossy", options: [...QUALITY, "split"], rules: JPEG_RULES },
      { from: ["gif"], to: "webp", fidelity: "lossy", options: [...LOSSLESS, "split"], rules: WEBP },
      { from: ["gif", "webp"], to: "avif", fidelity: "lossy", options: [...LOSSLESS, "split"], rules: AVIF },
      { from: ["gif", "webp"], to: "tiff", fidelity: "lossless", options: [...RESIZE, "split"] },
    ] as const
  ).map((row) => ({ ...row, costMs: 500, optIn: ["split"] as const })),
];

/** Without a size, `fit` determines how the frames fit the first image. */
const STACKED: OptionRules = { fit: { unused: () => undefined } };

const FRAMES = ["width", "height", "fit", "background", "delay"] as const satisfies readonly OptionName[];

/**
 * Targets that several images are merged into; a single image is converted differently. Costs are for ten images of one
 * megapixel.
 */
export const sharpMerges: readonly ConversionRow[] = [
  ...fromRaster({ to: "gif", fidelity: "lossy", options: FRAMES, rules: STACKED, costMs: 4_000 }),
  ...fromRaster({
    to: "webp",
    fidelity: "lossy",
    options: [...FRAMES, "quality", "lossless"],
    rules: { ...STACKED, ...WEBP },
    costMs: 1_000,
  }),
  ...fromRaster({ to: "apng", fidelity: "lossless", options: FRAMES, rules: STACKED, costMs: 600 }),
  ...fromRaster({ to: "tiff", fidelity: "lossless", options: RESIZE, costMs: 450 }),
];
