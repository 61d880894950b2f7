import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../local/database.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.ts";

describe("The database of one machine", () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  const insert = "INSERT INTO quotas VALUES ('acc_a', '2026-11', 1)";
  const count = "SELECT count(*) AS count FROM quotas";

  it("makes its folder for nobody but its owner", () => {
    const path = join(folder.path, "a", "b");
    openDatabase(path).close();
    expect(existsSync(join(path, "anyform.db"))).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it("has a write-ahead log, and waits for the disk unless told otherwise", () => {
    const database = openDatabase(folder.path);
    const synchronous = () => database.prepare("PRAGMA synchronous").get()?.synchronous;
    expect(database.prepare("PRAGMA journal_mode").get()?.journal_mode).toBe("wal");
    expect(database.durably(synchronous)).toBe(2);
    expect(database.lightly(synchronous)).toBe(1);
    expect(database.durably(synchronous)).toBe(2);
    database.close();
  });

  it.each(["durably", "lightly"] as const)("changes nothing when the work that it does %s fails", (how) => {
    const database = openDatabase(folder.path);
    const failing = () => {
      database.prepare(insert).run();
      throw new Error("The work failed.");
    };
    expect(() => database[how](failing)).toThrow("The work failed.");
    expect(database.prepare(count).get()?.count).toBe(0);
    database[how](() => database.prepare(insert).run());
    expect(database.prepare(count).get()?.count).toBe(1);
    expect(database.prepare("PRAGMA synchronous").get()?.synchronous).toBe(2);
    database.close();
  });

  it("is opened by two processes at once, and each sees what the other wrote", () => {
    const [one, other] = [openDatabase(folder.path), openDatabase(folder.path)];
    one.durably(() => one.prepare(insert).run());
    expect(other.prepare(count).get()?.count).toBe(1);
    one.close();
    other.close();
  });

  it("keeps its tables when it is opened again, and leaves one of a newer release alone", () => {
    const database = openDatabase(folder.path);
    database.durably(() => database.prepare(insert).run());
    database.close();
    openDatabase(folder.path).close();
    const raw = new DatabaseSync(join(folder.path, "anyform.db"));
    expect(raw.prepare(count).get()?.count).toBe(1);
    raw.exec("PRAGMA user_version = 99");
    raw.close();
    expect(() => openDatabase(folder.path)).toThrow(/has version 99.*start the newer release/);
  });

  it("finds what it searches for by an index, never by reading a whole table", () => {
    const database = openDatabase(folder.path);
    const searches = [
      "SELECT body FROM jobs WHERE due_at < 1 ORDER BY due_at LIMIT 1",
      "SELECT body FROM jobs WHERE token = 'dl_a'",
      "SELECT id FROM jobs WHERE erased = 0 AND result_expires_at <= 1 ORDER BY result_expires_at LIMIT 1",
      "SELECT id FROM messages WHERE lane = 'fast' AND state = 'ready' ORDER BY turn, id LIMIT 1",
      "SELECT id FROM messages WHERE lane = 'fast' AND state = 'hidden' AND visible_at <= 1",
      "SELECT max(turn) FROM messages WHERE lane = 'fast' AND account_id = 'acc_a'",
      "SELECT id FROM uploads WHERE erased = 0 AND expires_at <= 1 ORDER BY expires_at LIMIT 1",
    ];
    for (const sql of searches) {
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
      expect(plan.map(({ detail }) => String(detail))).toEqual([expect.stringMatching(/^SEARCH .* USING .*INDEX/)]);
    }
    database.close();
  });
});
