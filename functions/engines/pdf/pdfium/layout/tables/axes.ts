import { type Line, lineText } from "../rows.ts";
import type { TextRow } from "./text-rows.ts";

/** Values of the axis of a chart, at least, along the bottom and up the side. */
const ACROSS_MIN = 5;
const UP_MIN = 3;
/** Columns of numbers that two axes form. */
const AXES_MAX = 2;
/** Relative difference of steps that rounding explains. */
const ROUNDED = 0.02;

/** @returns the numbers of texts such as `5%` and `$54,000`; undefined if one is none */
const numbersOf = (texts: readonly string[]): readonly number[] | undefined => {
  const numbers = texts.map((text) => text.replaceAll(/[\s,%$€£¥]/gu, ""));
  return numbers.every((text) => /^[-−–]?\d+(?:\.\d+)?$/u.test(text))
    ? numbers.map((text) => Number(text.replace(/^[−–]/u, "-")))
    : undefined;
};

/** @returns the constant step between the numbers; undefined if there is none */
const stepOf = (numbers: readonly number[]): number | undefined => {
  const steps = numbers.slice(1).map((number, index) => number - (numbers[index] ?? 0));
  const [step = 0] = steps;
  return step !== 0 && steps.every((other) => Math.abs(other - step) <= ROUNDED * Math.abs(step)) ? step : undefined;
};

/** @returns whether the words of a line are the values of an axis that begins with 0 */
export const isAxisAcross = (line: Line | undefined): boolean => {
  const words = line?.words.map(({ text }) => text) ?? [];
  const numbers = words.length < ACROSS_MIN ? undefined : numbersOf(words);
  return numbers !== undefined && numbers[0] === 0 && (stepOf(numbers) ?? 0) > 0;
};

/** @returns whether rows are the values of axes: the last one from 0, or one or two columns that count down */
export const areAxes = (rows: readonly TextRow[]): boolean => isAxisAcross(rows.at(-1)?.line) || areAxesUp(rows);

/** @returns whether rows have nothing but the values of one or two axes, from the top: no table counts down in both columns */
const areAxesUp = (rows: readonly TextRow[]): boolean => {
  const columns = rows[0]?.cells.length ?? 0;
  return (
    columns <= AXES_MAX &&
    rows.length >= UP_MIN &&
    Array.from({ length: columns }, (_, column) => rows.map(({ cells }) => cells[column])).every((cells) => {
      const lines = cells.filter((cell): cell is Line => cell !== undefined);
      const numbers = lines.length === rows.length ? numbersOf(lines.map(lineText)) : undefined;
      return numbers !== undefined && (stepOf(numbers) ?? 0) < 0;
    })
  );
};
