import type { Random } from "../../support/random.ts";
import { changed } from "../change.ts";
import { INPUT_BYTES_MAX } from "../parser.ts";

/** Mutations that keep JSON valid: a replaced, removed or duplicated value. */

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

/** @param words texts of the format, used as values and as names */
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

/** @returns all values within a value, including itself, in document order */
const sizeOf = (value: Value): number => 1 + membersOf(value).reduce((sum, [, member]) => sum + sizeOf(member), 0);

const membersOf = (value: Value): [string, Value][] =>
  typeof value === "object" && value !== null ? Object.entries(value) : [];

/** @returns the value with the value at the given index replaced */
const replaced = (value: Value, countdown: { left: number }, make: (value: Value) => Value | undefined): Value => {
  if (countdown.left === 0) {
    countdown.left -= 1;
    return make(value) ?? null;
  }
  countdown.left -= 1;
  if (typeof value !== "object" || value === null || countdown.left < 0) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.flatMap((member) => within(member, countdown, make));
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => within(member, countdown, make).map((one) => [key, one] as const)),
  );
};

/** @returns the changed member; none if it is removed */
const within = (member: Value, countdown: { left: number }, make: (value: Value) => Value | undefined): Value[] => {
  if (countdown.left !== 0) {
    return [countdown.left < 0 ? member : replaced(member, countdown, make)];
  }
  countdown.left -= 1;
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

/** @returns a random value in it */
const partOf = (value: Value, random: Random): Value => {
  const members = membersOf(value);
  return members.length === 0 || random.chance(0.3) ? value : partOf(random.pick(members)[1], random);
};
