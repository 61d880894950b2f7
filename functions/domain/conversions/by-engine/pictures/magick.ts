import type { FormatId } from "../../../formats/formats.ts";
import type { ConversionRow } from "../../conversion.ts";
import type { OptionName } from "../../options.ts";
import { RARE_QUALITY, withQuality } from "./qualities.ts";
import { fromRaster } from "./raster.ts";

/** Image formats that sharp does not read. */
const READ = [
  ...["heic", "bmp", "jxl", "jp2", "j2k", "psd", "psb", "qoi", "ico", "cur", "icns", "tga", "dds"],
  ...["pbm", "pgm", "ppm", "pam", "pcx", "xbm", "xpm", "wbmp", "pict", "miff", "xcf", "sgi", "ras"],
  ...["dpx", "farbfeld"],
] as const satisfies readonly FormatId[];

/** Camera raw files, which LibRaw develops. */
const CAMERAS = [
  ...["dng", "cr2", "cr3", "nef", "arw", "pef", "srw", "raf", "orf", "rw2"],
] as const satisfies readonly FormatId[];

const RESIZE = ["width", "height", "fit", "background", "strip_metadata"] as const satisfies readonly OptionName[];
const LOSSLESS = ["quality", "lossless", ...RESIZE] as const satisfies readonly OptionName[];

const LOSSY = withQuality(RARE_QUALITY);

/** Conversions of ImageMagick. Costs are for 12 megapixels, read by sharp. */
export const magickConversions: readonly ConversionRow[] = [
  { from: READ, to: "png", fidelity: "lossless", options: [], costMs: 900 },
  { from: CAMERAS, to: "png", fidelity: "lossless", options: [], loses: ["metadata"], costMs: 900 },
  ...(
    [
      {
        to: "jxl",
        fidelity: "lossy",
        options: LOSSLESS,
        rules: LOSSY,
        loses: ["frames", "color_profile"],
        costMs: 1_500,
      },
      {
        to: "jp2",
        fidelity: "lossy",
        options: LOSSLESS,
        rules: LOSSY,
        loses: ["color_profile", "metadata"],
        costMs: 4_000,
      },
      {
        to: "j2k",
        fidelity: "lossy",
        options: LOSSLESS,
        rules: LOSSY,
        loses: ["color_profile", "metadata"],
        costMs: 4_000,
      },
      { to: "psd", fidelity: "lossless", options: RESIZE, loses: ["metadata"], costMs: 500 },
      { to: "psb", fidelity: "lossless", options: RESIZE, loses: ["metadata"], costMs: 500 },
      { to: "bmp", fidelity: "lossless", options: RESIZE, costMs: 500 },
      { to: "tga", fidelity: "lossless", options: RESIZE, costMs: 500 },
      { to: "qoi", fidelity: "lossless", options: RESIZE, costMs: 700 },
      { to: "ppm", fidelity: "lossless", options: RESIZE, costMs: 500 },
      { to: "pam", fidelity: "lossless", options: RESIZE, costMs: 500 },
      { to: "pcx", fidelity: "lossless", options: RESIZE, costMs: 700 },
      // Fewer colors than a typical image: grayscale, black and white, block compression.
      { to: "pgm", fidelity: "lossy", options: RESIZE, costMs: 500 },
      { to: "pbm", fidelity: "lossy", options: RESIZE, costMs: 3_000 },
      { to: "dds", fidelity: "lossy", options: RESIZE, costMs: 2_000 },
    ] as const
  ).flatMap(fromRaster),
];
