import type { Random } from "./random.ts";

/** Values that programs often handle incorrectly. */

export const nastyTexts: readonly string[] = [
  "",
  " ",
  "0",
  "-1",
  "1e9",
  "0x10",
  "NaN",
  "null",
  "true",
  "[]",
  "{}",
  "../../../etc/passwd",
  "..\\..\\windows\\win.ini",
  "%2e%2e%2f",
  "file:///etc/passwd",
  "http://127.0.0.1:9/",
  "http://[::1]:9/",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "' OR 1=1 --",
  "<script>alert(1)</script>",
  "{{7*7}}",
  "\u0000",
  "a\u0000b",
  "\r\nx-injected: 1",
  "\u202egnp.exe",
  "e\u0301\u0301\u0301",
  "🦄🏳️‍🌈",
  "\ud800",
  "ﷺ",
  "İıſK",
  "ÿþ",
  "a".repeat(300),
  "ä".repeat(3_000),
  "9".repeat(400),
];

const nastyNumbers: readonly number[] = [0, -1, 1.5, 1e21, -0, Number.MAX_SAFE_INTEGER + 1, 5e9, 5e-324, 2 ** 31];

/** @returns any JSON value, rarely a large one */
const nastyValue = (random: Random, depth = 0): unknown => {
  const kind = random.below(depth > 2 ? 4 : 8);
  const makers: readonly (() => unknown)[] = [
    () => random.pick(nastyTexts),
    () => random.pick(nastyNumbers),
    () => random.pick([true, false, null]),
    () => random.pick(nastyTexts),
    () => Array.from({ length: random.below(4) }, () => nastyValue(random, depth + 1)),
    () => Object.fromEntries([[random.pick(nastyTexts), nastyValue(random, depth + 1)]]),
    () => Array.from({ length: 150 }, (_, index) => index),
    () => nested(random.pick([3, 50, 3_000])),
  ];
  return makers[kind]?.();
};

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) {
    value = level % 2 === 0 ? [value] : { a: value };
  }
  return value;
};

/** @returns the JSON value with one change: a replaced, removed, or added value */
export const mutated = (value: unknown, random: Random): unknown => {
  if (typeof value !== "object" || value === null || random.chance(0.1)) {
    return nastyValue(random);
  }
  if (Array.isArray(value)) {
    const at = random.below(value.length + 1);
    return value.toSpliced(at, random.below(2), ...(random.chance(0.7) ? [mutated(value[at], random)] : []));
  }
  const entries = Object.entries(value);
  const at = random.below(entries.length + 1);
  const [name = random.pick(nastyTexts), old] = entries[at] ?? [];
  const changed = random.chance(0.2) ? [] : [[name, mutated(old, random)]];
  return Object.fromEntries([...entries.filter((_, index) => index !== at), ...changed]);
};

/** @returns the corrupted bytes */
export const broken = (bytes: Buffer, random: Random): Buffer => {
  const at = random.below(bytes.length + 1);
  const makers: readonly (() => Buffer)[] = [
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes.subarray(0, at), Buffer.from([random.below(256), 0xff, 0]), bytes.subarray(at)]),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
    () => Buffer.from(bytes.toString("utf8"), "utf16le"),
    () => Buffer.concat([bytes, bytes]),
    () => Buffer.alloc(0),
    () => Buffer.concat([bytes, Buffer.alloc(70_000, " ")]),
    () => Buffer.alloc(1_100_000, "["),
  ];
  return random.pick(makers)();
};
