import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { codeOf } from "../support/convert.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";

/** The engine for text tables. */

const scratch = scratchFolder();
const convert = convertingBy("text-tables", scratch);

const made = async (content: string | Uint8Array, pair: readonly [FormatId, FormatId], options: Options = {}) => {
  const { path, parts, codes } = await convert(scratch.file(content), pair, options);
  const texts = parts?.map((part) => [part.name, readFileSync(part.path, "utf8")]);
  return { text: parts === undefined ? readFileSync(path, "utf8") : "", texts, codes };
};

const json = async (csv: string | Uint8Array, options: Options = {}) => {
  const { text, codes } = await made(csv, ["csv", "json"], { indent: 0, ...options });
  return { text: text.trimEnd(), codes };
};

describe("a CSV keeps all rows and cells", () => {
  const cases: readonly [string, string, string, string[]][] = [
    [
      "short and long rows",
      "a,b\n1\n1,2,3\n",
      '[{"a":1,"b":null,"column3":null},{"a":1,"b":2,"column3":3}]',
      ["ragged_rows"],
    ],
    ["an unclosed quote", 'a,b\n1,"open\n2,3\n', '[{"a":1,"b":"\\"open"},{"a":2,"b":"3"}]', ["stray_quotes"]],
    ["a quote in an unquoted cell", 'a,b\n5" pipe,x\n', '[{"a":"5\\" pipe","b":"x"}]', []],
    ["characters after a quoted cell", 'a,b\n"x"y,2\n', '[{"a":"xy","b":2}]', ["stray_quotes"]],
    ["several lines in a cell", 'a,b\n"x\r\ny",2\n', '[{"a":"x\\r\\ny","b":2}]', []],
    ["classic Mac line ends", "a,b\r1,2\r3,4", '[{"a":1,"b":2},{"a":3,"b":4}]', []],
    ["mixed line ends", "a,b\n1,2\r\n3,4\r5,6", '[{"a":1,"b":2},{"a":3,"b":4},{"a":5,"b":6}]', []],
    ["zero bytes", "a,b\nx\0y,2\n", '[{"a":"x\\u0000y","b":2}]', []],
    ["blank lines in one column", "a\n1\n\n3\n", '[{"a":1},{"a":null},{"a":3}]', []],
    ["blank lines in several columns, which are not rows", "a,b\n\n1,2\n\n", '[{"a":1,"b":2}]', []],
    ["only a header", "a,b\n", "[]", []],
    ["an empty file", "", "[]", []],
    [
      "two columns with the same name, and one without a name",
      "a,a,,A\n1,2,3,4\n",
      '[{"a":1,"a_2":2,"column3":3,"A":4}]',
      [],
    ],
  ];
  test.each(cases)("with %s", async (_, csv, expected, codes) => {
    expect(await json(csv)).toEqual({ text: expected, codes });
  });

  test("with 100,000 rows of quotes, line ends and commas has the same rows as in another parser", async () => {
    const csv = Array.from(
      { length: 100_000 },
      (_, index) => `${index},"a ""${index}"", b\n${index % 7}",${index % 3}\n`,
    ).join("");
    const { text } = await made(csv, ["csv", "tsv"]);
    expect(parse(text, { delimiter: "\t" })).toEqual(parse(csv));
  });
});

describe("delimiter detection", () => {
  const cases: readonly [string, string, Options][] = [
    ["by the line sep=", "sep=;\r\na;b\r\n1,5;2\r\n", {}],
    ["by the rows: semicolons with decimal commas", "a;b\n1,5;2\n", {}],
    ["by the rows: tabs", "a\tb\n1,5\t2\n", {}],
    ["by the rows: bars", "a|b\n1,5|2\n", {}],
    ["by the option", "a;b\n1,5;2\n", { delimiter: ";" }],
  ];
  test.each(cases)("%s", async (_, csv, options) => {
    expect((await json(csv, options)).text).toBe('[{"a":"1,5","b":2}]');
  });
});

