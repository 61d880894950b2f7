import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AccountStore } from "../../../functions/domain/accounts/account-ports.ts";
import type { ApiKey } from "../../../functions/domain/accounts/keys.ts";
import type { Account } from "../../../functions/domain/accounts/plans.ts";
import { accountRecord, endpointRecord, keyRecord, NOW } from "../../support/world/records.ts";
import { describeTeams } from "./account-teams.ts";

export interface AccountStoreHarness {
  readonly accounts: AccountStore;
  close(): Promise<void>;
}

/** The contract of every AccountStore. `make` returns an empty store; it is called before each test. */
export const accountStoreContract = (name: string, make: () => Promise<AccountStoreHarness>): void => {
  describe(`${name} as AccountStore`, () => {
    let store: AccountStore;
    let close: () => Promise<void>;
    beforeEach(async () => {
      const harness = await make();
      store = harness.accounts;
      close = () => harness.close();
    });
    afterEach(() => close());

    describeAccounts(() => store);
    describeChanges(() => store);
    describeAddresses(() => store);
    describeErasure(() => store);
    describeTeams(() => store);
    describeKeys(() => store);
    describeExpiry(() => store);
  });
};

const describeAccounts = (store: () => AccountStore): void => {
  it("returns an account as it was added, with and without a quota", async () => {
    const [plain, large] = [accountRecord(), accountRecord({ plan: "enterprise", quota: 250_000 })];
    expect(await store().createAccount(plain)).toBe("created");
    expect(await store().createAccount(large)).toBe("created");
    expect(await store().getAccount(plain.id)).toEqual(plain);
    expect(await store().getAccount(large.id)).toEqual(large);
  });

  it("returns undefined for an account that was never added", async () => {
    expect(await store().getAccount(accountRecord().id)).toBeUndefined();
  });

  it("rejects an address of another account, in any case, and adds nothing", async () => {
    const first = accountRecord({ email: "Ada.Lovelace@Example.com" });
    const second = accountRecord({ email: "ada.lovelace@EXAMPLE.com" });
    await store().createAccount(first);
    expect(await store().createAccount(second)).toBe("email_taken");
    expect(await store().getAccount(second.id)).toBeUndefined();
    expect(await all(store())).toEqual([first]);
  });

  it("assigns an address to one of 20 concurrent accounts", async () => {
    const wanting = Array.from({ length: 20 }, () => accountRecord({ email: "ada@example.com" }));
    const outcomes = await Promise.all(wanting.map((account) => store().createAccount(account)));
    expect(outcomes.filter((outcome) => outcome === "created")).toHaveLength(1);
    expect(await all(store())).toHaveLength(1);
  });

  it("lists every account once", async () => {
    const accounts = Array.from({ length: 120 }, () => accountRecord());
    for (const account of accounts) {
      await store().createAccount(account);
    }
    await store().addKey(keyRecord({ accountId: accounts[0]?.id ?? "" }));
    const listed = await all(store());
    expect(listed.map(({ id }) => id).sort()).toEqual(accounts.map(({ id }) => id).sort());
  });

  it("lists nothing if there are no accounts", async () => {
    expect(await all(store())).toEqual([]);
  });

  it("sets a plan with a quota, and removes the quota again", async () => {
    const account = accountRecord();
    await store().createAccount(account);
    expect(await store().setPlan(account.id, "enterprise", 1_000_000)).toBe(true);
    expect(await store().getAccount(account.id)).toEqual({ ...account, plan: "enterprise", quota: 1_000_000 });
    expect(await store().setPlan(account.id, "api", undefined)).toBe(true);
    expect(await store().getAccount(account.id)).toStrictEqual({ ...account, plan: "api" });
  });

  it("changes the endpoints of an account only if they are those that the change is based on", async () => {
    const account = accountRecord();
    await store().createAccount(account);
    const [one, two] = [endpointRecord(), endpointRecord({ enabled: false, description: "backup" })];
    expect(await store().change(account.id, { webhookEndpoints: [one] }, { webhookEndpoints: [two] })).toBe(false);
    expect(await store().change(account.id, { webhookEndpoints: [one] }, {})).toBe(true);
    expect(await store().change(account.id, { webhookEndpoints: [] }, {})).toBe(false);
    const from = { webhookEndpoints: [one] };
    const all = [one, two].map((each) => store().change(account.id, { webhookEndpoints: [one, each] }, from));
    expect((await Promise.all(all)).filter(Boolean)).toHaveLength(1);
    expect((await store().getAccount(account.id))?.webhookEndpoints).toHaveLength(2);
    expect(await store().change(accountRecord().id, { webhookEndpoints: [one] }, {})).toBe(false);
  });

  it("does not set a plan of a missing account, and adds none", async () => {
    const { id } = accountRecord();
    expect(await store().setPlan(id, "api", undefined)).toBe(false);
    expect(await store().getAccount(id)).toBeUndefined();
  });
};

