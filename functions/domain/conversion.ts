import type { EngineId } from "./engines.ts";
import type { Trait } from "./format.ts";
import type { FormatId } from "./formats.ts";
import type { OptionName } from "./options.ts";

/** One declared pair: an engine that turns one format into another in one step. */
export interface Conversion {
  readonly from: FormatId;
  readonly to: FormatId;
  readonly engine: EngineId;
  /**
   * `lossless` when what the target can carry arrives exactly, `lossy` when it is encoded with loss, `content_only`
   * when the content arrives without its looks.
   */
  readonly fidelity: Fidelity;
  /** The options that the engine honours on this pair. */
  readonly options: readonly OptionName[];
  /** Milliseconds that a usual file takes (12 megapixels, 10 pages, 10,000 rows), as measured; it breaks ties. */
  readonly costMs: number;
  /** What source and target could both carry, and the engine does not bring over. */
  readonly drops?: readonly Trait[];
  /** Whether nothing may follow it: a page that was drawn, a dump, a file that was only wrapped. */
  readonly last?: boolean;
  /** Whether nothing may come before it: it wants a source of a certain kind (a table of places), not any of the format. */
  readonly first?: boolean;
  /**
   * Whether it is taken although a longer way would lose less or honour more options: who wants a photo in a PDF wants
   * its 3 MB of JPEG, and not 30 MB of exact pixels.
   */
  readonly preferred?: boolean;
  /** The option without which it is not taken, because the usual way is cheaper and does all but this. */
  readonly asked?: OptionName;
  /** Whether several files of the source, in their order, become one of the target. */
  readonly merges?: boolean;
  /** Whether the files go into the target as they are, under their names, whatever they are. */
  readonly packs?: boolean;
}

export type Fidelity = "lossless" | "lossy" | "content_only";

/** A row of the table: the same conversion from several formats. */
export interface ConversionRow extends Omit<Conversion, "from"> {
  readonly from: readonly FormatId[];
}