describe("values keep every digit and character", () => {
  test("numbers become JSON numbers as written, and text when a number cannot represent them", async () => {
    const csv = 'price,zip,id,ok,none,empty\n1.10,007,12345678901234567890,true,,""\n2.50,010,1,false,x,y\n';
    expect((await json(csv)).text).toBe(
      '[{"price":1.10,"zip":"007","id":"12345678901234567890","ok":true,"none":null,"empty":""},' +
        '{"price":2.50,"zip":"010","id":"1","ok":false,"none":"x","empty":"y"}]',
    );
  });

  test("and are unchanged after a round trip through JSON", async () => {
    const csv = 'price,zip,id,none,empty,text\n1.10,007,12345678901234567890,,"","a ""b"", c"\n';
    const { text } = await made(csv, ["csv", "json"]);
    expect((await made(text, ["json", "csv"])).text).toBe(csv);
  });

  test("a column never mixes numbers and text", async () => {
    expect((await json("n\n1\n2\nN/A\n")).text).toBe('[{"n":"1"},{"n":"2"},{"n":"N/A"}]');
  });
});

test("without a header, columns are numbered and the first row is kept", async () => {
  expect((await json("1,2\n", { header: false })).text).toBe('[{"column1":1,"column2":2}]');
});

describe("encoding detection", () => {
  const utf16 = (text: string): Buffer => Buffer.from(text, "utf16le");
  const cases: readonly [string, Uint8Array, string, string[]][] = [
    ["UTF-8 with a byte order mark", Buffer.from("\ufeffä,b\n1,東\n"), '[{"ä":1,"b":"東"}]', []],
    ["UTF-16 with a byte order mark", utf16("\ufeffä,b\n1,東\n"), '[{"ä":1,"b":"東"}]', []],
    ["UTF-16, big-endian", utf16("\ufeffä,b\n1,x\n").swap16(), '[{"ä":1,"b":"x"}]', []],
    ["UTF-16 without a byte order mark", utf16("ä,b\n1,x\n"), '[{"ä":1,"b":"x"}]', []],
    [
      "Latin-1",
      Buffer.from("n\nMüller\nKöln\nDüsseldorf\n", "latin1"),
      '[{"n":"Müller"},{"n":"Köln"},{"n":"Düsseldorf"}]',
      ["encoding_guessed"],
    ],
    [
      "UTF-8 with an invalid byte",
      Buffer.concat([Buffer.from("n\näöüß東京äöüß\n"), Buffer.from([0xff, 0x0a])]),
      '[{"n":"äöüß東京äöüß"},{"n":"\ufffd"}]',
      ["characters_replaced"],
    ],
  ];
  test.each(cases)("%s", async (_, bytes, expected, codes) => {
    expect(await json(bytes)).toEqual({ text: expected, codes });
  });

  const named: readonly [string, string, string][] = [
    ["windows-1251", "c8ecff2c670ac0ededE02cCCeef1eae2e00a", "Имя,g\nАнна,Москва\n"],
    ["shift_jis", "96bc914f2c670a8e5293632c938c8b9e0a", "名前,g\n山田,東京\n"],
    ["gb18030", "d0d5c3fb2c670ad5c5cEb02cb1b1beA90a", "姓名,g\n张伟,北京\n"],
  ];
  test.each(named)("%s by its name, after a megabyte of ASCII", async (encoding, hex, expected) => {
    const ascii = "x,y\n".repeat(300_000);
    const { text } = await made(Buffer.concat([Buffer.from(ascii), Buffer.from(hex, "hex")]), ["csv", "tsv"], {
      encoding,
    });
    expect(text).toBe((ascii + expected).replaceAll(",", "\t"));
  });

  test("rejects an unknown or wrong encoding name", async () => {
    expect(await codeOf(json(Buffer.from("n\nMüller\n", "latin1"), { encoding: "utf-8" }))).toBe("source_corrupt");
    expect(await codeOf(json("n\n", { encoding: "klingon" }))).toBe("unsupported_feature");
  });
});