const describeAddresses = (store: () => AccountStore): void => {
  it("replaces the address of an account, and frees the previous one", async () => {
    const account = accountRecord({ email: "ada@example.com" });
    await store().createAccount(account);
    expect(await store().setEmail(account.id, "Ada@new.example")).toBe("changed");
    expect(await store().findByEmail("ada@NEW.example")).toStrictEqual({ ...account, email: "Ada@new.example" });
    expect(await store().findByEmail("ada@example.com")).toBeUndefined();
    expect(await store().setEmail(account.id, "ADA@new.example")).toBe("changed");
    expect(await store().createAccount(accountRecord({ email: "ada@example.com" }))).toBe("created");
  });

  it("does not take the address of another account, nor set one of a missing account", async () => {
    const [one, other] = [accountRecord({ email: "one@example.com" }), accountRecord({ email: "other@example.com" })];
    await store().createAccount(one);
    await store().createAccount(other);
    expect(await store().setEmail(one.id, "OTHER@example.com")).toBe("email_taken");
    expect(await store().getAccount(one.id)).toStrictEqual(one);
    expect(await store().findByEmail("other@example.com")).toStrictEqual(other);
    expect(await store().setEmail(accountRecord().id, "free@example.com")).toBe("missing");
    expect(await store().findByEmail("free@example.com")).toBeUndefined();
  });
};

const describeErasure = (store: () => AccountStore): void => {
  it("erases an account with its address and keys, and nothing else", async () => {
    const [one, other] = [accountRecord({ email: "one@example.com" }), accountRecord()];
    const kept = keyRecord({ accountId: other.id });
    await store().createAccount(one);
    await store().createAccount(other);
    const keys = Array.from({ length: 30 }, () => keyRecord({ accountId: one.id }));
    for (const key of [...keys, kept]) {
      await store().addKey(key);
    }
    await store().erase(one.id);
    await store().erase(one.id);
    expect(await all(store())).toEqual([other]);
    expect(await store().findByEmail("one@example.com")).toBeUndefined();
    expect(await Promise.all(keys.map(({ hash }) => store().findKey(hash)))).toEqual(keys.map(() => undefined));
    expect(await store().findKey(kept.hash)).toStrictEqual(kept);
    expect(await store().createAccount(accountRecord({ email: "one@example.com" }))).toBe("created");
  });
};

