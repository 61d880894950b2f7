import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dynamoAccounts } from "../../../functions/adapters/dynamo/accounts.ts";
import { dynamoKeyUses } from "../../../functions/adapters/dynamo/key-uses.ts";
import { dynamoPresets } from "../../../functions/adapters/dynamo/presets.ts";
import { dynamoQuotas } from "../../../functions/adapters/dynamo/quotas/quotas.ts";
import { dynamoSessions } from "../../../functions/adapters/dynamo/sessions.ts";
import type { Account } from "../../../functions/domain/accounts/plans.ts";
import type { Preset } from "../../../functions/domain/pipelines/preset.ts";
import { exportAccounts, type TransferContext } from "../../../local/accounts/transfer/export-accounts.ts";
import { importAccounts } from "../../../local/accounts/transfer/import-accounts.ts";
import { sqliteAccounts } from "../../../local/sqlite/accounts.ts";
import { type Database, openDatabase } from "../../../local/sqlite/database.ts";
import { sqliteKeyUses } from "../../../local/sqlite/key-uses.ts";
import { sqlitePresets } from "../../../local/sqlite/pipelines.ts";
import { sqliteQuotas } from "../../../local/sqlite/quotas.ts";
import { sqliteSessions } from "../../../local/sqlite/sessions.ts";
import { passkeyRecord } from "../../support/browser/people.ts";
import { emptyDynamo, useEmulators } from "../../support/emulators/emulator-suite.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";
import { accountRecord, keyRecord, NOW, quotaRecord } from "../../support/world/records.ts";

const emulators = useEmulators();
const MINUTE_MS = 60_000;

let folder: TemporaryFolder;
let databases: Database[];
beforeEach(() => {
  [folder, databases] = [temporaryFolder(), []];
});
afterEach(async () => {
  for (const database of databases) {
    database.close();
  }
  await folder.remove();
});

const machine = (): TransferContext => {
  const database = openDatabase(temporaryFolder(folder.path).path);
  databases.push(database);
  return {
    accounts: sqliteAccounts(database),
    keyUses: sqliteKeyUses(database),
    presets: sqlitePresets(database),
    quotas: sqliteQuotas(database),
    sessions: sqliteSessions(database),
    clock: () => NOW,
  };
};

const aws = async (): Promise<TransferContext> => {
  const dynamo = await emptyDynamo(emulators());
  return {
    accounts: dynamoAccounts(dynamo),
    keyUses: dynamoKeyUses(dynamo),
    presets: dynamoPresets(dynamo),
    quotas: dynamoQuotas(dynamo),
    sessions: dynamoSessions(dynamo),
    clock: () => NOW,
  };
};

const file = (name = "accounts.jsonl") => join(folder.path, name);

const full: Account = accountRecord({
  email: "Ada@example.com",
  plan: "enterprise",
  quota: 1_000_000,
  retentionHours: 0,
  webhookUrl: "https://example.com/hook",
  webhookSecrets: [
    { secret: "whsec_new", createdAt: NOW },
    { secret: "whsec_old", createdAt: NOW - 1, expiresAt: NOW + 1 },
  ],
  planPicked: true,
  request: { plan: "api", at: NOW, note: "more" },
  billing: { customerId: "cus_1", subscriptionId: "sub_1", status: "past_due", paidUntil: NOW, endsThen: true },
  createdAt: Date.UTC(2026, 8, 3),
});
const key = keyRecord({ accountId: full.id, scopes: ["convert"], expiresAt: NOW + 1, revokedAt: NOW });
const passkey = passkeyRecord({ accountId: full.id });
const preset: Preset = {
  accountId: full.id,
  name: "web-photo",
  targetFormat: "webp",
  options: { width: 1_600 },
  steps: [{ operation: "compress" }],
  updatedAt: NOW,
};
const visitor = accountRecord({ email: "visitor@example.com", visitorUntil: NOW + 1 });

