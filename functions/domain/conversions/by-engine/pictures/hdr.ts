import type { ConversionRow } from "../../conversion.ts";
import type { OptionName } from "../../options.ts";
import { fromRaster } from "./raster.ts";

const RESIZE = ["width", "height", "fit", "background", "strip_metadata"] as const satisfies readonly OptionName[];

/** High dynamic range images: brighter than a screen can show. */
export const hdrConversions: readonly ConversionRow[] = [
  { from: ["hdr", "exr"], to: "png", fidelity: "lossless", options: [], costMs: 1_500 },
  ...fromRaster({ to: "hdr", fidelity: "lossless", options: RESIZE, costMs: 1_500 }),
  ...fromRaster({ to: "exr", fidelity: "lossless", options: RESIZE, costMs: 2_500 }),
];
