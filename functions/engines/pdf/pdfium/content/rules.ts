import type { Rule } from "./content.ts";

/** How far apart the parts of one line are, in points. */
interface Tolerance {
  /** Between the end of a part and the start of the next. */
  readonly gap: number;
  /** Between their heights, or distances from the left. */
  readonly offset: number;
  /** Whether all parts have the same color. */
  readonly sameColor: boolean;
}

const DASHES: Tolerance = { gap: 3, offset: 0.5, sameColor: true };
const LENGTH_MIN = 4;

/** @returns the rules with dashes, repetitions and parts of the same line joined */
export const joinedRules = (rules: readonly Rule[]): Rule[] =>
  [true, false]
    .flatMap((across) =>
      joinedAlong(
        rules.filter((rule) => rule.across === across),
        DASHES,
      ),
    )
    .filter(({ from, to }) => to - from >= LENGTH_MIN);

/** @param rules all of one direction @returns the rules with the parts of one line joined, sorted by place */
export const joinedAlong = (rules: readonly Rule[], { gap, offset, sameColor }: Tolerance): Rule[] => {
  const lines: Rule[][] = [];
  for (const rule of rules.toSorted((one, other) => one.at - other.at)) {
    const line = lines.at(-1);
    rule.at - (line?.[0]?.at ?? Number.NEGATIVE_INFINITY) <= offset ? line?.push(rule) : lines.push([rule]);
  }
  return lines.flatMap((line) => {
    const joined: Rule[] = [];
    for (const rule of line.toSorted((one, other) => one.from - other.from)) {
      const last = joined.at(-1);
      if (last !== undefined && rule.from - last.to <= gap && (!sameColor || last.color === rule.color)) {
        joined[joined.length - 1] = {
          ...last,
          to: Math.max(last.to, rule.to),
          width: Math.max(last.width, rule.width),
        };
      } else {
        joined.push(rule);
      }
    }
    return joined;
  });
};