/** Two accounts, one with everything that an account can have, and a visitor. */
const furnish = async ({ accounts, keyUses, presets, quotas, sessions }: TransferContext): Promise<void> => {
  for (const account of [full, plain, visitor]) {
    await accounts.createAccount(account);
  }
  await accounts.addKey(key);
  await keyUses.note(full.id, key.id, NOW - (NOW % MINUTE_MS));
  await sessions.addPasskey(passkey);
  await presets.savePreset(preset);
  for (const month of ["2026-10", "2026-11", "2026-11"]) {
    await quotas.take(quotaRecord(full.id, full.quota ?? 0, month));
  }
};
const plain = accountRecord({ email: "plain@example.com" });

const everythingIn = async ({ accounts, keyUses, presets, quotas, sessions }: TransferContext) => ({
  account: await accounts.getAccount(full.id),
  found: (await accounts.findByEmail("ada@EXAMPLE.com"))?.id,
  plain: await accounts.getAccount(plain.id),
  visitor: await accounts.getAccount(visitor.id),
  key: await accounts.findKey(key.hash),
  keys: await accounts.keysOf(full.id),
  used: await keyUses.of(full.id, [key.id]),
  passkey: await sessions.findPasskey(passkey.id),
  presets: await presets.presetsOf(full.id),
  months: await Promise.all(["2026-09", "2026-10", "2026-11"].map((month) => quotas.useOf(full.id, month))),
});

const COUNTS = { accounts: 2, keys: 1, passkeys: 1, presets: 1, months: 2 };
const NOTHING = { accounts: 0, keys: 0, passkeys: 0, presets: 0, months: 0 };

describe.each([
  ["one machine to AWS", machine, aws],
  ["AWS to one machine", aws, machine],
])("accounts from %s", (_way, from, to) => {
  it("keep everything but visitors, in a file that only its owner can read", async () => {
    const [source, target] = [await from(), await to()];
    await furnish(source);
    expect(await exportAccounts(source, file())).toEqual(COUNTS);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(await importAccounts(target, file(), { dryRun: true })).toEqual({ added: COUNTS, unchanged: NOTHING });
    expect(await target.accounts.getAccount(full.id)).toBeUndefined();
    expect(await importAccounts(target, file(), { dryRun: false })).toEqual({ added: COUNTS, unchanged: NOTHING });
    expect(await everythingIn(target)).toEqual({ ...(await everythingIn(source)), visitor: undefined });
    expect(await importAccounts(target, file(), { dryRun: false })).toEqual({ added: NOTHING, unchanged: COUNTS });
  });

  it("are completed by a second import when the first was interrupted, and used in the meantime", async () => {
    const [source, target] = [await from(), await to()];
    await furnish(source);
    await exportAccounts(source, file());
    await target.accounts.createAccount(full);
    await target.quotas.addMonth(full.id, "2026-11", await source.quotas.useOf(full.id, "2026-11"));
    await target.quotas.take(quotaRecord(full.id, 1_000_000));
    await target.sessions.addPasskey({ ...passkey, counter: passkey.counter + 1, lastUsedAt: NOW + 5 });
    const { added } = await importAccounts(target, file(), { dryRun: false });
    expect(added).toEqual({ accounts: 1, keys: 1, passkeys: 0, presets: 1, months: 1 });
    expect(await target.quotas.used(full.id, "2026-11")).toBe(3);
    expect((await target.sessions.findPasskey(passkey.id))?.counter).toBe(passkey.counter + 1);
  });

  it("are refused if one conflicts with a stored one, and nothing is imported", async () => {
    const [source, target] = [await from(), await to()];
    await furnish(source);
    await exportAccounts(source, file());
    await target.accounts.createAccount({ ...full, plan: "api", webhookUrl: "https://example.com/secret" });
    await target.accounts.addKey({ ...key, revokedAt: NOW - 1 });
    await target.quotas.addMonth(full.id, "2026-11", { used: 1, days: new Map() });
    await target.accounts.createAccount(accountRecord({ id: "acc_other", email: "PLAIN@example.com" }));
    const refusal = await importAccounts(target, file(), { dryRun: false }).catch(String);
    expect(refusal).toContain(`The account ${full.id} exists with a different plan, webhookUrl.`);
    expect(refusal).toContain(`The key ${key.id} exists with a different revokedAt.`);
    expect(refusal).toContain(`Account ${full.id} already has a different usage of 2026-11.`);
    expect(refusal).toContain(`The address of account ${plain.id} belongs to account acc_other.`);
    expect(refusal).not.toContain("example.com/secret");
    expect(await target.sessions.findPasskey(passkey.id)).toBeUndefined();
    expect(await target.accounts.getAccount(plain.id)).toBeUndefined();
  });
});

