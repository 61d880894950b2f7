import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Account } from "../../../functions/domain/accounts/plans.ts";
import { folderFiles } from "../../../local/files/folder-files.ts";
import { type Retention, sqliteRetention } from "../../../local/retention/retention.ts";
import { tidying } from "../../../local/retention/tidy.ts";
import { sqliteAccounts } from "../../../local/sqlite/accounts.ts";
import { sqliteAllowances } from "../../../local/sqlite/allowances.ts";
import { type Database, openDatabase } from "../../../local/sqlite/database.ts";
import { sqliteJobs } from "../../../local/sqlite/jobs.ts";
import { sqliteKeyUses } from "../../../local/sqlite/key-uses.ts";
import { sqliteQuotas } from "../../../local/sqlite/quotas.ts";
import { sqliteSessions } from "../../../local/sqlite/sessions.ts";
import { sqliteUploads } from "../../../local/sqlite/uploads.ts";
import { challengeRecord, passkeyRecord, sessionRecord, signingKeyRecord } from "../../support/browser/people.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";
import { accountRecord, keyRecord, NOW, quotaRecord } from "../../support/world/records.ts";

const DAY_MS = 24 * 3_600_000;
/** Tables that hold personal data. */
const TABLES = ["accounts", "keys", "key_uses", "passkeys", "quotas", "sessions", "uses"];

describe("retention of personal data on one machine", () => {
  let folder: TemporaryFolder;
  let database: Database;
  let retention: Retention;
  beforeEach(() => {
    folder = temporaryFolder();
    database = openDatabase(folder.path);
    retention = sqliteRetention(database);
  });
  afterEach(async () => {
    database.close();
    await folder.remove();
  });

  const rowsIn = (table: string): number =>
    Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);

  /** An account with one record of each kind. */
  const settled = async (overrides: Partial<Account> = {}): Promise<Account> => {
    const account = accountRecord(overrides);
    const key = keyRecord({ accountId: account.id });
    await sqliteAccounts(database).createAccount(account);
    await sqliteAccounts(database).addKey(key);
    await sqliteKeyUses(database).note(account.id, key.id, NOW);
    await sqliteSessions(database).addSession(sessionRecord({ accountId: account.id }));
    await sqliteSessions(database).addPasskey(passkeyRecord({ accountId: account.id }));
    await sqliteQuotas(database).take(quotaRecord(account.id, 5));
    return account;
  };

  it("deletes an expired visitor's account with all its records, and no other account", async () => {
    const visitor = await settled({ visitorUntil: NOW + DAY_MS });
    const [owner, later] = [await settled(), await settled({ visitorUntil: NOW + DAY_MS + 1 })];
    expect(await retention.deleteRecords(NOW + DAY_MS - 1, 100)).toBe(0);
    expect(await retention.deleteRecords(NOW + DAY_MS, 100)).toBe(1);
    const accounts = sqliteAccounts(database);
    const found = await Promise.all([visitor, owner, later].map(({ id }) => accounts.getAccount(id)));
    expect(found).toEqual([undefined, owner, later]);
    expect(TABLES.map(rowsIn)).toEqual(TABLES.map(() => 2));
    expect(await accounts.createAccount(accountRecord({ email: visitor.email }))).toBe("created");
  });

  it("deletes visitors in batches, longest expired first", async () => {
    for (let age = 0; age < 3; age += 1) {
      await settled({ visitorUntil: NOW - age });
    }
    const counts: number[] = [];
    for (let batch = 0; batch < 3; batch += 1) {
      counts.push(await retention.deleteRecords(NOW, 2));
    }
    expect(counts).toEqual([2, 1, 0]);
    expect(TABLES.map(rowsIn)).toEqual(TABLES.map(() => 0));
  });

  it("deletes all expired visitors in one cleanup run, whatever their number", async () => {
    const insert = database.prepare("INSERT INTO challenges (id, body, expires_at) VALUES (?, '{}', ?)");
    database.atOnce(() => {
      for (let index = 0; index < 1_203; index += 1) {
        insert.run(`cha_${index}`, NOW - index);
      }
    });
    await tidying({
      clock: () => NOW,
      database,
      files: filesIn(folder),
      jobs: sqliteJobs(database),
      uploads: sqliteUploads(database),
    })();
    expect(rowsIn("challenges")).toBe(0);
  });

  it("deletes sessions, challenges and allowances after they expire", async () => {
    const [sessions, end] = [sqliteSessions(database), NOW + 3_600_000];
    await sessions.addSession(sessionRecord({ expiresAt: end }));
    await sessions.addChallenge(challengeRecord({ expiresAt: end }));
    await sqliteAllowances(database).take("someone", { limit: 5, windowMs: 3_600_000 }, NOW);
    expect(await retention.deleteRecords(end - 1, 100)).toBe(0);
    expect(await retention.deleteRecords(end, 100)).toBe(3);
    expect(["sessions", "challenges", "allowances"].map(rowsIn)).toEqual([0, 0, 0]);
  });

  it("keeps accounts, keys, passkeys and session signing keys indefinitely", async () => {
    await settled();
    const key = signingKeyRecord();
    await sqliteSessions(database).rotateSigningKeys(key, { after: 0, endedAt: 0 });
    await retention.deleteRecords(NOW + 10 * 365 * DAY_MS, 100);
    expect(["accounts", "keys", "key_uses", "passkeys"].map(rowsIn)).toEqual([1, 1, 1, 1]);
    expect(await sqliteSessions(database).signingKeys()).toEqual([key]);
  });

  it("keeps the counts of a month for two years", async () => {
    const quotas = sqliteQuotas(database);
    for (const month of ["2026-10", "2026-11"]) {
      await quotas.take(quotaRecord("acc_1", 5, month));
    }
    expect(await retention.deleteRecords(Date.UTC(2028, 10, 1) - 1, 100)).toBe(0);
    expect(await retention.deleteRecords(Date.UTC(2028, 10, 1), 100)).toBe(2);
    expect(await quotas.useOf("acc_1", "2026-10")).toEqual({ used: 0, days: new Map() });
    expect(await quotas.used("acc_1", "2026-11")).toBe(1);
  });
});

const filesIn = ({ path }: TemporaryFolder) =>
  folderFiles({ folder: join(path, "files"), baseUrl: () => "", secret: Buffer.alloc(32), clock: () => NOW });
