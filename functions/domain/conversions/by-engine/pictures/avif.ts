import type { ConversionRow } from "../../conversion.ts";
import { QUALITY, withQuality } from "./qualities.ts";

/** Animated AVIF, and JPEG-LS. Sharp reads and writes still AVIF. */
export const avifConversions: readonly ConversionRow[] = [
  {
    from: ["gif", "apng"],
    to: "avif",
    fidelity: "lossy",
    options: ["quality", "lossless", "width", "height", "fit", "background", "strip_metadata"],
    rules: withQuality(QUALITY.avif),
    costMs: 4_000,
  },
  { from: ["avif"], to: "apng", fidelity: "lossless", options: [], costMs: 3_000 },
  { from: ["jls"], to: "png", fidelity: "lossless", options: [], costMs: 500 },
];
