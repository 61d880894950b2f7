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

  it("has a write-ahead log that it puts on the disk before it says that it is durable", async () => {
    const database = openDatabase(folder.path);
    expect(database.prepare("PRAGMA journal_mode").get()?.journal_mode).toBe("wal");
    const logBytes = () => statSync(join(folder.path, "anyform.db-wal")).size;
    const before = logBytes();
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        database.durably(() => database.prepare("INSERT INTO quotas VALUES (?, '2026-11', 1)").run(`acc_${index}`)),
      ),
    );
    expect(logBytes()).toBeGreaterThan(before);
    expect(database.prepare(count).get()?.count).toBe(50);
    database.close();
    await expect(openDatabase(folder.path).durably(() => 7)).resolves.toBe(7);
  });

  it.each(["durably", "lightly"] as const)("changes nothing when the work that it does %s fails", async (how) => {
    const database = openDatabase(folder.path);
    const failing = () => {
      database.prepare(insert).run();
      throw new Error("The work failed.");
    };
    await expect(async () => database[how](failing)).rejects.toThrow("The work failed.");
    expect(database.prepare(count).get()?.count).toBe(0);
    await database[how](() => database.prepare(insert).run());
    expect(database.prepare(count).get()?.count).toBe(1);
    database.close();
  });

  it("is opened by two processes at once, and each sees what the other wrote", () => {
    const [one, other] = [openDatabase(folder.path), openDatabase(folder.path)];
    one.lightly(() => one.prepare(insert).run());
    expect(other.prepare(count).get()?.count).toBe(1);
    one.close();
    other.close();
  });

  it("keeps its tables when it is opened again, and leaves one of a newer release alone", () => {
    const database = openDatabase(folder.path);
    database.lightly(() => database.prepare(insert).run());
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
