import type { Row } from "./measure.ts";

/** Checks what the tables of conversions promise against what was measured. */

/** Decoders round differently; a different profile or a lost channel is far above. */
const SAME = 0.004;
/** A format with hundredths of a second, or other rounding of a resampler. */
const SAME_SOUND = 0.02;

/** @returns whether the result lacks nothing that was measured */
const isExact = ({ kind, ours }: Row): boolean =>
  (ours.missing ?? 0) === 0 && (ours.distance ?? 0) <= (kind === "sound" || kind === "film" ? SAME_SOUND : SAME);

/** Documents in other formats break lines differently, so only their words must be the same. */
const isWordExact = (row: Row): boolean => (row.kind === "document" ? (row.ours.missing ?? 0) === 0 : isExact(row));

/**
 * @returns rows of a pair that is declared lossless, whose result lacks something, and whose warnings and declared
 * losses do not say so
 */
export const wrongLabels = (rows: readonly Row[]): Row[] =>
  rows.filter(
    (row) =>
      row.fidelity === "lossless" &&
      row.ours.failure === undefined &&
      row.ours.warnings.length === 0 &&
      !isWordExact(row),
  );
