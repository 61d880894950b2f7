import type { ApiKey } from "../functions/domain/keys.ts";
import { type Account, isPlanId } from "../functions/domain/plans.ts";
import type { AccountStore } from "../functions/domain/ports.ts";
import type { Database } from "./database.ts";
import { integerOf, optionalIntegerOf, type Row, textOf } from "./rows.ts";

/** Accounts that one page of the list reads. No cursor stays open in between, so a slow reader blocks nobody. */
const PAGE_ACCOUNTS = 100;

export const sqliteAccounts = (database: Database): AccountStore => ({
  ...accountsOf(database),
  ...keysOf(database),
});

const accountsOf = (
  database: Database,
): Pick<AccountStore, "createAccount" | "getAccount" | "listAccounts" | "setPlan" | "setPreferences"> => {
  const insert = database.prepare(`
    INSERT INTO accounts (id, address, email, plan, quota, created_at)
    VALUES (:id, :address, :email, :plan, :quota, :createdAt) ON CONFLICT (address) DO NOTHING`);
  const get = database.prepare("SELECT * FROM accounts WHERE id = ?");
  const page = database.prepare("SELECT * FROM accounts WHERE id > :after ORDER BY id LIMIT :limit");
  const setPlan = database.prepare("UPDATE accounts SET plan = :plan, quota = :quota WHERE id = :id");
  const preferences = database.prepare(
    "UPDATE accounts SET preferences = json_patch(preferences, :changes) WHERE id = :id",
  );
  return {
    setPreferences: async (id, changes) =>
      (await database.durably(() => preferences.run({ id, changes: JSON.stringify(changes) }))).changes === 1,
    createAccount: async ({ id, email, plan, quota, createdAt }) => {
      const row = { id, address: email.toLowerCase(), email, plan, quota: quota ?? null, createdAt };
      return (await database.durably(() => insert.run(row))).changes === 1 ? "created" : "email_taken";
    },
    getAccount: async (id) => {
      const row = get.get(id);
      return row && accountOf(row);
    },
    listAccounts: async function* () {
      let after = "";
      for (;;) {
        const rows = page.all({ after, limit: PAGE_ACCOUNTS });
        yield* rows.map(accountOf);
        const last = rows.at(-1);
        if (last === undefined || rows.length < PAGE_ACCOUNTS) {
          return;
        }
        after = textOf(last, "id");
      }
    },
    setPlan: async (id, plan, quota) =>
      (await database.durably(() => setPlan.run({ id, plan, quota: quota ?? null }))).changes === 1,
  };
};

const keysOf = (database: Database): Pick<AccountStore, "addKey" | "findKey" | "keysOf" | "revokeKey"> => {
  const insert = database.prepare(`
    INSERT INTO keys (hash, id, account_id, prefix, name, scopes, created_at, expires_at, revoked_at)
    VALUES (:hash, :id, :accountId, :prefix, :name, :scopes, :createdAt, :expiresAt, :revokedAt)`);
  const find = database.prepare("SELECT * FROM keys WHERE hash = ?");
  const list = database.prepare("SELECT * FROM keys WHERE account_id = ? ORDER BY id");
  const revoke = database.prepare("UPDATE keys SET revoked_at = coalesce(revoked_at, :now) WHERE hash = :hash");
  return {
    addKey: async ({ expiresAt, revokedAt, scopes, ...key }) => {
      const row = {
        ...key,
        scopes: scopes === undefined ? null : JSON.stringify(scopes),
        expiresAt: expiresAt ?? null,
        revokedAt: revokedAt ?? null,
      };
      await database.durably(() => insert.run(row));
    },
    findKey: async (hash) => {
      const row = find.get(hash);
      return row && keyOf(row);
    },
    keysOf: async (accountId) => list.all(accountId).map(keyOf),
    revokeKey: async (hash, now) => (await database.durably(() => revoke.run({ hash, now }))).changes === 1,
  };
};

const accountOf = (row: Row): Account => {
  const [plan, quota] = [textOf(row, "plan"), optionalIntegerOf(row, "quota")];
  if (!isPlanId(plan)) {
    throw new TypeError(`The account ${textOf(row, "id")} has the plan ${plan}, which this release does not know.`);
  }
  return {
    id: textOf(row, "id"),
    email: textOf(row, "email"),
    plan,
    ...(quota !== undefined && { quota }),
    ...(JSON.parse(textOf(row, "preferences")) as Preferences),
    createdAt: integerOf(row, "created_at"),
  };
};

type Preferences = Pick<Account, "retentionHours" | "webhookSecrets">;

const keyOf = (row: Row): ApiKey => {
  const [expiresAt, revokedAt] = [optionalIntegerOf(row, "expires_at"), optionalIntegerOf(row, "revoked_at")];
  return {
    id: textOf(row, "id"),
    accountId: textOf(row, "account_id"),
    hash: textOf(row, "hash"),
    prefix: textOf(row, "prefix"),
    name: textOf(row, "name"),
    ...(typeof row.scopes === "string" && { scopes: JSON.parse(row.scopes) as ApiKey["scopes"] & object }),
    createdAt: integerOf(row, "created_at"),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(revokedAt !== undefined && { revokedAt }),
  };
};
