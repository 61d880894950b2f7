import type { Random } from "../support/random.ts";
import { INPUT_BYTES_MAX } from "./parser.ts";

/** Mutations of valid inputs, as bytes and as text. */
export interface ChangeWorld {
  readonly random: Random;
  readonly words: readonly string[];
  /** Other valid inputs, from which parts are copied. */
  readonly others: readonly Buffer[];
}

type Change = (input: Buffer, world: ChangeWorld) => Buffer;

/** Share of inputs with a long run: these take as much time as all others. */
const LONG_CHANCE = 0.02;

/** @returns the input with one to eight changes */
export const changed: Change = (input, world) => {
  const { random } = world;
  if (random.chance(LONG_CHANCE)) {
    return long(input, world).subarray(0, INPUT_BYTES_MAX);
  }
  let result = input;
  for (let times = 1 + random.below(random.pick([1, 2, 4, 8])); times > 0; times -= 1) {
    result = random.pick(CHANGES)(result, world).subarray(0, INPUT_BYTES_MAX);
  }
  return result;
};

/** Numbers at which counters and sizes overflow. */
const EDGES = [0, 1, 2, 7, 8, 16, 127, 128, 255, 256, 1_000, 32_767, 32_768, 65_535, 65_536, 2 ** 31 - 1, 2 ** 31];
const NUMBERS = ["0", "-1", "1e9", "99999999999999999999", "1.5", "NaN", "0x7f", "00", "4294967296", "-0", "1e-400"];

/** @returns a word as bytes; a word of characters up to U+00FF is encoded as Latin-1, for binary formats */
const bytesOf = (word: string): Buffer =>
  Buffer.from(word, [...word].every((letter) => letter <= "\xff") ? "latin1" : "utf8");

const put = (input: Buffer, at: number, bytes: Uint8Array | string, removed = 0): Buffer =>
  Buffer.concat([
    input.subarray(0, at),
    typeof bytes === "string" ? bytesOf(bytes) : bytes,
    input.subarray(at + removed),
  ]);

/** @returns a part of the input; short parts are more likely */
const partOf = (input: Buffer, random: Random): { at: number; length: number } => {
  const at = random.below(input.length + 1);
  const most = Math.min(input.length - at, random.pick([4, 16, 64, 256, 4_096]));
  return { at, length: random.below(most + 1) };
};

/** @returns a line of the input, with its line ending */
const lineOf = (input: Buffer, random: Random): { at: number; length: number } => {
  const position = random.below(input.length + 1);
  const at = input.lastIndexOf(10, Math.max(0, position - 1)) + 1;
  const end = input.indexOf(10, position);
  return { at, length: Math.max(0, (end === -1 ? input.length : end + 1) - at) };
};

const bits: Change = (input, { random }) => {
  const copy = Buffer.from(input);
  const at = random.below(copy.length);
  if (copy.length > 0) {
    copy[at] = random.chance(0.5) ? (copy[at] ?? 0) ^ (1 << random.below(8)) : random.below(256);
  }
  return copy;
};

const edge: Change = (input, { random }) => {
  const copy = Buffer.from(input);
  const bytes = random.pick([1, 2, 4]);
  if (copy.length >= bytes) {
    const value = random.pick(EDGES) % 2 ** (8 * bytes);
    const at = random.below(copy.length - bytes + 1);
    copy[random.chance(0.5) ? "writeUIntLE" : "writeUIntBE"](value, at, bytes);
  }
  return copy;
};

const word: Change = (input, { random, words }) =>
  put(input, random.below(input.length + 1), random.pick([...words, "\0"]));

const inPlace: Change = (input, { random, words }) => {
  const { at, length } = partOf(input, random);
  return put(input, at, random.pick([...words, ""]), length);
};

const removed: Change = (input, { random }) => {
  const { at, length } = random.chance(0.5) ? lineOf(input, random) : partOf(input, random);
  return put(input, at, "", length);
};

const moved: Change = (input, { random }) => {
  const { at, length } = random.chance(0.5) ? lineOf(input, random) : partOf(input, random);
  return put(input, random.below(input.length + 1), input.subarray(at, at + length));
};

/** Many copies of the same part: reveals quadratic time. */
const repeated: Change = (input, { random, words }) => {
  const { at, length } = random.chance(0.3) ? lineOf(input, random) : partOf(input, random);
  const own = random.chance(0.4)
    ? bytesOf(random.pick([...words, "a"]))
    : input.subarray(at, at + Math.min(64, length));
  const times = random.pick([2, 2, 4, 4, 8, 8, 16, 64, 400, random.chance(0.2) ? INPUT_BYTES_MAX : 2]);
  const bytes = Math.min(own.length * times, INPUT_BYTES_MAX - input.length);
  return bytes <= 0 ? input : put(input, at, Buffer.alloc(bytes, own.length === 0 ? " " : own));
};

/** A very long run of one character in a line with an odd end: reveals backtracking over all of it. */
const long: Change = (input, { random, words }) => {
  const { at, length } = lineOf(input, random);
  const position = at + random.below(length + 1);
  const letter = random.pick(["a", " ", "\t", "\\", '"', "(", "<", "0", random.pick([...words, "-"]).slice(0, 1)]);
  const run = Buffer.alloc(Math.max(0, Math.min(40_000, INPUT_BYTES_MAX - input.length - 1)), letter);
  return put(input, position, Buffer.concat([run, Buffer.from(random.pick(["\\", "", "x", ...words]).slice(0, 1))]));
};

const number: Change = (input, { random }) => {
  const text = input.toString("latin1");
  const found = [...text.matchAll(/\d+/g)];
  if (found.length === 0) {
    return input;
  }
  const { 0: digits, index } = random.pick(found);
  return put(input, index, random.pick(NUMBERS), digits.length);
};

const spliced: Change = (input, { random, others }) => {
  const other = others.length === 0 ? input : random.pick(others);
  const { at, length } = partOf(other, random);
  return random.chance(0.5)
    ? put(input, random.below(input.length + 1), other.subarray(at, at + length))
    : Buffer.concat([input.subarray(0, random.below(input.length + 1)), other.subarray(at)]);
};

const cut: Change = (input, { random }) => input.subarray(0, random.below(input.length + 1));

const CHANGES: readonly Change[] = [bits, edge, word, word, inPlace, removed, moved, repeated, number, spliced, cut];
