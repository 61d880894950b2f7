import { useKinds } from "../../../functions/domain/accounts/quotas.ts";
import type { TransferContext } from "./export-accounts.ts";
import { differences, type Entry } from "./read-records.ts";
import type { MonthRecord } from "./records.ts";

/** How a record of a file compares with the stored one. */
export type Comparison =
  | { readonly outcome: "missing" | "unchanged" }
  | { readonly outcome: "conflict"; readonly detail: string };

/** @returns how the record compares; a conflict names the properties that differ, but not their values */
export const comparison = async (context: TransferContext, entry: Entry): Promise<Comparison> => {
  const { accounts, presets, sessions } = context;
  switch (entry.type) {
    case "account":
      return compareAccount(context, entry.account);
    case "key": {
      const { key } = entry;
      return compare(`key ${key.id}`, await accounts.findKey(key.hash), key);
    }
    case "passkey":
      return comparePasskey(await sessions.findPasskey(entry.passkey.id), entry.passkey);
    case "preset": {
      const { preset } = entry;
      return compare(`preset ${preset.name}`, await presets.getPreset(preset.accountId, preset.name), preset);
    }
    default:
      return compareMonth(context, entry);
  }
};

const compare = (name: string, stored: object | undefined, record: object): Comparison => {
  if (stored === undefined) {
    return { outcome: "missing" };
  }
  const different = differences(stored, record);
  return different.length === 0
    ? { outcome: "unchanged" }
    : { outcome: "conflict", detail: `The ${name} exists with a different ${different.join(", ")}.` };
};

const compareAccount = async (
  { accounts }: TransferContext,
  account: Extract<Entry, { type: "account" }>["account"],
): Promise<Comparison> => {
  const stored = await accounts.getAccount(account.id);
  const other = stored === undefined ? await accounts.findByEmail(account.email) : undefined;
  return other === undefined
    ? compare(`account ${account.id}`, stored, account)
    : { outcome: "conflict", detail: `The address of account ${account.id} belongs to account ${other.id}.` };
};

type Passkey = Extract<Entry, { type: "passkey" }>["passkey"];

/** A stored passkey may have been used since the export. */
const comparePasskey = (stored: Passkey | undefined, passkey: Passkey): Comparison => {
  const { counter, lastUsedAt, ...rest } = passkey;
  const isLater = stored !== undefined && stored.counter >= counter && (stored.lastUsedAt ?? 0) >= (lastUsedAt ?? 0);
  return isLater
    ? compare(`passkey ${passkey.name}`, { ...stored, counter, lastUsedAt }, { ...rest, counter, lastUsedAt })
    : compare(`passkey ${passkey.name}`, stored, passkey);
};

/** Stored counts that include the imported ones are the same month after further requests. */
const compareMonth = async (
  { quotas }: TransferContext,
  { accountId, month, used, days }: MonthRecord,
): Promise<Comparison> => {
  const stored = await quotas.useOf(accountId, month);
  if (stored.used === 0 && stored.days.size === 0) {
    return { outcome: "missing" };
  }
  const includes =
    stored.used >= used &&
    days.every(([day, counts]) => useKinds.every((kind) => (stored.days.get(day)?.[kind] ?? 0) >= (counts[kind] ?? 0)));
  return includes
    ? { outcome: "unchanged" }
    : { outcome: "conflict", detail: `Account ${accountId} already has a different usage of ${month}.` };
};