describe("a file of accounts", () => {
  const exported = async (): Promise<string[]> => {
    const source = machine();
    await furnish(source);
    await exportAccounts(source, file());
    return readFileSync(file(), "utf8").trimEnd().split("\n");
  };

  const refusalOf = async (lines: readonly string[], end = "\n"): Promise<string> => {
    const [target, path] = [machine(), file("changed.jsonl")];
    writeFileSync(path, lines.join("\n") + end);
    const refusal = await importAccounts(target, path, { dryRun: false }).then(() => "imported", String);
    expect(await target.accounts.getAccount(full.id)).toBeUndefined();
    return refusal;
  };

  it("is refused if it is truncated, at a line or within one", async () => {
    const lines = await exported();
    expect(await refusalOf(lines.slice(0, -1))).toContain("The file is truncated");
    expect(await refusalOf(lines, "")).toContain("The file is truncated");
    expect(await refusalOf([], "")).toContain("The file is truncated");
  });

  it("of the first version, which has no presets, is imported", async () => {
    const [source, target] = [machine(), machine()];
    await furnish(source);
    await exportAccounts(source, file());
    const text = readFileSync(file(), "utf8")
      .replace('"version":2', '"version":1')
      .replace(/^\{"type":"preset".*\n/m, "")
      .replace('"presets":1,', "");
    writeFileSync(file("first.jsonl"), text);
    const { added } = await importAccounts(target, file("first.jsonl"), { dryRun: false });
    expect(added).toEqual({ ...COUNTS, presets: 0 });
  });

  it("is refused if a line is missing, duplicate, foreign, invalid, too long or of another version", async () => {
    const lines = await exported();
    const [header = "", ...rest] = lines;
    const at = (type: string) => lines.findIndex((line) => line.startsWith(`{"type":"${type}"`));
    const line = (type: string) => lines[at(type)] ?? "";
    expect(await refusalOf(rest)).toContain("Line 1: an export of accounts has one header");
    expect(await refusalOf([header.replace('"version":2', '"version":3'), ...rest])).toContain(
      "Line 1: Invalid record: version",
    );
    expect(await refusalOf(lines.toSpliced(at("key"), 1))).toContain("the stated number of keys");
    expect(await refusalOf([...lines, line("account")])).toContain("ends with its end");
    expect(await refusalOf(lines.toSpliced(-1, 0, line("account")))).toContain("the same email address");
    const foreign = line("passkey").replace(full.id, plain.id);
    expect(await refusalOf(lines.with(at("passkey"), foreign))).toContain("does not belong to the account before it");
    expect(await refusalOf(lines.with(at("key"), "{}"))).toContain(`Line ${at("key") + 1}: Invalid record`);
    expect(await refusalOf(lines.with(at("key"), "key"))).toContain("the line is not JSON");
    const unknown = line("key").replace('"name"', '"alias":1,"name"');
    expect(await refusalOf(lines.with(at("key"), unknown))).toContain("Invalid record: key");
    expect(await refusalOf(lines.with(at("key"), " ".repeat(200_000)))).toContain("is longer than 65536 bytes");
  });

  it("does not replace an existing file, and is deleted if the export fails", async () => {
    const source = machine();
    await furnish(source);
    appendFileSync(file(), "mine");
    await expect(exportAccounts(source, file())).rejects.toThrow("The file already exists.");
    expect(readFileSync(file(), "utf8")).toBe("mine");
    const failing = {
      ...source,
      sessions: { ...source.sessions, passkeysOf: () => Promise.reject(new Error("No disk")) },
    };
    await expect(exportAccounts(failing, file("other.jsonl"))).rejects.toThrow("No disk");
    expect(() => statSync(file("other.jsonl"))).toThrow("ENOENT");
    await expect(importAccounts(source, file("other.jsonl"), { dryRun: true })).rejects.toThrow("No such file");
  });
});
