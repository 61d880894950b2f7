import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { zstdCompressSync } from "node:zlib";
import {
  type Codec,
  CompressionType,
  compressionRegistry,
  type DataType,
  DateDay,
  DateMillisecond,
  Decimal,
  Dictionary,
  DurationSecond,
  Field,
  Int8,
  Int32,
  Interval,
  IntervalUnit,
  LargeUtf8,
  List,
  makeData,
  Schema,
  Struct,
  Table,
  TimeNanosecond,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  tableToIPC,
  Uint64,
  Utf8,
  Vector,
  vectorFromArray,
} from "apache-arrow";
import { describe, expect, test } from "vitest";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { arrowFile, arrowTable } from "../../fixtures/arrow.ts";
import { codeOf } from "../support/convert.ts";
import { tableReaders } from "../support/data/table-readers.ts";
import { sampleOf } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";
import { withTool } from "../support/tools.ts";

/** Arrow files: their compression, types and damage. The contract tests compare the rows of the samples. */

const scratch = scratchFolder();
const convert = convertingBy("arrow", scratch);

const rowsOf = async (file: Buffer | Uint8Array, to: FormatId = "ndjson"): Promise<unknown> => {
  const { path } = await convert(scratch.file(Buffer.from(file)), ["arrow", to]);
  return tableReaders[to]?.(path);
};

const encodedBy = (type: CompressionType, encode: NonNullable<Codec["encode"]>): Buffer => {
  compressionRegistry.set(type, { encode });
  return Buffer.from(tableToIPC(arrowTable(sampleOf("parquet")), "file", type));
};

describe("compressed columns", () => {
  test("in Zstandard are unpacked", async () => {
    const file = encodedBy(CompressionType.ZSTD, (data) => zstdCompressSync(data));
    expect(await rowsOf(file)).toEqual(await rowsOf(readFileSync(sampleOf("arrow"))));
  });

  test.skipIf(!withTool("lz4"))("in LZ4 are unpacked, as pandas writes them by default", async () => {
    const file = encodedBy(CompressionType.LZ4_FRAME, (data) => execFileSync("lz4", ["-zcq"], { input: data }));
    expect(file.equals(readFileSync(sampleOf("arrow")))).toBe(false);
    expect(await rowsOf(file)).toEqual(await rowsOf(readFileSync(sampleOf("arrow"))));
  });
});

const MOMENT = 1_700_000_000_123_456_789n;
const numbers = (type: DataType, values: bigint[]) =>
  new Vector([makeData({ type, length: values.length, data: new BigInt64Array(values) } as never)]);

/** A table with one row: name, column, and its cell as JSON. */
const TYPES: readonly (readonly [string, Vector, unknown])[] = [
  ["tiny", vectorFromArray([-128], new Int8()), -128],
  ["unsigned", vectorFromArray([18_446_744_073_709_551_615n], new Uint64()), "18446744073709551615"],
  ["text", vectorFromArray(['Ä 测试 " \\ \n'], new Utf8()), 'Ä 测试 " \\ \n'],
  ["large text", vectorFromArray(["large"], new LargeUtf8()), "large"],
  ["dictionary", vectorFromArray(["red"], new Dictionary(new Utf8(), new Int32())), "red"],
  ["day", vectorFromArray([new Date("1969-12-31")], new DateDay()), "1969-12-31"],
  ["day in ms", vectorFromArray([new Date("2026-11-23")], new DateMillisecond()), "2026-11-23"],
  ["seconds", numbers(new TimestampSecond(), [MOMENT / 1_000_000_000n]), "2023-11-14T22:13:20"],
  ["milliseconds", numbers(new TimestampMillisecond(), [MOMENT / 1_000_000n]), "2023-11-14T22:13:20.123"],
  ["microseconds", numbers(new TimestampMicrosecond("UTC"), [MOMENT / 1_000n]), "2023-11-14T22:13:20.123456Z"],
  ["nanoseconds", numbers(new TimestampNanosecond(), [MOMENT]), "2023-11-14T22:13:20.123456789"],
  ["before 1970", numbers(new TimestampMillisecond(), [-1n]), "1969-12-31T23:59:59.999"],
  ["time", numbers(new TimeNanosecond(), [3_723_000_004_000n]), "01:02:03.000004"],
  ["duration", numbers(new DurationSecond(), [90n]), "00:01:30"],
  ["list", vectorFromArray([[1, null, 3]], new List(new Field("item", new Int32(), true))), [1, null, 3]],
  [
    "struct",
    vectorFromArray([{ a: 1, b: "x" }], new Struct([new Field("a", new Int32()), new Field("b", new Utf8())])),
    { a: 1, b: "x" },
  ],
  ["infinite", vectorFromArray([Number.POSITIVE_INFINITY]), "inf"],
];

