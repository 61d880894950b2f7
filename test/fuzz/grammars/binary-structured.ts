import type { Random } from "../../support/random.ts";

/**
 * Generates binary structured data instead of changing it: a random byte hardly ever forms a marker with a valid
 * length.
 */

const EDGES = [0, 1, 7, 23, 24, 31, 32, 127, 128, 255, 256, 65_535, 65_536, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];
const TEXTS = [
  "",
  "a",
  "__proto__",
  "constructor",
  "ä€\u{1f600}",
  "1.5",
  "2025-01-02T03:04:05.678Z",
  "2025-01-02",
  "x".repeat(300),
];
const DEPTH_MAX = 5;
const MEMBERS_MAX = 6;

const bytesOf = (value: number | bigint, length: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, BigInt(value)));
  return bytes.subarray(8 - length);
};

const double = (random: Random): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(
    random.pick([0, -0, 1.5, 1e300, -1e-300, Number.NaN, Number.POSITIVE_INFINITY, 8.64e15, 1e9, -1]),
  );
  return bytes;
};

const float = (random: Random): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(random.pick([0, -0, 0.5, 1e30, Number.NaN, Number.NEGATIVE_INFINITY]));
  return bytes;
};

const noise = (random: Random, length: number): Buffer => Buffer.from(Array.from({ length }, () => random.below(256)));

const many = (random: Random, one: () => Buffer, each = 1): { readonly count: number; readonly bytes: Buffer } => {
  const count = random.below(MEMBERS_MAX);
  return { count, bytes: Buffer.concat(Array.from({ length: count * each }, one)) };
};

/** Occasionally replaces a count or a length with a wrong one. */
const misstated = (random: Random, count: number): number => (random.chance(0.04) ? random.pick(EDGES) : count);

/** @returns a MessagePack value */
export const msgpackOf = (random: Random, depth = 0): Buffer => {
  const inner = () => msgpackOf(random, depth + 1);
  const kinds = depth < DEPTH_MAX ? MSGPACK : MSGPACK.slice(0, MSGPACK_PLAIN);
  return random.pick(kinds)(random, inner);
};

type Make = (random: Random, inner: () => Buffer) => Buffer;

const marked = (mark: number, ...parts: readonly Buffer[]): Buffer => Buffer.concat([Buffer.of(mark), ...parts]);

/** @returns a length in one, two or four bytes, after the marker for its size */
const sized = (random: Random, marks: readonly [number, number, number], bytes: Buffer): Buffer => {
  const size = random.below(3);
  return marked(marks[size] ?? 0, bytesOf(misstated(random, bytes.length), 2 ** size), bytes);
};

const counted = (random: Random, marks: readonly [number, number], members: ReturnType<typeof many>): Buffer => {
  const size = random.below(2);
  return marked(marks[size] ?? 0, bytesOf(misstated(random, members.count), 2 ** (size + 1)), members.bytes);
};

/** A timestamp extension: seconds in four bytes, nanoseconds before seconds in eight, or both separately in twelve. */
const timestamp = (random: Random): Buffer => {
  const seconds = random.pick([0, 1, 1_700_000_000, 2 ** 32 - 1, 2 ** 34 - 1]);
  const nanoseconds = random.pick([0, 1, 500_000_000, 999_999_999, 2 ** 30 - 1]);
  return random.pick([
    () => marked(0xd6, Buffer.of(0xff), bytesOf(seconds, 4)),
    () => marked(0xd7, Buffer.of(0xff), bytesOf((BigInt(nanoseconds) << 34n) | BigInt(seconds), 8)),
    () =>
      marked(
        0xc7,
        Buffer.of(12, 0xff),
        bytesOf(random.pick([nanoseconds, 2 ** 32 - 1]), 4),
        bytesOf(random.pick([seconds, -1, -1e15]), 8),
      ),
  ])();
};

