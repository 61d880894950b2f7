import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../../local/sqlite/database.ts";
import { integerOf } from "../../../local/sqlite/rows.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";

/** Rows that are read once while nobody writes to their table. */

let folder: TemporaryFolder;
let database: Database;
let reads: string[];
let usedBy: (key: string) => number | undefined;
beforeEach(() => {
  folder = temporaryFolder();
  database = openDatabase(folder.path);
  reads = [];
  const select = database.prepare("SELECT used FROM quotas WHERE account_id = ?");
  usedBy = database.cached("quotas", (key: string) => {
    reads.push(key);
    const row = select.get(key);
    return row && integerOf(row, "used");
  });
});
afterEach(async () => {
  database.close();
  await folder.remove();
});

const put = (target: Database, used: number) => {
  const sql = "INSERT INTO quotas VALUES ('acc_a', '2026-11', ?) ON CONFLICT DO UPDATE SET used = excluded.used";
  return () => target.prepare(sql).run(used);
};

describe("cached reads", () => {
  it("read a row once, also one that does not exist, until this process writes to the table", async () => {
    expect([usedBy("acc_a"), usedBy("acc_a")]).toEqual([undefined, undefined]);
    await database.soon(put(database, 1));
    expect([usedBy("acc_a"), usedBy("acc_a")]).toEqual([1, 1]);
    await database.soon(() => database.prepare("DELETE FROM seats WHERE address = ?").run("a"));
    expect(usedBy("acc_a")).toBe(1);
    expect(reads).toEqual(["acc_a", "acc_a"]);
  });

  it("see what another process has committed", async () => {
    await database.durably(put(database, 1));
    expect(usedBy("acc_a")).toBe(1);
    const other = openDatabase(folder.path);
    await other.durably(put(other, 2));
    other.close();
    await setTimeout(2);
    expect(usedBy("acc_a")).toBe(2);
  });

  it("keep nothing of a transaction that fails", async () => {
    await database.soon(put(database, 1));
    const work = () => {
      put(database, 9)();
      expect(usedBy("acc_a")).toBe(9);
      throw new Error("No.");
    };
    await expect(database.soon(work)).rejects.toThrow("No.");
    expect(usedBy("acc_a")).toBe(1);
  });

  it("keep a limited number of rows", () => {
    for (let index = 0; index < 2_500; index += 1) {
      usedBy(`acc_${index}`);
    }
    reads.length = 0;
    usedBy("acc_2499");
    usedBy("acc_0");
    expect(reads).toEqual(["acc_0"]);
  });
});
