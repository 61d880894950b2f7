import type { Row } from "./measure.ts";

/** Checks what the tables of conversions promise against what was measured. */

/** Decoders round differently; a different profile or a lost channel is far above. */
const SAME = 0.004;
/** Programs that draw pages and shapes smooth edges differently. */
const SAME_DRAWN = 0.03;
/** A format with hundredths of a second, or other rounding of a resampler. */
const SAME_SOUND = 0.02;

/** Share of words that a program may join or split at the end of a line. */
const SAME_WORDS = 0.001;

const sameDistance = ({ kind, pair }: Row): number => {
  if (kind === "sound" || kind === "film") {
    return SAME_SOUND;
  }
  return /^(?:pdf|svg)→|→(?:pdf|svg)$/u.test(pair) ? SAME_DRAWN : SAME;
};

/** Documents in other formats break lines differently, so only their words must be the same. */
const isExact = (row: Row): boolean => {
  const { kind, drops, ours } = row;
  const isDeclared = (kind === "picture" || kind === "sound") && drops.includes("metadata");
  const looksSame = kind === "document" || (ours.distance ?? 0) <= sameDistance(row);
  return looksSame && (isDeclared || (ours.missing ?? 0) <= (kind === "document" ? SAME_WORDS : 0));
};

/** Camera metadata and tags must be declared as lost, whatever the encoding does to the pixels or the sound. */
const hasUndeclaredTags = ({ kind, drops, ours }: Row): boolean =>
  (kind === "picture" || kind === "sound") && (ours.missing ?? 0) > 0 && !drops.includes("metadata");

/** A feature that the table keeps is gone; or one that it drops is there, so that users would convert otherwise. */
const wrongFeatures = ({ drops, ours: { lost = [], kept = [] } }: Row): string[] => [
  ...lost.filter((trait) => !drops.includes(trait)),
  ...kept.filter((trait) => drops.includes(trait)),
];

/** Results that only seem to differ, because of the program that draws them. */
const KNOWN: readonly string[] = [
  // Poppler ignores the opacity of a gradient in a form; PDFium draws it.
  "svg→pdf made/curved.svg",
  // Librsvg and Chromium place an element that a filter draws (`feImage`) differently.
  "svg→png corpus/image/resvg__link-on-an-element-with-transform.svg",
];

/**
 * @returns rows whose result lacks something that neither a warning nor the table of conversions says: the pair is
 * declared lossless, or the feature is declared kept. Also rows that have a feature which is declared dropped
 */
export const wrongLabels = (rows: readonly Row[]): Row[] =>
  rows.filter(
    (row) =>
      row.ours.failure === undefined &&
      row.ours.warnings.length === 0 &&
      !KNOWN.includes(`${row.pair} ${row.file}`) &&
      ((row.fidelity === "lossless" && !isExact(row)) || hasUndeclaredTags(row) || wrongFeatures(row).length > 0),
  );
