import { isDeepStrictEqual } from "node:util";
import type { AccountStore } from "../../functions/domain/accounts/account-ports.ts";
import type { ApiKey, KeyLimits } from "../../functions/domain/accounts/keys.ts";
import { type Account, type AccountChanges, isPlanId } from "../../functions/domain/accounts/plans.ts";
import { pageOf } from "../../functions/domain/pages.ts";
import type { Database } from "./database.ts";
import { integerOf, optionalIntegerOf, type Row, textOf } from "./rows.ts";

/** Accounts per page. No cursor stays open between pages, so a slow reader does not block others. */
const PAGE_ACCOUNTS = 100;

export const sqliteAccounts = (database: Database): AccountStore => ({
  ...accountsOf(database),
  ...keysOf(database),
  ...seatsOf(database),
});

type Accounts = Pick<
  AccountStore,
  | "accountPage"
  | "change"
  | "createAccount"
  | "erase"
  | "findByEmail"
  | "getAccount"
  | "listAccounts"
  | "setEmail"
  | "setPlan"
>;

const accountsOf = (database: Database): Accounts => {
  const insert = database.prepare(`
    INSERT INTO accounts (id, address, email, plan, quota, preferences, visitor_until, created_at)
    VALUES (:id, :address, :email, :plan, :quota, :preferences, :visitorUntil, :createdAt)
    ON CONFLICT (address) DO NOTHING`);
  const seat = database.prepare(ADD_SEAT);
  const get = database.prepare("SELECT * FROM accounts WHERE id = ?");
  const find = database.prepare("SELECT * FROM accounts WHERE address = ?");
  const page = database.prepare("SELECT * FROM accounts WHERE id > :after ORDER BY id LIMIT :limit");
  const setPlan = database.prepare("UPDATE accounts SET plan = :plan, quota = :quota WHERE id = :id");
  const setEmail = database.prepare("UPDATE OR IGNORE accounts SET address = :address, email = :email WHERE id = :id");
  const erasures = TABLES_OF_ACCOUNTS.map(([table, column]) =>
    database.prepare(`DELETE FROM ${table} WHERE ${column} = ?`),
  );
  const setPreferences = database.prepare("UPDATE accounts SET preferences = :preferences WHERE id = :id");
  const getAccount = database.cached("accounts", (id: string) => {
    const row = get.get(id);
    return row && accountOf(row);
  });
  return {
    createAccount: async ({ id, email, plan, quota = null, visitorUntil = null, createdAt, ...preferences }) => {
      const row = { id, address: addressOf(email), email, plan, quota, visitorUntil, createdAt };
      return database.durably(() => {
        if (insert.run({ ...row, preferences: JSON.stringify(preferences) }).changes !== 1) {
          return "email_taken";
        }
        for (const member of preferences.team?.members ?? []) {
          seat.run({ id, address: addressOf(member.email) });
        }
        return "created";
      });
    },
    change: (id, changes, from) =>
      database.durably(() => {
        const row = get.get(id);
        const earlier = row && preferencesOf(row);
        if (earlier === undefined || (from !== undefined && !hasEndpoints(earlier, from))) {
          return false;
        }
        return setPreferences.run({ id, preferences: JSON.stringify(changed(earlier, changes)) }).changes === 1;
      }),
    erase: async (id) => {
      await database.durably(() => {
        for (const erasure of erasures) {
          erasure.run(id);
        }
      });
    },
    findByEmail: async (email) => {
      const row = find.get(addressOf(email));
      return row && accountOf(row);
    },
    getAccount: async (id) => getAccount(id),
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
    accountPage: async ({ limit, after = "" }) => pageOf(page.all({ after, limit: limit + 1 }).map(accountOf), limit),
    setEmail: (id, email) =>
      database.durably(() => {
        if (get.get(id) === undefined) {
          return "missing";
        }
        return setEmail.run({ id, email, address: addressOf(email) }).changes === 1 ? "changed" : "email_taken";
      }),
    setPlan: async (id, plan, quota) =>
      (await database.durably(() => setPlan.run({ id, plan, quota: quota ?? null }))).changes === 1,
  };
};

/** Where an account is recorded, with the column of its ID. Its jobs and webhook messages have separate stores. */
const TABLES_OF_ACCOUNTS = [
  ["keys", "account_id"],
  ["key_quotas", "account_id"],
  ["key_uses", "account_id"],
  ["passkeys", "account_id"],
  ["presets", "account_id"],
  ["quotas", "account_id"],
  ["requests", "account_id"],
  ["seats", "account_id"],
  ["sessions", "account_id"],
  ["storages", "account_id"],
  ["use_details", "account_id"],
  ["uses", "account_id"],
  ["accounts", "id"],
] as const;

const ADD_SEAT =
  "INSERT INTO seats (address, account_id) VALUES (:address, :id) ON CONFLICT (address, account_id) DO NOTHING";

const seatsOf = (database: Database): Pick<AccountStore, "seatsOf" | "setTeam"> => {
  const setTeam = database.prepare(`
    UPDATE accounts SET preferences = json_set(preferences, '$.team', json(:team))
    WHERE id = :id AND coalesce(preferences ->> '$.team.version', 0) = :former`);
  const add = database.prepare(ADD_SEAT);
  const remove = database.prepare("DELETE FROM seats WHERE address = :address AND account_id = :id");
  const list = database.prepare("SELECT account_id FROM seats WHERE address = ? ORDER BY account_id");
  return {
    setTeam: (id, team, { added = [], removed = [] }) =>
      database.durably(() => {
        const changes = { id, team: JSON.stringify(team), former: team.version - 1 };
        if (setTeam.run(changes).changes !== 1) {
          return false;
        }
        for (const email of removed) {
          remove.run({ id, address: addressOf(email) });
        }
        for (const email of added) {
          add.run({ id, address: addressOf(email) });
        }
        return true;
      }),
    seatsOf: async (email) => list.all(addressOf(email)).map((row) => textOf(row, "account_id")),
  };
};

