import { around } from "../../page/geometry.ts";
import type { Line } from "../rows.ts";
import type { Edge } from "./rulings.ts";

/** In units of the letter size: the baselines of the text over and under a fraction line, from the line. */
const OVER = 0.9;
const UNDER = 1.5;
/** Share of the rows' width from which on a line separates rows. */
const WIDE = 0.5;

/**
 * @param rows those that may form a table
 * @param all the rows of the column
 * @param rules horizontal rules
 * @returns whether each row has one fraction line, over it or under it: such rows are formulas
 */
export const areFractions = (rows: readonly Line[], all: readonly Line[], rules: readonly Edge[]): boolean => {
  const { left, right } = around(rows);
  const near = rules.filter(({ from, to }) => from < right && to > left);
  const isAt = ({ words, baseline, size }: Line, { at, from, to }: Edge, isUnder: boolean): boolean => {
    const distance = (isUnder ? baseline - at : at - baseline) / size;
    if (distance <= 0 || distance >= (isUnder ? UNDER : OVER)) {
      return false;
    }
    const over = words.filter((word) => word.left < to && word.right > from);
    return over.length > 0 && over.every((word) => word.left > from - 1 && word.right < to + 1);
  };
  const lines = near.filter(
    (rule) =>
      rule.to - rule.from < WIDE * (right - left) &&
      [true, false].every((isUnder) => all.some((row) => isAt(row, rule, isUnder))),
  );
  return (
    lines.length > 0 &&
    rows.every((row) => lines.filter((rule) => isAt(row, rule, true) || isAt(row, rule, false)).length === 1)
  );
};
