import type { ConversionRow } from "../../conversion.ts";
import type { OptionName } from "../../options.ts";
import { fromRaster } from "./raster.ts";

const RESIZE = ["width", "height", "fit", "background", "strip_metadata"] as const satisfies readonly OptionName[];

/** Windows and macOS icons, in all their sizes. */
export const iconConversions: readonly ConversionRow[] = [
  ...fromRaster({ to: "ico", fidelity: "lossy", options: RESIZE, costMs: 60 }),
  ...fromRaster({ to: "icns", fidelity: "lossy", options: RESIZE, costMs: 300 }),
];
