import { existsSync, readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, test } from "vitest";
import { literal, withSession } from "../../../functions/engines/data/duckdb/session.ts";
import { codeOf } from "../support/convert.ts";
import { parquetRowCount } from "../support/data/parquet-footer.ts";
import { fixture } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, taskOf } from "../support/task.ts";

const scratch = scratchFolder();
const convert = convertingBy("duckdb", scratch);

const parquetOf = async (content: string | Uint8Array, from: "csv" | "json" | "ndjson" = "csv") => {
  const { path, codes } = await convert(scratch.file(content), [from, "parquet"]);
  return { path, codes, rows: parquetRowCount(readFileSync(path)), ...(await columnsOf(path)) };
};

const columnsOf = async (path: string) => {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM read_parquet('${path}')`);
  const rows = await connection.runAndReadAll(`SELECT * FROM read_parquet('${path}')`);
  const types = described.getRows().map(([name, type]) => `${name} ${type}`);
  return { types, values: rows.getRowObjectsJson() };
};

test("columns of a CSV get the type that fits all of their values", async () => {
  const csv =
    "i,big,d,ok,day,at,zip,t\n1,1234567890123456,1.5,true,2024-02-29,2024-02-29T10:00:00,007,x\n2,1,-2,false,1999-12-31,1999-12-31 23:59:59,1,\n";
  const { types } = await parquetOf(csv);
  expect(types).toEqual([
    "i BIGINT",
    "big BIGINT",
    "d DOUBLE",
    "ok BOOLEAN",
    "day DATE",
    "at TIMESTAMP",
    "zip VARCHAR",
    "t VARCHAR",
  ]);
});

describe("a late value of another kind than the first rows changes only its column", () => {
  const head = Array.from({ length: 40_000 }, (_, index) => `${index},${index}.5,true,2024-01-01\n`).join("");
  const cases: readonly [string, readonly string[], string[]][] = [
    ["007,1.5,true,2024-01-01", ["007", "1.5", "true", "2024-01-01"], []],
    ["5.7,1.5,true,2024-01-01", ["5.7", "1.5", "true", "2024-01-01"], []],
    ["1,12345678901234567890,true,2024-01-01", ["1", "12345678901234567890", "true", "2024-01-01"], []],
    ["1,1.5,yes,2024-1-5", ["1", "1.5", "yes", "2024-1-5"], []],
    ["1,nan,true,2024-01-01", ["1", "nan", "true", "2024-01-01"], []],
    ["1", ["1"], ["ragged_rows"]],
    ['"1"x,1.5,true,2024-01-01', ["1x", "1.5", "true", "2024-01-01"], ["stray_quotes"]],
    ["1,1.5,true,M\u00fcller", ["1", "1.5", "true", "Müller"], []],
  ];
  test.each(cases)("%s", async (last, expected, codes) => {
    const { path, ...made } = await convert(scratch.file(`i,d,ok,day\n${head}${last}\n`), ["csv", "parquet"]);
    expect(made.codes).toEqual(codes);
    expect(parquetRowCount(readFileSync(path))).toBe(40_001);
    const text = readFileSync((await convert(path, ["parquet", "csv"])).path, "utf8");
    expect(text.trimEnd().split("\n").at(-1)?.split(",").filter(Boolean)).toEqual(expected);
  });
});

describe("irregular input is preserved by the slower path", () => {
  const cases: readonly [string, string | Uint8Array, unknown[], string[]][] = [
    [
      "ragged rows",
      "a,b\n1\n1,2,3\n",
      [
        { a: "1", b: null, column3: null },
        { a: "1", b: "2", column3: "3" },
      ],
      ["ragged_rows"],
    ],
    ["names that SQL treats as equal", "a,A,\n1,2,3\n", [{ a: "1", A_2: "2", column3: "3" }], []],
    ["a name with quotes", `"it's ""x"""\n1\n`, [{ 'it\'s "x"': "1" }], []],
    [
      "a legacy encoding",
      Buffer.from("n\nMüller\nKöln\nDüsseldorf\n", "latin1"),
      [{ n: "Müller" }, { n: "Köln" }, { n: "Düsseldorf" }],
      ["encoding_guessed"],
    ],
    ["a line sep=", "sep=;\na;b\n1;x\n", [{ a: "1", b: "x" }], []],
    [
      "null and empty text",
      'a,b\n,""\nx,y\n',
      [
        { a: null, b: "" },
        { a: "x", b: "y" },
      ],
      [],
    ],
    ["only a header", "a,b\n", [], []],
    ["nothing", "", [], []],
  ];
  test.each(cases)("%s", async (_, csv, values, codes) => {
    expect(await parquetOf(csv)).toMatchObject({ values, codes, rows: values.length });
  });
});

describe("JSON to Parquet", () => {
  test("keeps objects and lists nested", async () => {
    const { types } = await parquetOf('[{"a":{"b":[1,2],"c":"x"}}]', "json");
    expect(types).toEqual(["a STRUCT(b BIGINT[], c VARCHAR)"]);
  });

  test("keeps texts that look like times, big integers and mixed values as text", async () => {
    const lines = '{"t":"2024-01-05T10:00:00+02:00","big":12345678901234567890,"m":1}\n{"t":null,"big":1,"m":"007"}\n';
    expect((await parquetOf(lines, "ndjson")).values).toEqual([
      { t: "2024-01-05T10:00:00+02:00", big: "12345678901234567890", m: "1" },
      { t: null, big: "1", m: "007" },
    ]);
  });

  test("converts a column of date texts to dates", async () => {
    expect((await parquetOf('[{"d":"2024-02-29"},{"d":"1999-12-31"}]', "json")).types).toEqual(["d DATE"]);
  });

  test("writes one file per table", async () => {
    const { parts } = await convert(scratch.file('{"a":[{"x":1}],"b":[{"y":2},{"y":3}]}'), ["json", "parquet"]);
    expect(parts?.map(({ name, path }) => [name, parquetRowCount(readFileSync(path))])).toEqual([
      ["a", 1],
      ["b", 2],
    ]);
  });

  test.each([
    ['[{"a":1}', "source_corrupt"],
    ['[{"a":1,"a":2}]', "source_corrupt"],
    [`[${"[".repeat(500)}${"]".repeat(500)}]`, "unsupported_feature"],
  ])("rejects %.20s", async (text, code) => {
    expect(await codeOf(parquetOf(text, "json"))).toBe(code);
  });
});

describe("Parquet to text", () => {
  const written = async (select: string): Promise<string> => {
    const path = scratch.fresh();
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    await connection.run(`SET TimeZone = 'UTC'; COPY (${select}) TO '${path}' (FORMAT parquet)`);
    return path;
  };

  test("writes nested values as JSON, times in ISO 8601, and bytes in Base64", async () => {
    const path = await written(
      "SELECT {'a': [1, 2]} AS s, TIMESTAMP '2024-02-29 10:00:00' AS t, TIMESTAMPTZ '2024-02-29 10:00:00+00' AS z, '\\xFF\\x00'::BLOB AS b, 'text'::BLOB AS c, 1.10::DECIMAL(5, 2) AS d",
    );
    const { path: csv, codes } = await convert(path, ["parquet", "csv"]);
    expect(readFileSync(csv, "utf8")).toBe(
      's,t,z,b,c,d\n"{""a"":[1,2]}",2024-02-29T10:00:00,2024-02-29T10:00:00Z,/wA=,text,1.10\n',
    );
    expect(codes).toEqual(["bytes_as_base64"]);
  });

  test("writes values that are not JSON numbers as text", async () => {
    const path = await written("SELECT 9007199254740993 AS big, 'nan'::DOUBLE AS n, 1::BIGINT AS one");
    const { path: json } = await convert(path, ["parquet", "json"]);
    expect(JSON.parse(readFileSync(json, "utf8"))).toEqual([{ big: "9007199254740993", n: "nan", one: 1 }]);
  });

  test("writes no rows for a file without rows", async () => {
    const path = await written("SELECT 1 AS a WHERE false");
    const texts = await Promise.all((["csv", "json", "ndjson"] as const).map((to) => convert(path, ["parquet", to])));
    expect(texts.map(({ path: text }) => readFileSync(text, "utf8").trim())).toEqual(["a", "[]", ""]);
  });

  test.each([20, 400, 900])("rejects a file truncated after %d bytes", async (bytes) => {
    const complete = readFileSync(fixture("sample.parquet"));
    expect(await codeOf(convert(scratch.file(complete.subarray(0, bytes)), ["parquet", "csv"]))).toBe("source_corrupt");
  });
});

test("a session can access only the files of its step", async () => {
  const [input, outside] = [scratch.file("a\n1\n"), scratch.file("secret\n1\n")];
  const task = taskOf({ input, output: scratch.fresh(), from: "csv", to: "parquet" });
  await withSession(task, async (session) => {
    const other = scratch.fresh();
    for (const sql of [
      `SELECT * FROM read_csv(${literal(outside)})`,
      `SELECT * FROM read_csv('/etc/passwd')`,
      `COPY (SELECT 1) TO ${literal(other)}`,
      `ATTACH ${literal(other)} AS other`,
      "INSTALL httpfs",
      "SET enable_external_access = true",
      "SET memory_limit = '8GB'",
    ]) {
      await expect(session.rows(sql), sql).rejects.toThrow();
    }
    expect(existsSync(other)).toBe(false);
    expect(await session.rows(`SELECT count(*)::INTEGER FROM read_csv(${literal(input)}, header = true)`)).toEqual([
      [1],
    ]);
  });
});