const describeChanges = (store: () => AccountStore): void => {
  const billing = { customerId: "cus_1", subscriptionId: "sub_1", status: "active", paidUntil: NOW } as const;

  it("stores all fields of an account", async () => {
    const full = accountRecord({
      quota: 7,
      retentionHours: 0,
      webhookSecrets: [{ secret: "whsec_a", createdAt: NOW }],
      webhookUrl: "https://example.com/hook",
      planPicked: true,
      request: { plan: "api", at: NOW, note: "für 3 Läden" },
      billing,
    });
    const visitor = accountRecord({ email: "acc_1@visitors.invalid", planPicked: false, visitorUntil: NOW + 5 });
    for (const account of [full, visitor]) {
      await store().createAccount(account);
      expect(await store().getAccount(account.id)).toStrictEqual(account);
    }
  });

  it("finds the current account by its address, in any case", async () => {
    const account = accountRecord({ email: "Ada.Lovelace@Example.com" });
    await store().createAccount(account);
    await store().setPlan(account.id, "api", undefined);
    expect(await store().findByEmail("ada.LOVELACE@example.com")).toStrictEqual({ ...account, plan: "api" });
    expect(await store().findByEmail("grace@example.com")).toBeUndefined();
    expect(await store().findByEmail("")).toBeUndefined();
  });

  it("changes only the given fields, each separately", async () => {
    const account = accountRecord();
    await store().createAccount(account);
    const webhookSecrets = [
      { secret: "whsec_b", createdAt: NOW },
      { secret: "whsec_a", createdAt: 1, expiresAt: NOW + 5 },
    ];
    expect(await store().change(account.id, { retentionHours: 0, planPicked: true })).toBe(true);
    expect(await store().change(account.id, { webhookSecrets })).toBe(true);
    expect(await store().change(account.id, { webhookUrl: "https://example.com/hook" })).toBe(true);
    const changed = { ...account, retentionHours: 0, planPicked: true, webhookSecrets };
    expect(await store().getAccount(account.id)).toStrictEqual({ ...changed, webhookUrl: "https://example.com/hook" });
    expect(await store().setPlan(account.id, "api", undefined)).toBe(true);
    expect(await store().getAccount(account.id)).toMatchObject({ plan: "api", retentionHours: 0, webhookSecrets });
  });

  it("removes null fields, sets the others in the same change, and replaces complete values", async () => {
    const account = accountRecord();
    await store().createAccount(account);
    await store().change(account.id, { billing, request: { plan: "api", at: NOW, note: "soon" }, retentionHours: 3 });
    const ended = { customerId: "cus_1", subscriptionId: "sub_2", status: "ended" } as const;
    expect(await store().change(account.id, { billing: ended, request: null, webhookUrl: null })).toBe(true);
    expect(await store().getAccount(account.id)).toStrictEqual({ ...account, billing: ended, retentionHours: 3 });
    expect(await store().change(account.id, { billing: null, retentionHours: null })).toBe(true);
    expect(await store().getAccount(account.id)).toStrictEqual(account);
  });

  it("does not change or add a missing account", async () => {
    const { id } = accountRecord();
    for (const changes of [{ retentionHours: 1 }, { request: null }, {}]) {
      expect(await store().change(id, changes)).toBe(false);
    }
    expect(await store().getAccount(id)).toBeUndefined();
  });

  it("reports an existing account for an empty change", async () => {
    const account = accountRecord();
    await store().createAccount(account);
    expect(await store().change(account.id, {})).toBe(true);
    expect(await store().getAccount(account.id)).toStrictEqual(account);
  });
};