const MSGPACK: readonly Make[] = [
  (random) => Buffer.of(random.pick([0xc0, 0xc1, 0xc2, 0xc3])),
  (random) => Buffer.of(random.pick([0, 1, 0x7f, 0xe0, 0xff])),
  (random) => sized(random, [0xc4, 0xc5, 0xc6], noise(random, random.below(40))),
  (random) => sized(random, [0xd9, 0xda, 0xdb], Buffer.from(random.pick(TEXTS))),
  (random) => {
    const text = Buffer.from(random.pick(TEXTS)).subarray(0, 31);
    return marked(0xa0 | text.length, text);
  },
  (random) => marked(0xca, float(random)),
  (random) => marked(0xcb, double(random)),
  (random) => {
    const size = random.below(4);
    return marked(random.pick([0xcc, 0xd0]) + size, bytesOf(random.pick([...EDGES, -1, -(2 ** 31)]), 2 ** size));
  },
  (random) => {
    const size = random.below(5);
    return marked(0xd4 + size, Buffer.of(random.pick([0, 1, 0x7f, 0xff])), noise(random, 2 ** size));
  },
  timestamp,
  (random, inner) => counted(random, [0xdc, 0xdd], many(random, inner)),
  (random, inner) => counted(random, [0xde, 0xdf], many(random, inner, 2)),
  (random, inner) => {
    const { count, bytes } = many(random, inner);
    return marked(0x90 | count, bytes);
  },
  (random, inner) => {
    const { count, bytes } = many(random, inner, 2);
    return marked(0x80 | count, bytes);
  },
];
const MSGPACK_PLAIN = 10;

/** @returns the head of a CBOR value (RFC 8949, 3): the major type, and a number in one of its possible sizes */
const head = (random: Random, major: number, value: number | bigint): Buffer => {
  const least = value < 24 ? 0 : value < 256 ? 1 : value < 65_536 ? 2 : value < 2 ** 32 ? 4 : 8;
  const size = random.chance(0.8) ? least : random.pick([1, 2, 4, 8].filter((each) => each >= least));
  const low = size === 0 ? Number(value) : 24 + Math.log2(size);
  return marked((major << 5) | low, size === 0 ? Buffer.alloc(0) : bytesOf(value, size));
};

/** The content of each tag, so that the tag's meaning is reached: other values occur by chance. */
const TAGGED: readonly (readonly [tags: readonly number[], make: Make])[] = [
  [[0, 1004, 32, 33, 34, 35, 36], (random) => cborText(random)],
  [
    [1],
    (random) =>
      random.pick([() => marked(0xfb, double(random)), () => head(random, random.below(2), random.pick(EDGES))])(),
  ],
  [[2, 3], (random) => cborBytes(random, random.pick([0, 1, 8, 9, 40, 1_001]))],
  [
    [4, 5, 30],
    (random) =>
      marked(
        0x82,
        exponent(random),
        random.pick([() => exponent(random), () => marked(0xc2, cborBytes(random, 12))])(),
      ),
  ],
  [[100], (random) => head(random, random.below(2), random.pick(EDGES))],
  [[21, 22, 23, 24, 37], (random) => cborBytes(random, 16)],
  [[25, 28, 29, 256, 258, 43_000, 55_799], (random) => head(random, 0, random.below(5))],
];

const exponent = (random: Random): Buffer =>
  random.pick([
    () => head(random, random.below(2), random.pick([0, 1, 3, 400, 1_000, 2 ** 32])),
    () => marked(0xfb, double(random)),
  ])();

const cborText = (random: Random): Buffer => {
  const text = Buffer.from(random.pick(TEXTS));
  return marked(0, head(random, 3, misstated(random, text.length)), text).subarray(1);
};

const cborBytes = (random: Random, length: number): Buffer =>
  Buffer.concat([head(random, 2, misstated(random, length)), noise(random, length)]);

/** @returns a CBOR value */
export const cborOf = (random: Random, depth = 0): Buffer => {
  const inner = () => cborOf(random, depth + 1);
  return random.pick(depth < DEPTH_MAX ? CBOR : CBOR.slice(0, CBOR_PLAIN))(random, inner);
};

const BREAK = Buffer.of(0xff);

const CBOR: readonly Make[] = [
  (random) => head(random, random.below(2), random.pick([...EDGES, 2n ** 53n, 2n ** 64n - 1n])),
  cborText,
  (random) => cborBytes(random, random.below(30)),
  (random) =>
    random.pick([
      () => Buffer.of(random.pick([0xf4, 0xf5, 0xf6, 0xf7, 0xe0, 0xf3])),
      () => marked(0xf8, noise(random, 1)),
    ])(),
  (random) =>
    random.pick([
      () => marked(0xf9, noise(random, 2)),
      () => marked(0xfa, float(random)),
      () => marked(0xfb, double(random)),
    ])(),
  (random) => {
    const [tags, make] = random.pick(TAGGED);
    return Buffer.concat([head(random, 6, random.pick(tags)), make(random, () => Buffer.of(0))]);
  },
  (random, inner) =>
    Buffer.concat([head(random, 6, random.pick([...TAGGED.flatMap(([tags]) => tags), 2 ** 40])), inner()]),
  (random, inner) => {
    const { count, bytes } = many(random, inner);
    return Buffer.concat([head(random, 4, misstated(random, count)), bytes]);
  },
  (random, inner) => {
    const { count, bytes } = many(random, inner, 2);
    return Buffer.concat([head(random, 5, misstated(random, count)), bytes]);
  },
  (random, inner) => marked(random.pick([0x9f, 0xbf]), many(random, inner, random.pick([1, 2])).bytes, BREAK),
  // Indefinite length: chunks, which must be of the same type.
  (random) => marked(0x5f, many(random, () => cborBytes(random, 3)).bytes, BREAK),
  (random) => marked(0x7f, many(random, () => cborText(random)).bytes, BREAK),
];
const CBOR_PLAIN = 6;

