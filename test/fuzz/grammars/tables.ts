import type { Random } from "../../support/random.ts";

/** Generates tables instead of changing them, so that all kinds of columns and cells occur together. */

const CELLS = [
  "",
  " ",
  "0",
  "00",
  "-1.50",
  "1e5",
  "123456789012345678901",
  "0.1",
  "true",
  "FALSE",
  "null",
  "NaN",
  "2025-01-02",
  "01.02.2025",
  "2025-01-02T03:04:05Z",
  "ä€\u{1f600}",
  "=1+1",
  "a b",
  "{}",
  '[1,"2"]',
  "__proto__",
  "POINT(1 2)",
  "48.1",
];
const HEADS = ["a", "b", "", "a", "id", "__proto__", "lat", "lon", "a.b", "ä", " x ", "1"];
const COLUMNS_MAX = 6;
const ROWS_MAX = 12;

const several = <Item>(random: Random, most: number, one: (index: number) => Item): Item[] =>
  Array.from({ length: random.below(most + 1) }, (_, index) => one(index));

/** @returns a CSV whose columns mostly have one type each; randomly quoted, and occasionally ragged */
export const csvOf = (random: Random): Buffer => {
  const delimiter = random.pick([",", ",", ";", "\t", "|"]);
  const end = random.pick(["\n", "\r\n", "\n", "\r"]);
  const quoted = (text: string): string => {
    const odd = random.chance(0.1) ? random.pick([delimiter, '"', end, "\n"]) : "";
    const cell = random.chance(0.5) ? `${text}${odd}` : `${odd}${text}`;
    const needed = /["\r\n]/.test(cell) || cell.includes(delimiter);
    const whole = `"${cell.replaceAll('"', '""')}"`;
    return random.chance(needed ? 0.95 : 0.1) ? whole : cell;
  };
  const columns = 1 + random.below(COLUMNS_MAX);
  const kinds = Array.from({ length: columns }, () => several(random, 3, () => random.pick(CELLS)).concat("1"));
  const row = (cell: (index: number) => string): string =>
    Array.from({ length: random.chance(0.05) ? random.below(2 * columns) : columns }, (_, index) =>
      quoted(cell(index)),
    ).join(delimiter);
  const rows = several(random, ROWS_MAX, () =>
    row((index) => (random.chance(0.1) ? random.pick(CELLS) : random.pick(kinds[index] ?? CELLS))),
  );
  const head = random.chance(0.8) ? [row(() => random.pick(HEADS))] : [];
  const start = random.pick(["", "", "", "\ufeff", `sep=${delimiter}${end}`, end]);
  const text = `${start}${[...head, ...rows].join(end)}${random.pick([end, end, "", end + end])}`;
  return Buffer.from(text, random.pick(["utf8", "utf8", "utf8", "latin1", "utf16le"]));
};

/** Column types with their lengths, so that a value is read as its type. */
const DBF_KINDS = [
  ["C", [0, 1, 10, 254]],
  ["N", [1, 8, 19]],
  ["F", [8, 20]],
  ["D", [8, 3]],
  ["L", [1]],
  ["I", [4, 2]],
  ["B", [8, 10]],
  ["Y", [8, 1]],
  ["T", [8, 7]],
  ["@", [8]],
  ["+", [4]],
  ["M", [10, 4]],
  ["V", [20]],
  ["0", [1]],
  ["?", [5]],
] as const;
const DBF_VERSIONS = [3, 3, 3, 0x83, 0x30, 0x31, 0xf5, 2, 4, 0x8b];
const DBF_VALUES = ["12", "-1.5", "+.5", "5.", "***", "20250102", "T", "f", "?", "abc", "\0\0", "\x80\xff", " ", "1e5"];
const LANGUAGES = [0, 0, 1, 3, 19, 38, 87, 100, 120, 200, 255];

/** @returns a DBF with columns of all types; occasionally a size in its header is wrong */
export const dbfOf = (random: Random): Buffer => {
  const fields = Array.from({ length: 1 + random.below(COLUMNS_MAX) }, () => {
    const [type, lengths] = random.pick(DBF_KINDS);
    return { type, length: random.pick(lengths), decimals: type === "C" ? random.pick([0, 0, 1]) : random.below(5) };
  });
  const lengthOf = ({ type, length, decimals }: (typeof fields)[number]): number =>
    length + (type === "C" ? 256 * decimals : 0);
  const descriptors = fields.map(({ type, length, decimals }) => {
    const bytes = Buffer.alloc(32);
    bytes.write(random.pick(HEADS), 0, 11, "latin1");
    bytes.write(type, 11, "latin1");
    bytes[16] = length;
    bytes[17] = decimals;
    return bytes;
  });
  const recordBytes = fields.reduce((sum, field) => sum + lengthOf(field), 1);
  const rows = several(random, ROWS_MAX, () => {
    const row = Buffer.alloc(recordBytes, " ");
    row.write(random.pick([" ", " ", " ", "*", "x"]), 0, "latin1");
    let at = 1;
    for (const field of fields) {
      const value = random.chance(0.7)
        ? Buffer.from(random.pick(DBF_VALUES), "latin1")
        : Buffer.from([random.below(256), random.below(256), 0x25, 0]);
      value.copy(row, at, 0, lengthOf(field));
      at += lengthOf(field);
    }
    return row;
  });
  const headerBytes = 32 + 32 * fields.length + 1;
  const head = Buffer.alloc(32);
  head[0] = random.pick(DBF_VERSIONS);
  const lie = (truth: number): number => (random.chance(0.04) ? random.pick([0, 1, 31, 255, 65_535]) : truth);
  head.writeUInt32LE(random.chance(0.05) ? 2 ** 32 - 1 : lie(rows.length), 4);
  head.writeUInt16LE(lie(headerBytes), 8);
  head.writeUInt16LE(lie(recordBytes), 10);
  head[29] = random.pick(LANGUAGES);
  return Buffer.concat([head, ...descriptors, Buffer.of(13), ...rows, Buffer.from(random.pick(["\x1a", "", "x"]))]);
};
