import type { ConversionRow } from "../conversion.ts";
import type { FormatId } from "../formats.ts";
import type { OptionName } from "../options.ts";

/** What sharp reads. */
const RASTER = ["jpg", "png", "apng", "webp", "gif", "tiff", "avif", "svg"] as const satisfies readonly FormatId[];

/** Pictures that sharp does not read. */
const RARE = [
  ...["bmp", "jxl", "jp2", "j2k", "psd", "psb", "qoi", "ico", "cur", "icns", "tga", "dds"],
  ...["pbm", "pgm", "ppm", "pam", "pcx", "xbm", "xpm", "wbmp", "pict", "miff", "xcf", "sgi", "ras"],
  ...["dpx", "farbfeld"],
] as const satisfies readonly FormatId[];

const CAMERA = ["dng", "cr2", "nef", "arw", "pef", "srw"] as const satisfies readonly FormatId[];

const RESIZE = ["width", "height", "fit", "background", "strip_metadata"] as const satisfies readonly OptionName[];
const QUALITY = ["quality", ...RESIZE] as const satisfies readonly OptionName[];
const LOSSLESS = ["quality", "lossless", ...RESIZE] as const satisfies readonly OptionName[];

/** What only ImageMagick writes and loses nothing by it, and how long 12 megapixels take, with reading them. */
const EXACT = [
  ["bmp", 500],
  ["tga", 500],
  ["qoi", 700],
  ["ppm", 500],
  ["pam", 500],
  ["pcx", 700],
  ["pict", 900],
  ["miff", 900],
  ["sgi", 900],
  ["ras", 500],
  ["farbfeld", 900],
] as const satisfies readonly (readonly [FormatId, number])[];

/** What holds fewer colours than a picture has: one of grey, one of black and white, a palette, blocks. */
const COARSE = [
  ["pgm", 500],
  ["pbm", 3_000],
  ["xbm", 4_000],
  ["wbmp", 3_000],
  ["xpm", 8_000],
  ["dds", 2_000],
] as const satisfies readonly (readonly [FormatId, number])[];

export const pictureConversions: readonly ConversionRow[] = [
  { from: RASTER, to: "jpg", engine: "sharp", fidelity: "lossy", options: QUALITY, costMs: 150 },
  { from: RASTER, to: "png", engine: "sharp", fidelity: "lossless", options: RESIZE, costMs: 450 },
  { from: RASTER, to: "webp", engine: "sharp", fidelity: "lossy", options: LOSSLESS, costMs: 1_000 },
  { from: RASTER, to: "gif", engine: "sharp", fidelity: "lossy", options: RESIZE, costMs: 4_000 },
  { from: RASTER, to: "tiff", engine: "sharp", fidelity: "lossless", options: RESIZE, costMs: 450 },
  { from: RASTER, to: "avif", engine: "sharp", fidelity: "lossy", options: LOSSLESS, costMs: 2_000 },
  { from: RASTER, to: "apng", engine: "sharp", fidelity: "lossless", options: RESIZE, costMs: 600 },
  { from: ["heic", ...RARE, ...CAMERA], to: "png", engine: "magick", fidelity: "lossless", options: [], costMs: 900 },
  {
    from: RASTER,
    to: "jxl",
    engine: "magick",
    fidelity: "lossy",
    options: LOSSLESS,
    drops: ["frames", "colour_profile"],
    costMs: 1_500,
  },
  ...(["jp2", "j2k"] as const).map(
    (to) =>
      ({
        from: RASTER,
        to,
        engine: "magick",
        fidelity: "lossy",
        options: LOSSLESS,
        drops: ["colour_profile", "metadata"],
        costMs: 4_000,
      }) as const,
  ),
  ...(["psd", "psb"] as const).map(
    (to) =>
      ({
        from: RASTER,
        to,
        engine: "magick",
        fidelity: "lossless",
        options: RESIZE,
        drops: ["metadata"],
        costMs: 500,
      }) as const,
  ),
  ...EXACT.map(
    ([to, costMs]) => ({ from: RASTER, to, engine: "magick", fidelity: "lossless", options: RESIZE, costMs }) as const,
  ),
  ...COARSE.map(
    ([to, costMs]) => ({ from: RASTER, to, engine: "magick", fidelity: "lossy", options: RESIZE, costMs }) as const,
  ),
  { from: ["hdr", "exr"], to: "png", engine: "light", fidelity: "lossless", options: [], costMs: 1_500 },
  { from: RASTER, to: "hdr", engine: "light", fidelity: "lossless", options: RESIZE, costMs: 1_500 },
  { from: RASTER, to: "exr", engine: "light", fidelity: "lossless", options: RESIZE, costMs: 2_500 },
  { from: RASTER, to: "ico", engine: "icons", fidelity: "lossy", options: RESIZE, costMs: 60 },
  { from: RASTER, to: "icns", engine: "icons", fidelity: "lossy", options: RESIZE, costMs: 300 },
  {
    from: ["jpg", "png", "apng", "webp", "gif", "tiff", "avif"],
    to: "svg",
    engine: "vectorizer",
    fidelity: "content_only",
    options: ["colours", ...RESIZE],
    costMs: 1_200,
    last: true,
  },
  // Asked for, so that no still picture goes another way for the sake of an option that means nothing to it.
  ...(["png", "jpg", "webp", "avif", "tiff"] as const).map(
    (to) =>
      ({
        from: (["gif", "webp"] as const).filter((from) => from !== to),
        to,
        engine: "sharp",
        fidelity: to === "png" || to === "tiff" ? "lossless" : "lossy",
        options: [...(to === "webp" || to === "avif" ? LOSSLESS : to === "jpg" ? QUALITY : RESIZE), "split"],
        costMs: 500,
        asked: "split",
      }) as const,
  ),
  { from: ["svgz"], to: "svg", engine: "svgz", fidelity: "lossless", options: [], costMs: 5 },
  { from: ["svg"], to: "svgz", engine: "svgz", fidelity: "lossless", options: [], costMs: 5 },
  { from: ["heic"], to: "jpg", engine: "heif", fidelity: "lossy", options: QUALITY, costMs: 350 },
];
