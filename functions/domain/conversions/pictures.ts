import type { ConversionRow } from "../conversion.ts";
import type { FormatId } from "../formats.ts";
import type { OptionName } from "../options.ts";

const RASTER = ["jpg", "png", "webp", "gif", "tiff", "avif", "svg"] as const satisfies readonly FormatId[];
/** Pictures that sharp does not read. */
const RARE = ["bmp", "jxl", "jp2", "psd", "qoi"] as const satisfies readonly FormatId[];
const RESIZE = ["width", "height", "fit", "background", "strip_metadata"] as const satisfies readonly OptionName[];

export const pictureConversions: readonly ConversionRow[] = [
  { from: RASTER, to: "jpg", engine: "sharp", fidelity: "lossy", options: ["quality", ...RESIZE], costMs: 150 },
  { from: RASTER, to: "png", engine: "sharp", fidelity: "lossless", options: RESIZE, costMs: 450 },
  {
    from: RASTER,
    to: "webp",
    engine: "sharp",
    fidelity: "lossy",
    options: ["quality", "lossless", ...RESIZE],
    costMs: 1_000,
  },
  { from: RASTER, to: "gif", engine: "sharp", fidelity: "lossy", options: RESIZE, costMs: 4_000 },
  { from: RASTER, to: "tiff", engine: "sharp", fidelity: "lossless", options: RESIZE, costMs: 450 },
  {
    from: RASTER,
    to: "avif",
    engine: "sharp",
    fidelity: "lossy",
    options: ["quality", "lossless", ...RESIZE],
    costMs: 2_000,
  },
  { from: ["heic", ...RARE], to: "png", engine: "magick", fidelity: "lossless", options: [], costMs: 900 },
];