type Keys = Pick<AccountStore, "addKey" | "expireKey" | "findKey" | "keysOf" | "limitKey" | "revokeKey">;

const keysOf = (database: Database): Keys => {
  const insert = database.prepare(`
    INSERT INTO keys (hash, id, account_id, prefix, name, scopes, created_at, expires_at, revoked_at, monthly_limit,
      counted_as, origins)
    VALUES (:hash, :id, :accountId, :prefix, :name, :scopes, :createdAt, :expiresAt, :revokedAt, :monthlyLimit,
      :countedAs, :origins)`);
  const limit = database.prepare(
    "UPDATE keys SET monthly_limit = :monthlyLimit, origins = :origins WHERE hash = :hash",
  );
  const find = database.prepare("SELECT * FROM keys WHERE hash = ?");
  const list = database.prepare("SELECT * FROM keys WHERE account_id = ? ORDER BY id");
  const revoke = database.prepare("UPDATE keys SET revoked_at = coalesce(revoked_at, :now) WHERE hash = :hash");
  const expire = database.prepare(
    "UPDATE keys SET expires_at = min(coalesce(expires_at, :at), :at) WHERE hash = :hash",
  );
  const findKey = database.cached("keys", (hash: string) => {
    const row = find.get(hash);
    return row && keyOf(row);
  });
  return {
    addKey: async ({ expiresAt, revokedAt, scopes, monthlyLimit, countedAs, origins, ...key }) => {
      const row = {
        ...key,
        ...limitColumns({ monthlyLimit, origins }),
        countedAs: countedAs ?? null,
        scopes: scopes === undefined ? null : JSON.stringify(scopes),
        expiresAt: expiresAt ?? null,
        revokedAt: revokedAt ?? null,
      };
      await database.durably(() => insert.run(row));
    },
    findKey: async (hash) => findKey(hash),
    keysOf: async (accountId) => list.all(accountId).map(keyOf),
    revokeKey: async (hash, now) => (await database.durably(() => revoke.run({ hash, now }))).changes === 1,
    limitKey: async (hash, limits) =>
      (await database.durably(() => limit.run({ hash, ...limitColumns(limits) }))).changes === 1,
    expireKey: async (hash, at) => (await database.durably(() => expire.run({ hash, at }))).changes === 1,
  };
};

/** Email addresses are case-insensitive. */
const addressOf = (email: string): string => email.toLowerCase();

const accountOf = (row: Row): Account => {
  const [plan, quota] = [textOf(row, "plan"), optionalIntegerOf(row, "quota")];
  const visitorUntil = optionalIntegerOf(row, "visitor_until");
  if (!isPlanId(plan)) {
    throw new TypeError(`Account ${textOf(row, "id")} has the unknown plan ${plan}.`);
  }
  return {
    id: textOf(row, "id"),
    email: textOf(row, "email"),
    plan,
    ...(quota !== undefined && { quota }),
    ...preferencesOf(row),
    ...(visitorUntil !== undefined && { visitorUntil }),
    createdAt: integerOf(row, "created_at"),
  };
};

/** The fields of an account that are stored in one column, as JSON. */
type Preferences = Pick<Account, keyof AccountChanges | "team">;

/** Only this store writes the column, so its content matches the type. */
const preferencesOf = (row: Row): Preferences => JSON.parse(textOf(row, "preferences")) as Preferences;

const hasEndpoints = (preferences: Preferences, from: Preferences): boolean =>
  isDeepStrictEqual(preferences.webhookEndpoints, from.webhookEndpoints);

/** @returns the preferences with the changes: null removes a preference, undefined keeps it */
const changed = (preferences: Preferences, changes: AccountChanges): Preferences => {
  const named = Object.entries(changes).filter(([, value]) => value !== undefined);
  const kept = Object.entries({ ...preferences, ...Object.fromEntries(named) }).filter(([, value]) => value !== null);
  return Object.fromEntries(kept);
};

const limitColumns = ({ monthlyLimit, origins }: { readonly [Name in keyof KeyLimits]: ApiKey[Name] | undefined }) => ({
  monthlyLimit: monthlyLimit ?? null,
  origins: origins === undefined ? null : JSON.stringify(origins),
});

const keyOf = (row: Row): ApiKey => {
  const monthlyLimit = optionalIntegerOf(row, "monthly_limit");
  const [expiresAt, revokedAt] = [optionalIntegerOf(row, "expires_at"), optionalIntegerOf(row, "revoked_at")];
  return {
    id: textOf(row, "id"),
    accountId: textOf(row, "account_id"),
    hash: textOf(row, "hash"),
    prefix: textOf(row, "prefix"),
    name: textOf(row, "name"),
    ...(typeof row.scopes === "string" && { scopes: JSON.parse(row.scopes) as ApiKey["scopes"] & object }),
    ...(monthlyLimit !== undefined && { monthlyLimit }),
    ...(typeof row.counted_as === "string" && { countedAs: row.counted_as }),
    ...(typeof row.origins === "string" && { origins: JSON.parse(row.origins) as ApiKey["origins"] & object }),
    createdAt: integerOf(row, "created_at"),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(revokedAt !== undefined && { revokedAt }),
  };
};
