import type { Rule } from "./content.ts";

/** Maximum gap between the dashes of a line, and maximum offset of its parts, in points. */
const GAP_MAX = 3;
const OFFSET_MAX = 0.5;
const LENGTH_MIN = 4;

/** @returns the rules with dashes, repetitions and parts of the same line joined */
export const joinedRules = (rules: readonly Rule[]): Rule[] =>
  [true, false]
    .flatMap((across) => levelsOf(rules.filter((rule) => rule.across === across)))
    .flatMap(joinedOnLevel)
    .filter(({ from, to }) => to - from >= LENGTH_MIN);

/** @returns the rules at nearly the same place */
const levelsOf = (rules: readonly Rule[]): Rule[][] => {
  const levels: Rule[][] = [];
  for (const rule of rules.toSorted((one, other) => one.at - other.at)) {
    const level = levels.at(-1);
    rule.at - (level?.[0]?.at ?? Number.NEGATIVE_INFINITY) <= OFFSET_MAX ? level?.push(rule) : levels.push([rule]);
  }
  return levels;
};

const joinedOnLevel = (rules: readonly Rule[]): Rule[] => {
  const joined: Rule[] = [];
  for (const rule of rules.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last !== undefined && last.color === rule.color && rule.from - last.to <= GAP_MAX) {
      joined[joined.length - 1] = { ...last, to: Math.max(last.to, rule.to), width: Math.max(last.width, rule.width) };
    } else {
      joined.push(rule);
    }
  }
  return joined;
};
