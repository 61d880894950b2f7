import type { TransferContext } from "./export-accounts.ts";
import { TransferError } from "./lines.ts";
import { type Entry, emptyTally, entriesOf, tallied } from "./read-records.ts";
import type { Counts } from "./records.ts";
import { comparison } from "./stored-records.ts";

/** Conflicts that an error lists. */
const CONFLICTS_MAX = 20;

/** What an import has added, and what existed already. */
export interface Imported {
  readonly added: Counts;
  readonly unchanged: Counts;
}

/**
 * Imports the accounts of a file. The complete file is checked first, and nothing is written if a record is invalid or
 * conflicts with a stored one. A repeated import adds what is missing.
 *
 * @param dryRun whether only to check. @returns what was added, or would be
 * @throws TransferError with the lines that are invalid or in conflict
 */
export const importAccounts = async (
  context: TransferContext,
  path: string,
  { dryRun }: { readonly dryRun: boolean },
): Promise<Imported> => {
  const checked = await check(context, path);
  if (dryRun) {
    return checked;
  }
  for await (const { entry, number } of entriesOf(path)) {
    const { outcome } = await comparison(context, entry);
    if (outcome === "conflict" || (outcome === "missing" && !(await add(context, entry)))) {
      throw new TransferError(`Line ${number}: changed by another process during the import. Import the file again.`);
    }
  }
  return checked;
};

const check = async (context: TransferContext, path: string): Promise<Imported> => {
  const [added, unchanged] = [emptyTally(), emptyTally()];
  const conflicts: string[] = [];
  for await (const { entry, number } of entriesOf(path)) {
    const compared = await comparison(context, entry);
    if (compared.outcome !== "conflict") {
      (compared.outcome === "missing" ? added : unchanged)[tallied[entry.type]] += 1;
      continue;
    }
    conflicts.push(`Line ${number}: ${compared.detail}`);
    if (conflicts.length === CONFLICTS_MAX) {
      break;
    }
  }
  if (conflicts.length > 0) {
    throw new TransferError(`Nothing was imported. Records that conflict with stored ones:\n${conflicts.join("\n")}`);
  }
  return { added, unchanged };
};

/** @returns whether it was added: another process did not add it first */
const add = async (
  { accounts, keyUses, presets, quotas, sessions }: TransferContext,
  entry: Entry,
): Promise<boolean> => {
  switch (entry.type) {
    case "account":
      return (await accounts.createAccount(entry.account)) === "created";
    case "key":
      await accounts.addKey(entry.key);
      if (entry.lastUsedAt !== undefined) {
        await keyUses.note(entry.key.accountId, entry.key.id, entry.lastUsedAt);
      }
      return true;
    case "passkey":
      return sessions.addPasskey(entry.passkey);
    case "preset":
      await presets.savePreset(entry.preset);
      return true;
    default:
      return quotas.addMonth(entry.accountId, entry.month, { used: entry.used, days: new Map(entry.days) });
  }
};
