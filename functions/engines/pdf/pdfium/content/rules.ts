import type { Rule } from "./content.ts";

/** Maximum gap between the dashes of a line, and maximum offset of its parts, in points. */
const GAP_MAX = 3;
const OFFSET_MAX = 0.5;
const LENGTH_MIN = 4;

/** @returns the rules with dashes, repetitions and parts of the same line joined */
export const joinedRules = (rules: readonly Rule[]): Rule[] => {
  const joined: Rule[] = [];
  const steps = (at: number): number => Math.round(at / OFFSET_MAX);
  const sorted = rules.toSorted(
    (one, other) =>
      Number(one.across) - Number(other.across) || steps(one.at) - steps(other.at) || one.from - other.from,
  );
  for (const rule of sorted) {
    const last = joined.at(-1);
    if (last !== undefined && isSameLine(last, rule)) {
      joined[joined.length - 1] = { ...last, to: Math.max(last.to, rule.to), width: Math.max(last.width, rule.width) };
    } else {
      joined.push(rule);
    }
  }
  return joined.filter(({ from, to }) => to - from >= LENGTH_MIN);
};

const isSameLine = (last: Rule, rule: Rule): boolean =>
  last.across === rule.across &&
  last.color === rule.color &&
  Math.abs(last.at - rule.at) <= OFFSET_MAX &&
  rule.from - last.to <= GAP_MAX;
