import type { ConversionRow } from "../../conversion.ts";
import { DRAWN, fromRaster } from "./raster.ts";

/** Windows and macOS icons, in all their sizes. */
export const iconConversions: readonly ConversionRow[] = [
  ...fromRaster({ to: "ico", fidelity: "lossy", options: DRAWN, costMs: 60 }),
  ...fromRaster({ to: "icns", fidelity: "lossy", options: DRAWN, costMs: 300 }),
];
