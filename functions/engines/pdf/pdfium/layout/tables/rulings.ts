import type { Fill, Rule } from "../../content/content.ts";
import { joinedAlong } from "../../content/rules.ts";
import { around, type Box } from "../../page/geometry.ts";

/** A part of a separator between cells; fills have edges without a color. */
export interface Edge {
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly width: number;
  readonly color?: string | undefined;
}

/** Rules and fills that belong together: a table, a box, or a part of a drawing. */
export interface Ruling extends Box {
  readonly across: readonly Edge[];
  readonly down: readonly Edge[];
  readonly fills: readonly Fill[];
}

/** Points within which rules are one, ends meet and sides are equal. */
const SNAP = 3;
const RULES_MAX = 5_000;
/** Maximum distance in points of two rules with the same sides that belong to one table. */
const APART_MAX = 250;
/** Maximum white space between two fills with the same sides, in units of their height: stripes. */
const STRIPE_MAX = 2.2;

/** @returns the groups of rules and fills that meet, or that have the same sides */
export const rulingsOf = (rules: readonly Rule[], fills: readonly Fill[]): Ruling[] => {
  const visible = rules.slice(0, 2 * RULES_MAX).filter((rule) => rule.color !== "ffffff" || isOnFill(rule, fills));
  const across = joinRules(visible.filter((rule) => rule.across).slice(0, RULES_MAX));
  const down = joinRules(visible.filter((rule) => !rule.across).slice(0, RULES_MAX));
  const areas = fills.filter(({ color }) => color !== "ffffff").slice(0, RULES_MAX);
  const groups = new Groups(across.length + down.length + areas.length);
  meet(groups, across, down);
  touch(groups, across, down, areas);
  stack(groups, across, areas, across.length + down.length);
  return continuedRulings(groups.all().map((indexes) => rulingFrom(indexes, { across, down, areas }))).filter(
    ({ left, right, top, bottom }) => right - left > 2 * SNAP && bottom - top > 2 * SNAP,
  );
};

/** Maximum white space in points where the uprights of one table are interrupted: at the rules between its groups. */
const INTERRUPTED_MAX = 9;

/** @returns the rulings, with those joined whose uprights continue those of another one */
const continuedRulings = (rulings: readonly Ruling[]): Ruling[] => {
  const joined: Ruling[] = [];
  for (const ruling of rulings.toSorted((one, other) => one.top - other.top)) {
    const above = ruling.down.length > 0 ? joined.findIndex((other) => continues(ruling, other)) : -1;
    const { across, down, fills } = joined[above] ?? { across: [], down: [], fills: [] };
    const whole =
      above < 0
        ? ruling
        : rulingOf({
            across: [...across, ...ruling.across],
            down: [...down, ...ruling.down],
            fills: [...fills, ...ruling.fills],
          });
    joined.splice(above < 0 ? joined.length : above, above < 0 ? 0 : 1, whole);
  }
  return joined;
};

/** @returns whether a ruling has the sides of the one above and the same uprights at its end */
const continues = (ruling: Ruling, above: Ruling): boolean => {
  const isNear = (one: number, other: number) => Math.abs(one - other) < SNAP;
  const isBelow =
    ruling.top > above.bottom - SNAP &&
    ruling.top - above.bottom < INTERRUPTED_MAX &&
    isNear(ruling.left, above.left) &&
    isNear(ruling.right, above.right);
  if (!isBelow) {
    return false;
  }
  const lowest = Math.max(...above.down.map(({ to }) => to));
  const ends = above.down.filter(({ to }) => to > lowest - SNAP);
  const highest = Math.min(...ruling.down.map(({ from }) => from));
  const starts = ruling.down.filter(({ from }) => from < highest + SNAP);
  return (
    starts.length === ends.length &&
    starts.every(({ at }) => ends.some((end) => isNear(end.at, at))) &&
    starts.some(({ at }) => at > ruling.left + SNAP && at < ruling.right - SNAP)
  );
};

/** @returns whether a rule meets a background: a white one is not visible elsewhere */
const isOnFill = ({ across, at, from, to }: Rule, fills: readonly Fill[]): boolean =>
  fills.some(({ left, top, right, bottom }) => {
    const [start, end, near, far] = across ? [left, right, top, bottom] : [top, bottom, left, right];
    return at > near - SNAP && at < far + SNAP && from < end && to > start;
  });

/** @returns the rules with those of one line joined: printers draw a border in parts, and more than once */
export const joinRules = (rules: readonly Rule[]): Edge[] =>
  joinedAlong(rules, { gap: SNAP, offset: SNAP / 2, sameColor: false });

/** Disjoint sets of indexes. */
class Groups {
  readonly #parents: number[];

  constructor(count: number) {
    this.#parents = Array.from({ length: count }, (_, index) => index);
  }

  of(index: number): number {
    let at = index;
    for (let up = this.#parents[at] ?? at; up !== at; up = this.#parents[at] ?? at) {
      this.#parents[at] = this.#parents[up] ?? up;
      at = up;
    }
    return at;
  }

  join(one: number, other: number): void {
    this.#parents[this.of(one)] = this.of(other);
  }

