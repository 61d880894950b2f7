import type { Trait } from "../formats/format.ts";
import type { FormatId } from "../formats/formats.ts";
import type { EngineId } from "./engines.ts";
import type { OptionRules } from "./option-rules.ts";
import type { OptionName } from "./options.ts";

/** A declared pair: an engine that converts one format to another in one step. */
export interface Conversion {
  readonly from: FormatId;
  readonly to: FormatId;
  readonly engine: EngineId;
  /**
   * `lossless` when everything that the target supports is preserved exactly, `lossy` when it is encoded with loss,
   * `content_only` when the content is preserved without its layout.
   */
  readonly fidelity: Fidelity;
  /** The options that the engine supports for this pair. */
  readonly options: readonly OptionName[];
  /** Choices, ranges and defaults of these options. @default those of each option's schema */
  readonly rules?: OptionRules;
  /** Measured milliseconds for a typical file (12 megapixels, 10 pages, 10,000 rows); breaks ties. */
  readonly costMs: number;
  /** Features that source and target both support, but the engine loses. */
  readonly loses?: readonly Trait[];
  /** Whether it must be the last step: a rendered page, a dump, a wrapped file. */
  readonly last?: boolean;
  /**
   * Whether it must be the first step: it needs a specific kind of source (a table of locations), not any file of the
   * format.
   */
  readonly first?: boolean;
  /**
   * Whether it is preferred although a longer route would lose less or support more options: a photo in a PDF should be
   * 3 MB of JPEG, not 30 MB of exact pixels.
   */
  readonly preferred?: boolean;
  /** Only used for jobs that set one of these options: the default route is cheaper and supports everything else. */
  readonly optIn?: readonly OptionName[];
  /**
   * An engine that some files need in addition, in a lane that has both: Tesseract for scanned pages, a browser for
   * drawings with HTML. A deployment without it does not support the options of Tesseract.
   */
  readonly helper?: EngineId;
  /** Whether another engine can read the result in the next step, although the format is not a hub, or is the source's. */
  readonly prepares?: boolean;
  /** Whether several source files are merged, in order, into one target file. */
  readonly merges?: boolean;
  /** Whether files of any format are packed unchanged, under their names. */
  readonly packs?: boolean;
}

export type Fidelity = "lossless" | "lossy" | "content_only";

/** A row of an engine's table: the same conversion from several formats. */
export interface ConversionRow extends Omit<Conversion, "engine" | "from"> {
  readonly from: readonly FormatId[];
}