describe("JSON as a table", () => {
  const cases: readonly [string, string, string][] = [
    ["records with different fields", '[{"a":1},{"b":2,"a":1.10}]', "a,b\n1,\n1.10,2\n"],
    [
      "nested objects, whose fields are columns",
      '[{"a":{"b":{"c":"x"}},"d":[1, {"e":2}]}]',
      'a.b.c,d\nx,"[1,{""e"":2}]"\n',
    ],
    ["one object", '{"a":1,"b":"x"}', "a,b\n1,x\n"],
    ["an array under one key", '{"data":{"rows":[{"x":1}]}}', "x\n1\n"],
    ["plain values", '[1,"x",null,true]', "value\n1\nx\n\ntrue\n"],
    ["arrays", '[["a","b"],[1,2]]', "column1,column2\na,b\n1,2\n"],
    [
      "big integers and long decimals",
      '[{"a":12345678901234567890,"b":0.10000000000000000001}]',
      "a,b\n12345678901234567890,0.10000000000000000001\n",
    ],
    ["escapes", '[{"\\u0061\\"":"x\\n\\ud83d\\ude00"}]', '"a"""\n"x\n😀"\n'],
    ["null and empty text, which differ", '[{"a":null,"b":""}]', 'a,b\n,""\n'],
    ["nothing", "[]", "\n"],
  ];
  test.each(cases)("%s", async (_, text, expected) => {
    expect((await made(text, ["json", "csv"])).text).toBe(expected);
  });

  test("several arrays are several tables, and other values cause a warning", async () => {
    const { texts, codes } = await made('{"a/b":[{"x":1}],"n":3,"c":[{"y":"ü"}]}', ["json", "csv"]);
    expect(texts).toEqual([
      ["a_b", "x\n1\n"],
      ["c", "y\nü\n"],
    ]);
    expect(codes).toEqual(["values_dropped"]);
  });

  test("objects with thousands of keys remain JSON instead of becoming thousands of columns", async () => {
    const map = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`k${index}`, index]));
    const { text } = await made(JSON.stringify([{ map }]), ["json", "csv"]);
    expect(text.split("\n", 1)[0]).toBe("map");
  });

  test("reads a record that spans chunks completely", async () => {
    const record = (index: number) => ({ index, text: `"\\${"é".repeat(400_000)}` });
    const { text } = await made(JSON.stringify([1, 2, 3].map(record)), ["json", "ndjson"]);
    expect(
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([1, 2, 3].map(record));
  });

  const corrupt = ['[{"a":1}', '[{"a":1},]', '[{"a":1}] x', "[{'a':1}]", '{"a":1', '[{"a":01}]', '["\\x"]', '{"a" 1}'];
  test.each(corrupt)("rejects %s", async (text) => {
    expect(await codeOf(made(text, ["json", "csv"]))).toBe("source_corrupt");
    expect(await codeOf(made(text, ["json", "ndjson"]))).toBe("source_corrupt");
  });
});

describe("JSON and NDJSON", () => {
  test("convert to each other with every digit", async () => {
    const lines = '{"a":1.10,"b":{"c":[1,2]}}\n{"a":12345678901234567890}\n';
    const { text } = await made(lines, ["ndjson", "json"]);
    expect(text).toMatch(/^\[\n {2}\{\n {4}"a": 1\.10,/);
    expect((await made(text, ["json", "ndjson"])).text).toBe(lines);
  });

  test("`indent` sets the indentation", async () => {
    expect((await made('{"a":{"b":[]}}\n', ["ndjson", "json"], { indent: 1 })).text).toBe(
      '[\n {\n  "a": {\n   "b": []\n  }\n }\n]\n',
    );
    expect((await made('{"a":1}\n', ["ndjson", "json"], { indent: 0 })).text).toBe('[{"a":1}]\n');
  });
});

test("a row without an end is rejected instead of kept in memory", async () => {
  expect(await codeOf(made(",".repeat(3_000_000), ["csv", "json"]))).toBe("unsupported_feature");
});

test.each([
  ["objects", '{"a":', "}", "1"],
  ["lists", "[", "]", ""],
])(
  "nested JSON %s are rejected while reading, before a browser or a parser gets them",
  async (_, start, end, inner) => {
    const nested = (depth: number): string => `${start.repeat(depth)}${inner}${end.repeat(depth)}`;
    for (const to of ["csv", "ndjson"] as const) {
      await expect(made(nested(500_000), ["json", to])).rejects.toMatchObject({
        code: "unsupported_feature",
        message: "The JSON is nested more than 1000 levels deep.",
      });
    }
    expect((await made(`[${nested(900)}]`, ["json", "ndjson"])).text.trim()).toBe(nested(900));
  },
);
