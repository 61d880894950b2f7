import type { ConversionRow } from "../../conversion.ts";
import { DRAWN, fromRaster } from "./raster.ts";

/** High dynamic range images: brighter than a screen can show. */
export const hdrConversions: readonly ConversionRow[] = [
  { from: ["hdr", "exr"], to: "png", fidelity: "lossless", options: [], costMs: 1_500 },
  ...fromRaster({ to: "hdr", fidelity: "lossless", options: DRAWN, costMs: 1_500 }),
  ...fromRaster({ to: "exr", fidelity: "lossless", options: DRAWN, costMs: 2_500 }),
];
