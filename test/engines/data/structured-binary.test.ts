import { parseBuffer } from "bplist-parser";
import { Binary, Decimal128, Long, serialize, Timestamp } from "bson";
import { Encoder } from "cbor-x";
import { pack } from "msgpackr";
import { buildBinary } from "plist";
import { describe, expect, test } from "vitest";
import { makingTrees, thereAndBack } from "../support/data/structured-output.ts";
import { treeReaders } from "../support/data/structured-readers.ts";
import { scratchFolder } from "../support/scratch.ts";

const scratch = scratchFolder();
const made = makingTrees(scratch);
const andBack = thereAndBack(made);

describe("numbers in binary formats", () => {
  test.each([
    ["msgpack", '{"big":12345678901234567890,"money":1.1,"one":1.0,"long":3.141592653589793}', ["numbers_rounded"]],
    ["cbor", '{"big":12345678901234567890,"money":1.1,"one":1.0,"long":3.14159265358979323846264338}', []],
    ["bson", '{"big":12345678901234567890,"money":1.1,"one":1.0,"long":3.14159265358979323846264338}', []],
  ] as const)("%s keeps the digits it supports, and warns when it rounds", async (format, json, codes) => {
    const numbers = '{"big":12345678901234567890,"money":1.10,"one":1.0,"long":3.14159265358979323846264338}';
    expect(await andBack(numbers, format)).toEqual({ json, codes });
  });

  test("integers at each size limit are read correctly by another parser", async () => {
    const borders = [7, 8, 15, 16, 31, 32, 53, 63].flatMap((bits) => [2n ** BigInt(bits) - 1n, -(2n ** BigInt(bits))]);
    const json = `[{"n":[${[...borders, 0, -1, -32, -33, 23, 24, 127, 128, 255, 256].join()}]}]`;
    for (const format of ["msgpack", "cbor", "bson", "yaml"] as const) {
      const { bytes } = await made(json, ["json", format]);
      const value = treeReaders[format]?.(bytes);
      const text = JSON.stringify(value, (_, number) => (typeof number === "bigint" ? String(number) : number));
      expect(text.replaceAll('"', ""), format).toBe(json.replaceAll('"', ""));
    }
  });
});

describe("binary formats", () => {
  const values = {
    i: -129,
    u: 4294967296,
    f: 1.5,
    s: "é",
    t: new Date("2024-02-29T12:00:00.250Z"),
    b: Buffer.from([1, 2]),
  };

  test("reads MessagePack of another writer, including times and bytes", async () => {
    expect((await made(pack(values), ["msgpack", "yaml"])).text).toBe(
      'i: -129\nu: 4294967296\nf: 1.5\ns: é\nt: 2024-02-29T12:00:00.25Z\nb: !!binary "AQI="\n',
    );
  });

  test("reads CBOR of another writer, including big integers, decimals and chunks", async () => {
    const big = new Encoder({ useRecords: false }).encode({ ...values, big: 2n ** 70n });
    expect((await made(big, ["cbor", "yaml"])).text).toContain("big: 1180591620717411303424\n");
    // RFC 8949, appendix A: 273.15, an indefinite-length text, a half-precision float.
    const bytes = Buffer.from("83c48221196ab37f657374726561646d696e67fff93e00", "hex");
    expect((await made(bytes, ["cbor", "json"], { indent: 0 })).text).toBe('[273.15,"streaming",1.5]\n');
  });

  test("BSON from mongodump becomes a list, with decimals and dates", async () => {
    const first = serialize({ ...values, l: Long.fromString("9223372036854775807"), d: Decimal128.fromString("1.10") });
    const second = serialize({ b: new Binary(Buffer.from([1]), 4), ts: new Timestamp({ t: 1, i: 2 }), list: [1, [2]] });
    const { text, codes } = await made(Buffer.concat([first, second]), ["bson", "json"], { indent: 0 });
    expect(text).toBe(
      '[{"i":-129,"u":4294967296,"f":1.5,"s":"é","t":"2024-02-29T12:00:00.250Z","b":"AQI=","l":9223372036854775807,"d":1.10},' +
        '{"b":"AQ==","ts":4294967298,"list":[1,[2]]}]\n',
    );
    expect(codes).toEqual(["tags_dropped", "types_as_text"]);
  });

  test("reads a binary property list of another writer", async () => {
    const value = {
      s: "日本",
      list: [1, 2.5, true],
      when: new Date("2024-02-29T12:00:00Z"),
      raw: Buffer.from("hello"),
    };
    const bytes = Buffer.from(buildBinary(value));
    expect(parseBuffer(bytes)[0]).toMatchObject({ s: "日本" });
    expect((await made(bytes, ["plist", "yaml"])).text).toBe(
      's: 日本\nlist:\n  - 1\n  - 2.5\n  - true\nwhen: 2024-02-29T12:00:00Z\nraw: !!binary "aGVsbG8="\n',
    );
  });
});
