import type { FormatId } from "../formats/formats.ts";
import { packed } from "./by-engine/archives/packed.ts";
import { preparedByOffice } from "./by-engine/documents/soffice.ts";
import type { Conversion, ConversionRow } from "./conversion.ts";
import type { EngineId } from "./engines.ts";

/** Images that sharp reads, except drawings and animated PNG. */
const COMMON = ["jpg", "png", "webp", "gif", "tiff", "avif"] as const satisfies readonly FormatId[];

/** Images whose ffmpeg decoder is tried last. */
export const STILLS = [
  ...COMMON,
  ...([
    "bmp",
    "jxl",
    "jp2",
    "j2k",
    "psd",
    "qoi",
    "dds",
    "pcx",
    "sgi",
    "ras",
    "dpx",
    "ppm",
    "pgm",
    "pbm",
    "xpm",
    "xbm",
  ] as const),
] as const satisfies readonly FormatId[];

/** Zip archives with compression methods that Node does not have. */
const ZIPS = ["zip", "jar", "cbz"] as const satisfies readonly FormatId[];

/**
 * Further readers of a format. They lose more or take longer than the engines of the routes, so they are used only for a
 * file that those refuse as damaged or unsupported. Most write an intermediate format, from which the route continues.
 */
const byEngine: Partial<Record<EngineId, readonly ConversionRow[]>> = {
  magick: [
    {
      from: ["jpg", "png", "webp", "gif", "avif", "heic"],
      to: "png",
      fidelity: "lossless",
      options: [],
      loses: ["frames"],
      costMs: 900,
      prepares: true,
    },
    // All pages, for PDF.
    { from: ["tiff"], to: "tiff", fidelity: "lossless", options: [], costMs: 1_200, prepares: true, first: true },
  ],
  // Sharp refuses animated AVIF.
  avif: [{ from: ["avif"], to: "apng", fidelity: "lossless", options: [], costMs: 3_000, prepares: true }],
  ffmpeg: [
    {
      from: STILLS,
      to: "png",
      // Only the first page or frame, and no profile.
      fidelity: "lossy",
      options: [],
      loses: ["frames", "color_profile", "metadata"],
      costMs: 1_500,
      prepares: true,
    },
  ],
  soffice: [
    ...preparedByOffice(["xlsx", "xls", "xlsb", "ods", "fods"], { fidelity: "lossy" }),
    // Numbers '09, whose tables are XML.
    { from: ["numbers"], to: "xlsx", fidelity: "lossy", options: ["sheet"], costMs: 150, prepares: true, first: true },
  ],
  // Books that were damaged or made by old tools.
  calibre: [
    { from: ["mobi", "azw3"], to: "epub", fidelity: "lossy", options: [], costMs: 400, prepares: true, first: true },
  ],
  "seven-zip": (["zip", "cbz", "tar", "tgz", "tzst"] as const).flatMap((to) => packed(ZIPS, to, 600)),
};

const rows: readonly Conversion[] = Object.entries(byEngine).flatMap(([engine, own]) =>
  own.flatMap(({ from, ...row }) => from.map((source) => ({ from: source, engine: engine as EngineId, ...row }))),
);
const bySource = Map.groupBy(rows, ({ from }) => from);

/**
 * @param usual the conversions from the format that routes use
 * @returns the conversions that can be the first step for a file that an engine has refused; empty if the format has no
 * further reader: for text formats, a tolerant reader would lose what a strict one reports
 */
export const readersOf = (from: FormatId, usual: readonly Conversion[] = []): readonly Conversion[] => {
  const further = bySource.get(from);
  return further === undefined ? [] : [...usual, ...further];
};

/** @returns whether the step is only used for files that other engines have refused */
export const isFurtherReader = ({ engine, from, to }: Pick<Conversion, "engine" | "from" | "to">): boolean =>
  bySource.get(from)?.some((row) => row.engine === engine && row.to === to) ?? false;