const OBJECTS_MAX = 24;

/**
 * @returns a binary property list (CFBinaryPList.c): objects that refer to each other, a table of offsets, a trailer
 */
export const binaryPlistOf = (random: Random): Buffer => {
  const count = 1 + random.below(OBJECTS_MAX);
  const referenceBytes = random.pick([1, 1, 2, 4, 8]);
  // A list refers to later objects, so that it ends; occasionally to itself, or beyond the end.
  const reference = (from: number): Buffer => {
    const to = random.chance(0.03) ? random.below(count + 2) : Math.min(count - 1, from + 1 + random.below(4));
    return bytesOf(to, referenceBytes);
  };
  const objects = Array.from({ length: count }, (_, index) => {
    const isLast = index === count - 1;
    return random.pick(isLast ? PLIST.slice(0, PLIST_PLAIN) : PLIST)(random, () => reference(index));
  });
  const magic = Buffer.from("bplist00");
  const offsets: number[] = [];
  let at = magic.length;
  for (const object of objects) {
    offsets.push(random.chance(0.01) ? random.pick(EDGES) : at);
    at += object.length;
  }
  const offsetBytes = random.pick([2, 4, 8]);
  const table = Buffer.concat(offsets.map((offset) => bytesOf(offset, offsetBytes)));
  const trailer = Buffer.concat([
    Buffer.alloc(6),
    Buffer.of(misstated(random, offsetBytes) & 255, misstated(random, referenceBytes) & 255),
    bytesOf(misstated(random, count), 8),
    bytesOf(random.chance(0.03) ? random.pick(EDGES) : 0, 8),
    bytesOf(random.chance(0.03) ? random.pick(EDGES) : at, 8),
  ]);
  return Buffer.concat([magic, ...objects, table, trailer]);
};

/** @returns the marker of a type with its length, which follows the marker if it is 15 or more */
const plistHead = (random: Random, kind: number, count: number): Buffer => {
  const length = misstated(random, count);
  const size = length < 256 ? 0 : length < 65_536 ? 1 : 2;
  return length < 15
    ? Buffer.of((kind << 4) | length)
    : Buffer.of((kind << 4) | 15, 0x10 | size, ...bytesOf(length, 2 ** size));
};

const PLIST: readonly Make[] = [
  (random) => Buffer.of(random.pick([0, 8, 9, 15])),
  (random) => {
    const size = random.pick([0, 1, 2, 3, 4, random.below(16)]);
    return marked(0x10 | size, noise(random, Math.min(64, 2 ** size)));
  },
  (random) =>
    random.pick([
      () => marked(0x22, float(random)),
      () => marked(0x23, double(random)),
      () => Buffer.of(0x20 | random.below(16)),
    ])(),
  (random) => marked(0x30 | random.pick([3, 3, 3, 0]), double(random)),
  (random) => {
    const bytes = noise(random, random.below(30));
    return Buffer.concat([plistHead(random, 4, bytes.length), bytes]);
  },
  (random) => {
    const text = Buffer.from(random.pick(TEXTS), "latin1");
    return Buffer.concat([plistHead(random, 5, text.length), text]);
  },
  (random) => {
    const text = Buffer.from(random.pick(TEXTS), "utf16le").swap16();
    return Buffer.concat([plistHead(random, 6, text.length / 2), text]);
  },
  (random) => {
    const size = random.below(8);
    return marked(0x80 | size, noise(random, size + 1));
  },
  (random, inner) => {
    const { count, bytes } = many(random, inner);
    return Buffer.concat([plistHead(random, random.pick([10, 11, 12]), count), bytes]);
  },
  (random, inner) => {
    const { count, bytes } = many(random, inner, 2);
    return Buffer.concat([plistHead(random, 13, count), bytes]);
  },
];
const PLIST_PLAIN = 8;