const describeKeys = (store: () => AccountStore): void => {
  it("returns the limits of a key, replaces them, and removes them", async () => {
    const limits = { monthlyLimit: 100, origins: ["https://example.com"] };
    const key = keyRecord({ ...limits, countedAs: "key_first" });
    await store().addKey(key);
    expect(await store().findKey(key.hash)).toStrictEqual(key);
    expect(await store().limitKey(key.hash, { origins: ["https://a.example", "https://b.example"] })).toBe(true);
    const { monthlyLimit: _, ...rest } = key;
    const changed = { ...rest, origins: ["https://a.example", "https://b.example"] };
    expect(await store().findKey(key.hash)).toStrictEqual(changed);
    expect(await store().limitKey(key.hash, {})).toBe(true);
    const { origins: __, ...free } = changed;
    expect(await store().keysOf(key.accountId)).toStrictEqual([free]);
    expect(await store().limitKey(keyRecord().hash, limits)).toBe(false);
  });

  it("finds a key by its hash as it was added, with and without an expiry", async () => {
    const [plain, expiring] = [keyRecord(), keyRecord({ expiresAt: NOW + 60_000, name: "CI – Köln" })];
    await store().addKey(plain);
    await store().addKey(expiring);
    expect(await store().findKey(plain.hash)).toStrictEqual(plain);
    expect(await store().findKey(expiring.hash)).toStrictEqual(expiring);
  });

  it("finds no key for an unknown hash", async () => {
    expect(await store().findKey(keyRecord().hash)).toBeUndefined();
  });

  it("lists only the keys of an account, including revoked ones", async () => {
    const { id: accountId } = accountRecord();
    const keys = [keyRecord({ accountId }), keyRecord({ accountId })] as const;
    for (const key of [...keys, keyRecord()]) {
      await store().addKey(key);
    }
    await store().revokeKey(keys[0].hash, NOW + 5);
    expect(byId(await store().keysOf(accountId))).toEqual(byId([{ ...keys[0], revokedAt: NOW + 5 }, keys[1]]));
    expect(await store().keysOf(accountRecord().id)).toEqual([]);
  });

  it("reports a revoked key immediately, and a second revocation keeps the first time", async () => {
    const key = keyRecord();
    await store().addKey(key);
    expect(await store().revokeKey(key.hash, NOW + 1)).toBe(true);
    expect(await store().findKey(key.hash)).toEqual({ ...key, revokedAt: NOW + 1 });
    expect(await store().revokeKey(key.hash, NOW + 2)).toBe(true);
    expect(await store().findKey(key.hash)).toEqual({ ...key, revokedAt: NOW + 1 });
  });

  it("returns a key with its permissions", async () => {
    const key = keyRecord({ scopes: ["upload", "read"] });
    await store().addKey(key);
    expect(await store().findKey(key.hash)).toStrictEqual(key);
  });

  it("does not revoke or add a missing key", async () => {
    const { hash } = keyRecord();
    expect(await store().revokeKey(hash, NOW)).toBe(false);
    expect(await store().findKey(hash)).toBeUndefined();
  });
};

const describeExpiry = (store: () => AccountStore): void => {
  it("sets the expiry of a key, and keeps an earlier expiry", async () => {
    const [endless, later, sooner] = [
      keyRecord(),
      keyRecord({ expiresAt: NOW + 9 }),
      keyRecord({ expiresAt: NOW + 2 }),
    ];
    for (const key of [endless, later, sooner]) {
      await store().addKey(key);
      expect(await store().expireKey(key.hash, NOW + 5)).toBe(true);
    }
    const found = await Promise.all([endless, later, sooner].map(({ hash }) => store().findKey(hash)));
    expect(found.map((key) => key?.expiresAt)).toEqual([NOW + 5, NOW + 5, NOW + 2]);
    expect(found[0]).toStrictEqual({ ...endless, expiresAt: NOW + 5 });
  });

  it("pages through all accounts, each once", async () => {
    const accounts = Array.from({ length: 5 }, () => accountRecord());
    for (const account of accounts) {
      await store().createAccount(account);
    }
    const found: string[] = [];
    let after: string | undefined;
    do {
      const { items, next } = await store().accountPage({ limit: 2, ...(after !== undefined && { after }) });
      found.push(...items.map(({ id }) => id));
      after = next;
    } while (after !== undefined);
    expect(found).toHaveLength(new Set(found).size);
    expect(found).toEqual(expect.arrayContaining(accounts.map(({ id }) => id)));
  });

  it("does not expire or add a missing key", async () => {
    const { hash } = keyRecord();
    expect(await store().expireKey(hash, NOW)).toBe(false);
    expect(await store().findKey(hash)).toBeUndefined();
  });
};

const all = async (store: AccountStore): Promise<Account[]> => {
  const accounts: Account[] = [];
  for await (const account of store.listAccounts()) {
    accounts.push(account);
  }
  return accounts;
};

const byId = (keys: readonly ApiKey[]): ApiKey[] => [...keys].sort((one, other) => one.id.localeCompare(other.id));
