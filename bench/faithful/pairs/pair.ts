import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import type { Kind } from "../read/readers.ts";
import type { Reference } from "../references/reference.ts";

/** A frequently used pair, and how its results are compared. */
export interface Pair {
  readonly from: FormatId;
  readonly to: FormatId;
  /** How source and result are read. */
  readonly kind: Kind;
  /** The program of the field. @default none does this conversion */
  readonly reference?: Reference;
  /** Whether the pages or the pixels are expected to look like those of the source. @default true */
  readonly looks?: boolean;
  /** Content that the target cannot have. @default none */
  readonly ignores?: readonly string[];
}

/** @returns a pair of each source and each target */
export const pairsOf = (
  sources: readonly FormatId[],
  targets: readonly FormatId[],
  rest: Omit<Pair, "from" | "to">,
): Pair[] => sources.flatMap((from) => targets.filter((to) => to !== from).map((to) => ({ from, to, ...rest })));
