import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { statementOf, tablesWritten } from "../../../local/sqlite/statements.ts";

describe("prepared statements", () => {
  const connection = new DatabaseSync(":memory:");
  connection.exec("CREATE TABLE uses (day INTEGER PRIMARY KEY, count INTEGER, note TEXT)");
  const prepare = (sql: string) => statementOf(connection, sql, () => {});

  it("bind values by name, wherever and however often the name occurs", () => {
    const add = prepare(`
      INSERT INTO uses (count, day, note) VALUES (:count, :day, :note)
      ON CONFLICT (day) DO UPDATE SET count = count + :count WHERE :note IS NOT NULL`);
    for (const note of ["a", "b", null]) {
      add.run({ day: 7, note, count: 3 });
    }
    expect(prepare("SELECT * FROM uses WHERE day = :day").all({ day: 7 })).toEqual([{ day: 7, count: 6, note: "a" }]);
  });

  it("bind values by place, bytes among them", () => {
    const bytes = new Uint8Array([1, 2, 3]);
    expect(prepare("SELECT ? AS bytes, ? AS number").get(bytes, 4)).toEqual({ bytes, number: 4 });
    expect([...prepare("SELECT ? AS number").iterate(5)]).toEqual([{ number: 5 }]);
  });

  it("reject a missing value", () => {
    const select = prepare("SELECT :first AS first, :second AS second");
    expect(() => select.get({ first: 1 })).toThrow(/cannot be bound/);
  });

  it("know which tables they write", () => {
    const written: string[] = [];
    const trim = statementOf(connection, "DELETE FROM uses WHERE day < ?", (tables) => written.push(...tables));
    trim.run(1);
    expect(written).toEqual(["uses"]);
  });

  it.each([
    ["SELECT * FROM keys WHERE hash = ?", []],
    ["INSERT INTO seats VALUES (?) ON CONFLICT DO UPDATE SET address = 1", ["seats"]],
    ["INSERT OR IGNORE INTO inputs SELECT upload_id FROM jobs", ["inputs"]],
    ["REPLACE INTO turns VALUES (1)", ["turns"]],
    ["UPDATE OR IGNORE accounts SET email = :email", ["accounts"]],
    ["WITH old AS (SELECT id FROM jobs) DELETE\n FROM jobs WHERE id IN old", ["jobs"]],
  ])("%s", (sql, tables) => {
    expect([...tablesWritten(sql)]).toEqual(tables);
  });

  it("of all stores write a table of the schema", () => {
    const folders = ["sqlite", "retention", "accounts"].map((name) =>
      join(import.meta.dirname, "../../../local", name),
    );
    const sources = folders.flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith(".ts") && name !== "schema.ts")
        .map((name) => readFileSync(join(folder, name), "utf8").replace(/\$\{\w+\}/g, "named")),
    );
    const statements = sources.flatMap((source) => source.match(/(?<=prepare\(\s*)(?:"[^"]+"|`[^`]+`)/g) ?? []);
    const writing = statements.filter((sql) => !/^["`]\s*(?:SELECT|PRAGMA|VACUUM|BEGIN|COMMIT|ROLLBACK)/.test(sql));
    expect(writing.length).toBeGreaterThan(50);
    expect(writing.filter((sql) => tablesWritten(sql).size !== 1)).toEqual([]);
  });
});