  all(): number[][] {
    return [...Map.groupBy(this.#parents.keys(), (index) => this.of(index)).values()];
  }
}

const meet = (groups: Groups, across: readonly Edge[], down: readonly Edge[]): void => {
  for (const [index, { at, from, to }] of across.entries()) {
    for (const [other, edge] of down.entries()) {
      if (edge.at > to + SNAP) {
        break; // sorted by place
      }
      if (edge.at >= from - SNAP && edge.from <= at + SNAP && edge.to >= at - SNAP) {
        groups.join(index, across.length + other);
      }
    }
  }
};

const touch = (groups: Groups, across: readonly Edge[], down: readonly Edge[], fills: readonly Fill[]): void => {
  const start = across.length + down.length;
  for (const [index, { left, top, right, bottom }] of fills.entries()) {
    for (const [other, { at, from, to }] of across.entries()) {
      if (at > top - SNAP && at < bottom + SNAP && from < right && to > left && to - from > (right - left) / 2) {
        groups.join(start + index, other);
      }
    }
    for (const [other, { at, from, to }] of down.entries()) {
      if (at > left - SNAP && at < right + SNAP && from < bottom - SNAP && to > top + SNAP) {
        groups.join(start + index, across.length + other);
      }
    }
    for (const [other, fill] of fills.entries()) {
      const level = fill.left < right + SNAP && fill.right > left - SNAP;
      if (other > index && level && fill.top < bottom + SNAP && fill.bottom > top - SNAP) {
        groups.join(start + index, start + other);
      }
    }
  }
};

/** Joins what is above each other with the same sides: rules without uprights, and stripes. */
const stack = (groups: Groups, across: readonly Edge[], fills: readonly Fill[], start: number): void => {
  const upright = new Set(range(across.length, start).map((index) => groups.of(index)));
  const rules = across.flatMap((edge, index) => (upright.has(groups.of(index)) ? [] : [{ ...edge, index }]));
  for (const same of sameSides(rules, ({ from, to }) => [from, to])) {
    for (const [index, rule] of same.entries()) {
      const above = same[index - 1];
      above !== undefined && rule.at - above.at < APART_MAX && groups.join(rule.index, above.index);
    }
  }
  const areas = fills
    .map((fill, index) => ({ ...fill, index: start + index }))
    .toSorted((one, other) => one.top - other.top);
  for (const same of sameSides(areas, ({ left, right }) => [left, right])) {
    for (const [index, fill] of same.entries()) {
      const above = same[index - 1];
      const stripe = above !== undefined && fill.top - above.bottom < STRIPE_MAX * (above.bottom - above.top);
      stripe && groups.join(fill.index, above.index);
    }
  }
};

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

/** @returns the items grouped by equal left and right sides */
const sameSides = <T>(items: readonly T[], sides: (item: T) => readonly [number, number]): T[][] => {
  const groups: T[][] = [];
  const known = new Map<string, T[]>();
  for (const item of items) {
    const [left, right] = sides(item).map((side) => Math.round(side / SNAP)) as [number, number];
    const near = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => `${left + x} ${right + y}`));
    const group = known.get(near.find((key) => known.has(key)) ?? "");
    if (group === undefined) {
      const fresh = [item];
      groups.push(fresh);
      known.set(`${left} ${right}`, fresh);
    } else {
      group.push(item);
    }
  }
  return groups;
};

interface Parts {
  readonly across: readonly Edge[];
  readonly down: readonly Edge[];
  readonly areas: readonly Fill[];
}

const rulingFrom = (indexes: readonly number[], { across, down, areas }: Parts): Ruling =>
  rulingOf({
    across: indexes.flatMap((index) => across[index] ?? []),
    down: indexes.flatMap((index) => down[index - across.length] ?? []),
    fills: indexes.flatMap((index) => areas[index - across.length - down.length] ?? []),
  });

const rulingOf = ({ across, down, fills }: Omit<Ruling, keyof Box>): Ruling => {
  const box = around([
    ...across.map(({ at, from, to }) => ({ left: from, right: to, top: at, bottom: at })),
    ...down.map(({ at, from, to }) => ({ left: at, right: at, top: from, bottom: to })),
    ...fills,
  ]);
  return { ...box, across, down, fills };
};

/** @returns the parts of a ruling without uprights above and below its widest white space; none if it has two rules */
export const dividedRuling = ({ across, down, fills }: Ruling): Ruling[] => {
  const areas = [...across.map(({ at }) => ({ top: at, bottom: at })), ...fills].toSorted(
    (one, other) => one.top - other.top,
  );
  let [cut, widest, end] = [0, 0, areas[0]?.bottom ?? 0];
  for (const { top, bottom } of areas) {
    [cut, widest] = top - end > widest ? [(top + end) / 2, top - end] : [cut, widest];
    end = Math.max(end, bottom);
  }
  if (down.length > 0 || areas.length < 3 || widest === 0) {
    return [];
  }
  const part = (isHere: (y: number) => boolean) => ({
    across: across.filter(({ at }) => isHere(at)),
    down,
    fills: fills.filter(({ top }) => isHere(top)),
  });
  return [part((y) => y < cut), part((y) => y > cut)]
    .filter((some) => some.across.length + some.fills.length > 1)
    .map(rulingOf);
};
