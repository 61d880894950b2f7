import { readFileSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { codeOf } from "../support/convert.ts";
import { fixture } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, convertingByRoute, isInstalled } from "../support/task.ts";

const scratch = scratchFolder();
const convert = convertingBy("sqlite", scratch);

const database = (sql: string): string => {
  const path = scratch.fresh();
  const made = new DatabaseSync(path);
  made.exec(sql);
  made.close();
  return path;
};

const TWO_TABLES = `
  CREATE TABLE "a/b" (id INTEGER PRIMARY KEY, "it's ""x""" TEXT);
  INSERT INTO "a/b" VALUES (1, 'ü'), (2, NULL);
  CREATE TABLE Other (n REAL, big INTEGER, b BLOB);
  INSERT INTO Other VALUES (1.5, 9007199254740993, x'ff00'), (1e999, 1, 'text');
  CREATE VIEW v AS SELECT id FROM "a/b";
  CREATE TABLE empty (x);
`;

describe("a database", () => {
  test("becomes one CSV per table", async () => {
    const { parts, codes } = await convert(database(TWO_TABLES), ["sqlite", "csv"]);
    expect(parts?.map((part) => [part.name, readFileSync(part.path, "utf8")])).toEqual([
      ["a_b", 'id,"it\'s ""x"""\n1,ü\n2,\n'],
      ["Other", "n,big,b\n1.5,9007199254740993,/wA=\nInfinity,1,text\n"],
      ["empty", "x\n"],
    ]);
    expect(codes).toEqual(["bytes_as_base64"]);
  });

  test("becomes one JSON, with big integers as text", async () => {
    const { path } = await convert(database(TWO_TABLES), ["sqlite", "json"]);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      "a/b": [
        { id: 1, 'it\'s "x"': "ü" },
        { id: 2, 'it\'s "x"': null },
      ],
      Other: [
        { n: 1.5, big: "9007199254740993", b: "/wA=" },
        { n: "Infinity", big: "1", b: "text" },
      ],
      empty: [],
    });
  });

  test.each(["Other", "other", "v"])("returns only the requested table or view: %s", async (table) => {
    const { path } = await convert(database(TWO_TABLES), ["sqlite", "ndjson"], { table });
    expect(readFileSync(path, "utf8").trim().split("\n")).toHaveLength(2);
  });

  test("without the requested table is rejected", async () => {
    expect(await codeOf(convert(database(TWO_TABLES), ["sqlite", "csv"], { table: "x" }))).toBe("unsupported_feature");
    expect(await codeOf(convert(database("CREATE TABLE a (x); DROP TABLE a"), ["sqlite", "csv"]))).toBe(
      "unsupported_feature",
    );
  });

  test("is not modified, and no other files are created", async () => {
    const path = database(TWO_TABLES);
    const before = statSync(path).mtimeMs;
    await convert(path, ["sqlite", "csv"]);
    expect(statSync(path).mtimeMs).toBe(before);
    expect(() => statSync(`${path}-wal`)).toThrow();
  });

  test.each([100, 4_096, 5_000])("truncated after %d bytes is damaged", async (bytes) => {
    const complete = readFileSync(fixture("sample.sqlite"));
    expect(await codeOf(convert(scratch.file(complete.subarray(0, bytes)), ["sqlite", "csv"]))).toBe("source_corrupt");
  });

  test("whose pages are overwritten is damaged", async () => {
    const bytes = readFileSync(fixture("sample.sqlite"));
    bytes.fill(0xa5, 4_096, 8_192);
    expect(await codeOf(convert(scratch.file(bytes), ["sqlite", "csv"]))).toBe("source_corrupt");
  });

  test("does not run functions that its schema refers to", async () => {
    const path = database(
      "CREATE TABLE a (x); INSERT INTO a VALUES (1); CREATE VIEW evil AS SELECT load_extension('/tmp/x') AS y",
    );
    await expect(convert(path, ["sqlite", "csv"], { table: "evil" })).rejects.toThrow();
  });

  test.runIf(isInstalled("sheets"))("becomes a workbook with a sheet for each table", async () => {
    const { output } = await convertingByRoute(scratch)(database(TWO_TABLES), ["sqlite", "xlsx"]);
    const { readXlsx } = await import("hucre/xlsx");
    expect((await readXlsx(readFileSync(output))).sheets.map(({ name, rows }) => [name, rows.length])).toEqual([
      ["a_b", 3],
      ["Other", 3],
      ["empty", 0],
    ]);
  });
});

describe("text tables as a database", () => {
  const dumped = (path: string) => {
    const made = new DatabaseSync(path, { readOnly: true });
    const tables = made.prepare("SELECT sql FROM sqlite_schema").all();
    return { made, schema: tables.map(({ sql }) => sql) };
  };

  test("has columns with the types of their values", async () => {
    const csv = "i,n,ok,zip,big,day,I\n1,1.5,true,007,1234567890123456789,2024-02-29,x\n2,2,false,010,1,1999-12-31,\n";
    const { path } = await convert(scratch.file(csv), ["csv", "sqlite"]);
    const { made, schema } = dumped(path);
    expect(schema).toEqual([
      'CREATE TABLE "data" ("i" INTEGER, "n" REAL, "ok" INTEGER, "zip" TEXT, "big" INTEGER, "day" TEXT, "I_2" TEXT)',
    ]);
    const statement = made.prepare("SELECT * FROM data");
    statement.setReadBigInts(true);
    expect(statement.all().map((row) => Object.values(row))).toEqual([
      [1n, 1.5, 1n, "007", 1234567890123456789n, "2024-02-29", "x"],
      [2n, 2, 0n, "010", 1n, "1999-12-31", null],
    ]);
    made.close();
  });

  test("has one table for each JSON table", async () => {
    const { path } = await convert(scratch.file('{"a b":[{"x":1,"y":{"z":[1]}}],"sqlite_x":[{"k":true}]}'), [
      "json",
      "sqlite",
    ]);
    const { made, schema } = dumped(path);
    made.close();
    expect(schema).toEqual(['CREATE TABLE "a b" ("x" INTEGER, "y.z" TEXT)', 'CREATE TABLE "_sqlite_x" ("k" INTEGER)']);
  });

  test("with too many columns is rejected", async () => {
    expect(
      await codeOf(
        convert(scratch.file(`${Array.from({ length: 2_001 }, (_, index) => `c${index}`)}\n`), ["csv", "sqlite"]),
      ),
    ).toBe("output_too_large");
  });
});
