import type { Box } from "../../page/geometry.ts";
import { boxOfRule, common, contains, isEmpty, larger, sizeOf, touches } from "../boxes.ts";
import type { Rule, Word } from "../content.ts";
import { wordFromCheck } from "../fields.ts";
import { type Dot, type Shapes, shapesWithout } from "../shapes.ts";

/** Sides of a box to tick, in points, and the ratio of its sides. */
const SIDE_MIN = 5;
const SIDE_MAX = 16;
const RATIO_MAX = 1.3;
/** Points by which the corners of a box may be open. */
const OPEN_MAX = 0.7;
/** Points between two squares of a grid. */
const TOUCH_MAX = 0.5;
/** Points between a box and the text next to it. */
const DISTANCE_MAX = 24;
/** Minimum share of a side that a mark in the box has. */
const MARK_MIN = 0.35;
/** Maximum rules of this size that are compared; a page with more has a drawing or a grid. */
const RULES_MAX = 2_000;
const MARKS = /^[xX✓✔✗✘×]$/u;

/** The words of a page with its boxes to tick, and the shapes that are none. */
export interface Ticked {
  readonly words: readonly Word[];
  readonly shapes: Shapes;
}

/** @returns the page with the boxes that are drawn next to text as the characters `☐` and `☒` */
export const withChecks = (words: readonly Word[], shapes: Shapes): Ticked => {
  const hollow = shapes.dots.filter((dot) => isHollow(dot) && dot.right - dot.left >= SIDE_MIN).slice(0, RULES_MAX);
  const squares = [...squaresOf(shapes.rules), ...hollow];
  const around = surroundingsOf(words, shapes);
  const found = squares
    .filter((box) => squares.every((other) => other === box || !touches(other, box, TOUCH_MAX)))
    .flatMap((box) => checkIn(box, around) ?? []);
  if (found.length === 0) {
    return { words, shapes };
  }
  const areas = found.map(({ box }) => larger(box, OPEN_MAX));
  const marks = new Set(found.flatMap(({ mark }) => mark ?? []));
  return {
    words: [
      ...words.filter((word) => !marks.has(word)),
      ...found.map(({ box, ticked }) => wordFromCheck({ ...box, text: ticked ? "☒" : "☐" })),
    ],
    shapes: { ...shapes, ...shapesWithout(shapes, (shape) => areas.some((area) => contains(area, shape))) },
  };
};

const isHollow = ({ filled, square }: Dot): boolean => square && !filled;

/** @returns the squares whose four sides end at their corners: those of a grid are longer */
const squaresOf = (rules: readonly Rule[]): Box[] => {
  const sides = rules.filter(({ from, to }) => to - from >= SIDE_MIN && to - from <= SIDE_MAX);
  if (sides.length > RULES_MAX) {
    return [];
  }
  const [across, down] = [sides.filter((side) => side.across), sides.filter((side) => !side.across)];
  const isNear = (one: number, other: number) => Math.abs(one - other) <= OPEN_MAX;
  const found: Box[] = [];
  for (const upper of across) {
    const length = upper.to - upper.from;
    const [left, right] = [upper.from, upper.to].map((x) =>
      down.find((side) => isNear(side.at, x) && isNear(side.from, upper.at)),
    );
    const lower = across.find(
      ({ at, from, to }) =>
        isNear(from, upper.from) && isNear(to, upper.to) && isNear(at, left?.to ?? 0) && at > upper.at,
    );
    const height = lower === undefined ? 0 : lower.at - upper.at;
    const isSquare = height * RATIO_MAX >= length && length * RATIO_MAX >= height;
    if (left !== undefined && right !== undefined && lower !== undefined && isNear(left.to, right.to) && isSquare) {
      found.push({ left: upper.from, right: upper.to, top: upper.at, bottom: lower.at });
    }
  }
  return found;
};

interface FoundCheck {
  readonly box: Box;
  readonly ticked: boolean;
  /** The letter that ticks it. */
  readonly mark?: Word | undefined;
}

interface Surroundings {
  readonly words: readonly Word[];
  /** Areas with a color. */
  readonly colored: readonly Box[];
  /** Straight lines, and what else can tick a box. */
  readonly lines: readonly Box[];
  readonly marks: readonly Box[];
}

const surroundingsOf = (words: readonly Word[], { fills, pieces, rules, dots }: Shapes): Surroundings => ({
  words,
  colored: [...fills.filter(({ color }) => color !== "ffffff"), ...dots.filter(({ filled }) => filled)],
  lines: rules.map(boxOfRule),
  marks: [...pieces, ...dots.filter((dot) => !isHollow(dot))],
});

/** @returns the box to tick, unless it has text or a color in it or no text next to it */
const checkIn = (box: Box, { words, colored, lines, marks }: Surroundings): FoundCheck | undefined => {
  const side = box.right - box.left;
  const inner = words.filter((word) => contains(larger(box, 0.2 * side), word));
  const [mark] = inner;
  const isColored = colored.some((fill) => sizeOf(common(fill, box)) > 0.5 * sizeOf(box));
  const isLabeled = words.some(
    (word) =>
      word !== mark &&
      word.baseline > box.top &&
      word.baseline < box.bottom + 0.6 * side &&
      !isEmpty(common(larger({ ...box, top: word.top, bottom: word.bottom }, DISTANCE_MAX), word)),
  );
  if (isColored || !isLabeled || inner.length > 1 || (mark !== undefined && !MARKS.test(mark.text))) {
    return undefined;
  }
  const isLong = (each: Box) => Math.max(each.right - each.left, each.bottom - each.top) > MARK_MIN * side;
  const drawn =
    lines.some((line) => isLong(line) && contains(larger(box, -0.15 * side), line)) ||
    marks.some((each) => isLong(each) && contains(larger(box, 0.3 * side), each));
  const { left, top, right, bottom } = box;
  return { box: { left, top, right, bottom }, ticked: mark !== undefined || drawn, mark };
};
