import type { ConversionRow } from "../../conversion.ts";
import type { OptionRules } from "../../option-rules.ts";
import type { OptionName } from "../../options.ts";
import { QUALITY as DEFAULTS, JPEG_RULES, withQuality } from "./qualities.ts";
import { DRAWN, fromRaster, PIXELS, stamped } from "./raster.ts";

const CHANGED = [...DRAWN, "sizes"] as const satisfies readonly OptionName[];
const QUALITY = ["quality", "target_size", ...CHANGED] as const satisfies readonly OptionName[];
const LOSSLESS = ["lossless", ...QUALITY] as const satisfies readonly OptionName[];

/** Options of each page of a TIFF. */
const RESIZE = ["width", "height", "fit", "background", "strip_metadata"] as const satisfies readonly OptionName[];

const WEBP = withQuality(DEFAULTS.webp);
const AVIF = withQuality(DEFAULTS.avif);

const INTO_AVIF = { to: "avif", fidelity: "lossy", options: LOSSLESS, rules: AVIF, costMs: 2_000 } as const;

/** Conversions of sharp: between image formats, and from an animation to one file per frame. */
export const sharpConversions: readonly ConversionRow[] = [
  ...fromRaster({ to: "jpg", fidelity: "lossy", options: QUALITY, rules: JPEG_RULES, costMs: 150 }),
  ...fromRaster({ to: "png", fidelity: "lossless", options: CHANGED, costMs: 450 }),
  ...fromRaster({ to: "webp", fidelity: "lossy", options: LOSSLESS, rules: WEBP, costMs: 1_000 }),
  ...fromRaster({ to: "gif", fidelity: "lossy", options: CHANGED, costMs: 4_000 }),
  ...fromRaster({ to: "tiff", fidelity: "lossless", options: CHANGED, costMs: 450 }),
  ...fromRaster({ ...INTO_AVIF, loses: ["frames"] }).map((row) => ({
    ...row,
    from: row.from.filter((format) => format !== "webp"),
  })),
  // Only ffmpeg writes animations.
  { ...INTO_AVIF, from: ["webp"], helper: "avif" },
  ...fromRaster({ to: "apng", fidelity: "lossless", options: CHANGED, costMs: 600 }),
  // A description of the file, which nothing else is made from.
  { from: [...PIXELS, "heic"], to: "json", fidelity: "content_only", options: [], costMs: 20, first: true, last: true },
  // Opt-in, so that a still image does not take another route because of an option that has no effect on it.
  ...(
    [
      { from: ["gif", "webp"], to: "png", fidelity: "lossless", options: [...CHANGED, "split"] },
      { from: ["gif", "webp"], to: "jpg", fidelity: "lossy", options: [...QUALITY, "split"], rules: JPEG_RULES },
      { from: ["gif"], to: "webp", fidelity: "lossy", options: [...LOSSLESS, "split"], rules: WEBP },
      { from: ["gif", "webp"], to: "avif", fidelity: "lossy", options: [...LOSSLESS, "split"], rules: AVIF },
      { from: ["gif", "webp"], to: "tiff", fidelity: "lossless", options: [...CHANGED, "split"] },
    ] as const
  ).map((row) => stamped({ ...row, costMs: 500, optIn: ["split"] as const })),
];

/** Without a size, `fit` determines how the frames fit the first image. */
const STACKED: OptionRules = { fit: { unused: () => undefined } };

const FRAMES = ["width", "height", "fit", "background", "delay"] as const satisfies readonly OptionName[];

/** A contact sheet: `width` and `height` are those of each image. */
const SHEET = ["columns", "width", "height", "background"] as const satisfies readonly OptionName[];

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
  ...fromRaster({
    to: "jpg",
    fidelity: "lossy",
    options: ["quality", "target_size", ...SHEET],
    rules: JPEG_RULES,
    costMs: 400,
  }),
  ...fromRaster({ to: "png", fidelity: "lossy", options: SHEET, costMs: 600 }),
];
