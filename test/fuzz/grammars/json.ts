import type { Random } from "../../support/random.ts";
import { changed } from "../change.ts";
import { INPUT_BYTES_MAX } from "../parser.ts";

/** Changes of JSON that stay JSON: another value in the place of one, one left away, one that stands there twice. */

type Value = null | boolean | number | string | Value[] | { [key: string]: Value };

const EDGES: readonly Value[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  1e21,
  2 ** 31,
  2 ** 53,
  1e308,
  "",
  " ",
  "a",
  "\0",
  "\ud800",
  "__proto__",
  "constructor",
  [],
  {},
  [[]],
  [null],
  { a: 1 },
];

/** @param words texts of the format, which stand as values and as names */
export const changedJson =
  (words: readonly string[]) =>
  (input: Buffer, random: Random, others: readonly Buffer[]): Buffer => {
    const root = parsed(input);
    if (root === undefined) {
      return changed(input, { random, words, others });
    }
    const other = parsed(random.pick(others.length === 0 ? [input] : others)) ?? root;
    let result: Value = root;
    for (let times = 1 + random.below(4); times > 0; times -= 1) {
      const size = sizeOf(result);
      result = replaced(result, { left: random.below(size) }, (value) =>
        newValue(value, { random, words, root, other }),
      );
    }
    const text = Buffer.from(JSON.stringify(result));
    return text.length <= INPUT_BYTES_MAX ? text : input;
  };

const parsed = (input: Buffer): Value | undefined => {
  try {
    return JSON.parse(input.toString());
  } catch {
    return undefined;
  }
};

/** @returns all values within a value, itself included, in the order in which they stand */
const sizeOf = (value: Value): number => 1 + membersOf(value).reduce((sum, [, member]) => sum + sizeOf(member), 0);

const membersOf = (value: Value): [string, Value][] =>
  typeof value === "object" && value !== null ? Object.entries(value) : [];

/** @returns the value with another one at the place that is counted down to */
const replaced = (value: Value, place: { left: number }, make: (value: Value) => Value | undefined): Value => {
  if (place.left === 0) {
    place.left -= 1;
    return make(value) ?? null;
  }
  place.left -= 1;
  if (typeof value !== "object" || value === null || place.left < 0) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.flatMap((member) => within(member, place, make));
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => within(member, place, make).map((one) => [key, one] as const)),
  );
};

/** @returns the member as it becomes: none where it is left away */
const within = (member: Value, place: { left: number }, make: (value: Value) => Value | undefined): Value[] => {
  if (place.left !== 0) {
    return [place.left < 0 ? member : replaced(member, place, make)];
  }
  place.left -= 1;
  const made = make(member);
  return made === undefined ? [] : [made];
};

interface World {
  readonly random: Random;
  readonly words: readonly string[];
  readonly root: Value;
  readonly other: Value;
}

const newValue = (value: Value, { random, words, root, other }: World): Value | undefined =>
  random.pick<() => Value | undefined>([
    () => undefined,
    () => random.pick(EDGES),
    () => random.pick(EDGES),
    () => random.pick([...words, "x"]),
    () => partOf(random.chance(0.5) ? root : other, random),
    () => (Array.isArray(value) ? [...value, ...value] : [value, value]),
    () => ({ [random.pick([...words, "x"])]: value }),
    () =>
      typeof value === "number"
        ? random.pick([value + 1, -value, value * 1e9, Math.floor(value)])
        : `${JSON.stringify(value)}`,
    () =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? { ...value, [random.pick([...words, "x"])]: partOf(other, random) }
        : value,
  ])();

/** @returns a value that stands somewhere in it */
const partOf = (value: Value, random: Random): Value => {
  const members = membersOf(value);
  return members.length === 0 || random.chance(0.3) ? value : partOf(random.pick(members)[1], random);
};
