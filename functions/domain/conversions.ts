import type { FormatId } from "./formats.ts";
import type { EngineId } from "./lanes.ts";
import type { OptionName } from "./options.ts";

/** One declared pair: an engine that turns one format into another in one step. */
export interface Conversion {
  readonly from: FormatId;
  readonly to: FormatId;
  readonly engine: EngineId;
  /** `lossless` when what the target can carry arrives exactly, `lossy` when it is encoded with loss. */
  readonly fidelity: Fidelity;
  /** The options that the engine honours on this pair. */
  readonly options: readonly OptionName[];
  /** Milliseconds that a picture of 12 megapixels takes, as measured; it breaks ties between routes. */
  readonly costMs: number;
}

export type Fidelity = "lossless" | "lossy" | "content_only";

interface Row extends Omit<Conversion, "from"> {
  readonly from: readonly FormatId[];
}

const RASTER = ["jpg", "png", "webp", "gif", "tiff", "avif", "svg"] as const satisfies readonly FormatId[];
/** Pictures that sharp does not read. */
const RARE = ["bmp", "jxl", "jp2", "psd", "qoi"] as const satisfies readonly FormatId[];
const RESIZE = ["width", "height", "fit", "background", "strip_metadata"] as const satisfies readonly OptionName[];

/** A new conversion is a row here and a fixture in `test/fixtures`, and nothing else. */
const rows: readonly Row[] = [
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

export const conversions: readonly Conversion[] = rows.flatMap(({ from, ...row }) =>
  from.map((source) => ({ from: source, ...row })),
);
