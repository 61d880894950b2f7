import type { PageContent } from "../content/content.ts";

/** Properties of the text of the complete document. */
export interface DocumentStyle {
  /** Size of most letters, in points. */
  readonly bodySize: number;
  /** Distance of consecutive baselines of most lines, in units of the letter size. */
  readonly leading: number;
  /** Sizes of headings, largest first. */
  readonly headingSizes: readonly number[];
  /** Whether most letters of the body size are bold. */
  readonly bold: boolean;
  /** Words with a hyphen that occur within a line, in lower case. */
  readonly hyphenated: ReadonlySet<string>;
}

/** Minimum size of heading letters, in units of the body size. */
const HEADING_MIN = 1.12;
const HEADING_POINTS_MIN = 1.2;
const HEADINGS_MAX = 4;
const LEADING = 1.2;
const HYPHENATED_MAX = 20_000;

/** Collects the sizes, line distance and compound words of pages. */
export const styleCounter = () => {
  const [letters, bold, leadings] = [new Map<number, number>(), new Map<number, number>(), new Map<number, number>()];
  const hyphenated = new Set<string>();
  const add = ({ words }: PageContent): void => {
    for (const [index, { size, text, runs, baseline }] of words.entries()) {
      const rounded = Math.round(size * 2) / 2;
      count(letters, rounded, text.length);
      count(bold, rounded, runs[0]?.bold === true ? text.length : 0);
      const next = words[index + 1];
      const step = next?.size === size ? (next.baseline - baseline) / size : 0;
      step > 0.8 && step < 2.6 && count(leadings, Math.round(step * 20) / 20, 1);
      if (hyphenated.size < HYPHENATED_MAX && /\p{L}[-\u2010]\p{Ll}/u.test(text)) {
        hyphenated.add(
          text
            .toLowerCase()
            .replace(/\u2010/g, "-")
            .replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ""),
        );
      }
    }
  };
  const style = (): DocumentStyle => {
    const bodySize = mostOf(letters) ?? 10;
    const large = [...letters.keys()].filter(
      (size) => size > bodySize * HEADING_MIN && size > bodySize + HEADING_POINTS_MIN,
    );
    return {
      bodySize,
      leading: mostOf(leadings) ?? LEADING,
      headingSizes: distinct(large.toSorted((one, other) => other - one)).slice(-HEADINGS_MAX),
      bold: (bold.get(bodySize) ?? 0) * 2 > (letters.get(bodySize) ?? 0),
      hyphenated,
    };
  };
  return { add, style };
};

const count = (counts: Map<number, number>, key: number, by: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + by);
};

const mostOf = (counts: ReadonlyMap<number, number>): number | undefined =>
  [...counts].reduce<readonly [number, number] | undefined>(
    (most, entry) => (most === undefined || entry[1] > most[1] ? entry : most),
    undefined,
  )?.[0];

/** @returns the sizes without those that barely differ from the previous one */
const distinct = (sizes: readonly number[]): number[] => {
  const kept: number[] = [];
  for (const size of sizes) {
    if ((kept.at(-1) ?? Number.POSITIVE_INFINITY) - size >= 0.75) {
      kept.push(size);
    }
  }
  return kept;
};