describe("types", () => {
  test.each(TYPES)("%s", async (name, vector, expected) => {
    const [row] = (await rowsOf(arrowFile(new Table({ [name]: vector } as never)))) as Record<string, unknown>[];
    expect(JSON.stringify(row?.[name])).toBe(JSON.stringify(expected));
  });

  test("a decimal number keeps its digits", async () => {
    const words = new Uint32Array(4);
    for (const [index] of words.entries()) {
      words[index] = Number(
        (BigInt.asUintN(128, -1_234_567_890_123_456_789_012n) >> BigInt(32 * index)) & 0xffff_ffffn,
      );
    }
    const vector = new Vector([makeData({ type: new Decimal(2, 38, 128), length: 1, data: words })]);
    const { path } = await convert(scratch.file(arrowFile(new Table({ d: vector } as never))), ["arrow", "csv"]);
    expect(readFileSync(path, "utf8")).toBe("d\n-12345678901234567890.12\n");
  });

  test.each(["arrow", "parquet"] as const)("come back from %s, through another implementation", async (to) => {
    const all = new Table(Object.fromEntries(TYPES.map(([name, vector]) => [name, vector])) as never);
    const { path } = await convert(scratch.file(arrowFile(all)), ["arrow", "parquet"]);
    const made = to === "parquet" ? path : (await convert(path, ["parquet", "arrow"])).path;
    const rows = await tableReaders[to]?.(made);
    const row = rows?.[0];
    expect(row).toMatchObject({ tiny: -128, text: TYPES[2]?.[2], list: [1, null, 3], struct: { a: 1, b: "x" } });
    expect(String(row?.nanoseconds)).toBe("2023-11-14 22:13:20.123456789");
    expect(String(row?.microseconds)).toContain("2023-11-14 22:13:20.123456");
  });

  test("without an equivalent are rejected, with the name of the column", async () => {
    const vector = new Vector([
      makeData({ type: new Interval(IntervalUnit.YEAR_MONTH), length: 1, data: new Int32Array(1) }),
    ]);
    const file = scratch.file(arrowFile(new Table({ "a span": vector } as never)));
    await expect(convert(file, ["arrow", "csv"])).rejects.toThrow('The column "a span" of the Arrow file has a type');
  });
});

describe("unusual tables", () => {
  test("without rows keep their columns", async () => {
    const empty = new Table(new Schema([new Field("a", new Int32(), true), new Field("b", new Utf8(), true)]));
    const { path } = await convert(scratch.file(arrowFile(empty)), ["arrow", "csv"]);
    expect(readFileSync(path, "utf8")).toBe("a,b\n");
  });

  test("with more rows than a batch have all of them", async () => {
    const csv = scratch.file(
      `n,text\n${Array.from({ length: 200_000 }, (_, row) => `${row},line ${row}`).join("\n")}\n`,
    );
    const { path } = await convert(csv, ["csv", "arrow"]);
    const back = await convert(path, ["arrow", "csv"]);
    expect(readFileSync(back.path, "utf8")).toBe(readFileSync(csv, "utf8"));
  });
});

describe("rejects", () => {
  const file = readFileSync(sampleOf("arrow"));
  test.each<[string, Buffer]>([
    ["a truncated file", file.subarray(0, -100)],
    ["a file without its middle", Buffer.concat([file.subarray(0, 600), file.subarray(1_000)])],
    ["only the signature", file.subarray(0, 8)],
    ["text", Buffer.from("id,name\n1,a\n")],
  ])("%s", async (_, bytes) => {
    expect(await codeOf(convert(scratch.file(bytes), ["arrow", "csv"]))).toBe("source_corrupt");
  });

  test("a Parquet file with a wrong footer length", async () => {
    const bytes = readFileSync(sampleOf("parquet"));
    bytes.fill(0xff, bytes.length - 8, bytes.length - 4);
    expect(await codeOf(convert(scratch.file(bytes), ["parquet", "arrow"]))).toBe("source_corrupt");
  });

  test("changed bytes without a crash", async () => {
    for (let at = 9; at + 4 < file.length; at += 61) {
      const changed = scratch.file(Buffer.from(file).fill(0xff, at, at + 4));
      const outcome = await convert(changed, ["arrow", "ndjson"]).catch((error: unknown) => error);
      expect(outcome).toSatisfy((made) => !(made instanceof Error) || "code" in made);
    }
  });
});
