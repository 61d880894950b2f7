import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sqliteAccounts } from "../../../local/sqlite/accounts.ts";
import { openDatabase } from "../../../local/sqlite/database.ts";
import { sqliteJobs } from "../../../local/sqlite/jobs.ts";
import { sqliteQuotas } from "../../../local/sqlite/quotas.ts";
import { schemaSteps } from "../../../local/sqlite/schema.ts";
import { sqliteSessions } from "../../../local/sqlite/sessions.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";
import { failedRecord, jobRecord, NOW, quotaRecord } from "../../support/world/records.ts";

describe("the database of one machine", () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  const insert = "INSERT INTO quotas VALUES ('acc_a', '2026-11', 1)";
  const count = "SELECT count(*) AS count FROM quotas";

  it("creates its folder readable only by the owner", () => {
    const path = join(folder.path, "a", "b");
    openDatabase(path).close();
    expect(existsSync(join(path, "anyform.db"))).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it("makes its files readable only by the owner, including those of an earlier release", async () => {
    openDatabase(folder.path).close();
    chmodSync(join(folder.path, "anyform.db"), 0o644);
    const database = openDatabase(folder.path);
    await database.durably(() => database.prepare(insert).run());
    const modes = ["", "-wal", "-shm"].map((end) => statSync(join(folder.path, `anyform.db${end}`)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
    database.close();
  });

  it("names a damaged or emptied file, and explains how to continue", () => {
    const path = join(folder.path, "anyform.db");
    writeFileSync(path, "This is not a database. ".repeat(500));
    expect(() => openDatabase(folder.path)).toThrow(`The database ${path} is damaged. Restore a backup`);
    writeFileSync(path, "");
    writeFileSync(join(folder.path, "api-key"), "af_live_x");
    expect(() => openDatabase(folder.path)).toThrow(`The database ${path} is empty`);
    expect(statSync(path).size).toBe(0);
  });

  it("keeps a copy of the database before it migrates it, and only the latest", async () => {
    writeVersion2(folder.path, "{}");
    writeFileSync(join(folder.path, "anyform.db.version-1"), "an earlier copy");
    openDatabase(folder.path).close();
    const copies = readdirSync(folder.path).filter((name) => name.startsWith("anyform.db.version-"));
    expect(copies).toEqual(["anyform.db.version-2"]);
    expect(statSync(join(folder.path, "anyform.db.version-2")).mode & 0o777).toBe(0o600);
    const copy = new DatabaseSync(join(folder.path, "anyform.db.version-2"));
    expect(copy.prepare("PRAGMA user_version").get()?.user_version).toBe(2);
    expect(copy.prepare(count).get()?.count).toBe(1);
    copy.close();
  });

  it("gives the space of deleted rows back, in a new database and in that of an earlier release", () => {
    for (const prepare of [() => {}, () => writeVersion2(folder.path, "{}")]) {
      rmSync(join(folder.path, "anyform.db"), { force: true });
      prepare();
      const database = openDatabase(folder.path);
      const fill = database.prepare("INSERT INTO challenges (id, body, expires_at) VALUES (?, ?, 1)");
      database.atOnce(() => {
        for (let index = 0; index < 500; index += 1) {
          fill.run(`cha_${index}`, "x".repeat(8_000));
        }
      });
      const pages = () => Number(database.prepare("PRAGMA page_count").get()?.page_count);
      const full = pages();
      database.atOnce(() => database.prepare("DELETE FROM challenges").run());
      expect(pages()).toBe(full);
      const left = database.shrink(100, 50);
      expect(pages()).toBe(full - 100);
      expect(left).toBeGreaterThan(100);
      expect(database.shrink(100_000, 50)).toBe(0);
      // Pages that map freed pages can be freed as well.
      expect(pages()).toBeLessThanOrEqual(full - 100 - left);
      database.close();
    }
  });

  it("overwrites the log after a secret was deleted from its record", async () => {
    const database = openDatabase(folder.path);
    const jobs = sqliteJobs(database);
    const job = jobRecord({ options: { password: "correct-horse-battery" } });
    await jobs.createJob(job, undefined);
    const found = () =>
      ["anyform.db", "anyform.db-wal"].filter((name) =>
        readFileSync(join(folder.path, name)).includes("correct-horse-battery"),
      );
    expect(found()).not.toEqual([]);
    await jobs.claim(job.id, NOW);
    await jobs.finish(job.id, 1, failedRecord(true), NOW);
    await vi.waitFor(() => expect(found()).toEqual([]), { timeout: 20_000, interval: 500 });
    database.close();
  });

  it("keeps in memory what a shared transaction may have to undo", async () => {
    const database = openDatabase(folder.path);
    const add = database.prepare("INSERT INTO quotas VALUES (?, '2026-11', 1)");
    await database.durably(() => {
      for (let index = 0; index < 10_000; index += 1) {
        add.run(`acc_${index}`);
      }
    });
    const change = database.prepare("UPDATE quotas SET used = used + 1");
    const changes = Array.from({ length: 3 }, () =>
      database.durably(() => {
        change.run();
        return sqliteTemporaryFiles();
      }),
    );
    expect(await Promise.all(changes)).toEqual([[], [], []]);
    database.close();
  });

  it("syncs its write-ahead log to disk before it reports a durable write", async () => {
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

  it("shares a transaction and a sync between several turns, while its condition is true", async () => {
    let syncs = 0;
    const filesOnDisk = async () => {
      syncs += 1;
    };
    const database = openDatabase(folder.path, { filesOnDisk, sharedMs: 60_000 });
    const add = database.prepare("INSERT INTO quotas VALUES (?, '2026-11', 1)");
    let isShared = true;
    database.shareWhile(() => isShared);
    const works: Promise<unknown>[] = [];
    for (const id of ["acc_a", "acc_b", "acc_c"]) {
      works.push(database.durably(() => add.run(id)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(database.prepare(count).get()?.count).toBe(0);
    isShared = false;
    await Promise.all([...works, database.durably(() => add.run("acc_d"))]);
    expect(database.prepare(count).get()?.count).toBe(4);
    expect(syncs).toBe(1);
    await database.durably(() => add.run("acc_e"));
    expect(syncs).toBe(2);
    database.close();
  });

  it("runs work that other work adds in the same transaction, and undoes only what fails", async () => {
    const database = openDatabase(folder.path);
    const add = database.prepare("INSERT INTO quotas VALUES (?, '2026-11', 1)");
    const other = new DatabaseSync(join(folder.path, "anyform.db"));
    const accounts = () => other.prepare("SELECT account_id FROM quotas ORDER BY account_id").all().map(Object.values);
    let added: Promise<unknown> | undefined;
    const both = (second: () => unknown) =>
      database.soon(() => {
        added = database.soon(second);
        add.run("acc_a");
      });
    // What another connection sees when the first work is committed.
    const seen = both(() => add.run("acc_b")).then(accounts);
    expect(await seen).toEqual([["acc_a"], ["acc_b"]]);
    await added;
    await expect(both(() => add.run("acc_c"))).rejects.toThrow("UNIQUE");
    await added;
    expect(accounts()).toEqual([["acc_a"], ["acc_b"], ["acc_c"]]);
    database.prepare("DELETE FROM quotas").run();
    await both(() => add.run("acc_a"));
    await expect(added).rejects.toThrow("UNIQUE");
    expect(accounts()).toEqual([["acc_a"]]);
    other.close();
    database.close();
  });

  it("continues with committed work while it is written to the disk, and waits for both", async () => {
    const [disk, next] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const database = openDatabase(folder.path, { filesOnDisk: () => disk.promise });
    const events: unknown[] = [];
    const meanwhile = ({ changes }: { readonly changes: unknown }): Promise<void> => {
      events.push(changes, database.prepare(count).get()?.count);
      return next.promise;
    };
    const work = database.durably(() => database.prepare(insert).run(), meanwhile).then(() => events.push("durable"));
    await vi.waitUntil(() => events.length > 0);
    disk.resolve();
    await database.synced();
    expect(events).toEqual([1, 1]);
    next.resolve();
    await work;
    expect(events).toEqual([1, 1, "durable"]);
    await expect(
      database.durably(
        () => 7,
        () => Promise.reject(new Error("Next.")),
      ),
    ).rejects.toThrow("Next.");
    database.close();
  });

  it.each(["durably", "atOnce"] as const)("changes nothing when work executed %s fails", async (how) => {
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

  it("commits the work of one turn together, without the work that fails", async () => {
    const database = openDatabase(folder.path);
    const add = database.prepare("INSERT INTO quotas VALUES (?, '2026-11', 1)");
    const logBytes = () => statSync(join(folder.path, "anyform.db-wal")).size;
    const before = logBytes();
    const works = Array.from({ length: 50 }, (_, index) =>
      database.soon(() => {
        add.run(`acc_${index}`);
        if (index % 10 === 3) {
          throw new Error(`The work ${index} failed.`);
        }
        return index;
      }),
    );
    const ended = await Promise.allSettled(works);
    expect(ended.flatMap((end) => (end.status === "rejected" ? [end.reason.message] : []))).toEqual(
      [3, 13, 23, 33, 43].map((index) => `The work ${index} failed.`),
    );
    expect(ended[4]).toEqual({ status: "fulfilled", value: 4 });
    expect(database.prepare(count).get()?.count).toBe(45);
    // 50 separate transactions would write at least 50 pages.
    const pageBytes = 4_096;
    expect(logBytes() - before).toBeLessThan(20 * pageBytes);
    database.close();
  });

  it("commits work that nothing waits for with the next transaction, or a moment later", async () => {
    const database = openDatabase(folder.path);
    const add = database.prepare("INSERT INTO quotas VALUES (?, '2026-11', 1)");
    const counted = () => database.prepare(count).get()?.count;
    const later = database.later(() => add.run("acc_a"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(counted()).toBe(0);
    await database.soon(() => add.run("acc_b"));
    expect(counted()).toBe(2);
    await later;
    await database.later(() => add.run("acc_c"));
    expect(counted()).toBe(3);
    const last = database.later(() => add.run("acc_d"));
    database.close();
    await last;
    const reopened = openDatabase(folder.path);
    expect(reopened.prepare(count).get()?.count).toBe(4);
    reopened.close();
  });

  it("commits what waits when it is closed", async () => {
    const database = openDatabase(folder.path);
    const written = database.soon(() => database.prepare(insert).run());
    database.close();
    await written;
    const reopened = openDatabase(folder.path);
    expect(reopened.prepare(count).get()?.count).toBe(1);
    reopened.close();
  });

  it("can be opened by two processes, and each sees the other's writes", () => {
    const [one, other] = [openDatabase(folder.path), openDatabase(folder.path)];
    one.atOnce(() => one.prepare(insert).run());
    expect(other.prepare(count).get()?.count).toBe(1);
    one.close();
    other.close();
  });

  it("keeps its tables when it is reopened, and rejects a database of a newer release", () => {
    const database = openDatabase(folder.path);
    database.atOnce(() => database.prepare(insert).run());
    database.close();
    openDatabase(folder.path).close();
    const raw = new DatabaseSync(join(folder.path, "anyform.db"));
    expect(raw.prepare(count).get()?.count).toBe(1);
    raw.exec("PRAGMA user_version = 99");
    raw.close();
    expect(() => openDatabase(folder.path)).toThrow(/has version 99.*start the newer release/);
  });

  it("migrates a database of the previous release without changing its data", async () => {
    const secrets = [{ secret: "whsec_a", createdAt: 1 }];
    writeVersion2(folder.path, JSON.stringify({ retentionHours: 0, webhookSecrets: secrets }));
    const database = openDatabase(folder.path);
    expect(database.prepare("PRAGMA user_version").get()?.user_version).toBe(schemaSteps.length);
    const [accounts, quotas] = [sqliteAccounts(database), sqliteQuotas(database)];
    const account = { id: "acc_a", email: "Ada@example.com", plan: "api", createdAt: 1 } as const;
    const old = { ...account, retentionHours: 0, webhookSecrets: secrets };
    expect(await accounts.findByEmail("ada@example.com")).toStrictEqual(old);
    expect(await accounts.keysOf("acc_a")).toMatchObject([{ id: "key_a", hash: "00ff", name: "laptop" }]);
    expect(await quotas.useOf("acc_a", "2026-11")).toEqual({ used: 7, days: new Map() });
    // A migrated database accepts new data like a new one.
    expect(await accounts.change("acc_a", { planPicked: true, webhookSecrets: null })).toBe(true);
    expect(await accounts.getAccount("acc_a")).toStrictEqual({ ...account, retentionHours: 0, planPicked: true });
    expect(await quotas.take(quotaRecord("acc_a", 8))).toBe(true);
    const days = new Map([[20, { convert: 1 }]]);
    expect(await quotas.useOf("acc_a", "2026-11")).toEqual({ used: 8, days });
    expect(await sqliteSessions(database).signingKeys()).toEqual([]);
    database.close();
  });

  it("uses an index for every query, and never a full table scan", () => {
    const database = openDatabase(folder.path);
    const searches = [
      "SELECT body FROM jobs WHERE due_at < 1 ORDER BY due_at LIMIT 1",
      "SELECT body FROM jobs WHERE token = 'dl_a'",
      "SELECT id FROM jobs WHERE erased = 0 AND result_expires_at <= 1 ORDER BY result_expires_at LIMIT 1",
      "SELECT id FROM messages WHERE lane = 'fast' AND state = 'ready' ORDER BY turn, id LIMIT 1",
      "SELECT id FROM messages WHERE lane = 'fast' AND state = 'hidden' AND visible_at <= 1",
      "SELECT max(turn) FROM messages WHERE lane = 'fast' AND account_id = 'acc_a'",
      "SELECT id FROM uploads WHERE erased = 0 AND expires_at <= 1 ORDER BY expires_at LIMIT 1",
      "SELECT id FROM accounts WHERE visitor_until <= 1 ORDER BY visitor_until LIMIT 1",
      "SELECT body FROM sessions WHERE account_id = 'acc_a'",
      "SELECT body FROM passkeys WHERE account_id = 'acc_a'",
      "SELECT hash FROM sessions WHERE expires_at <= 1 ORDER BY expires_at LIMIT 1",
      "SELECT id FROM challenges WHERE expires_at <= 1 ORDER BY expires_at LIMIT 1",
      "SELECT subject, window_ms, ends_at FROM allowances WHERE ends_at <= 1 ORDER BY ends_at LIMIT 1",
      "SELECT day, kind, count FROM uses WHERE account_id = 'acc_a' AND month = '2026-11' ORDER BY day",
      "SELECT account_id, month, day, kind FROM uses WHERE month < '2024-11' ORDER BY month LIMIT 1",
      "SELECT account_id, month FROM quotas WHERE month < '2024-11' ORDER BY month LIMIT 1",
      "SELECT key_id, used_at FROM key_uses WHERE account_id = 'acc_a'",
    ];
    for (const sql of searches) {
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
      expect(plan.map(({ detail }) => String(detail))).toEqual([
        expect.stringMatching(/^SEARCH .* USING (?:.*INDEX|PRIMARY KEY)/),
      ]);
    }
    database.close();
  });
});

/** Writes the database of a release with two migrations, with an account, a key and a count. */
const writeVersion2 = (folder: string, preferences: string): void => {
  const raw = new DatabaseSync(join(folder, "anyform.db"));
  raw.exec(`${schemaSteps.slice(0, 2).join(";")}; PRAGMA user_version = 2`);
  raw
    .prepare(
      `INSERT INTO accounts (id, address, email, plan, quota, created_at, preferences)
      VALUES ('acc_a', 'ada@example.com', 'Ada@example.com', 'api', NULL, 1, ?)`,
    )
    .run(preferences);
  raw.exec(`
    INSERT INTO keys (hash, id, account_id, prefix, name, created_at)
      VALUES ('00ff', 'key_a', 'acc_a', 'af_live_abcdef', 'laptop', 1);
    INSERT INTO quotas VALUES ('acc_a', '2026-11', 7);
  `);
  raw.close();
};

/** @returns the temporary files that SQLite has open in this process */
const sqliteTemporaryFiles = (): readonly string[] =>
  readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)].filter((path) => path.includes("etilqs"));
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
