import type { Account } from "../../../functions/domain/accounts/plans.ts";
import { monthBefore, monthOf } from "../../../functions/domain/accounts/quotas.ts";
import { USE_RETENTION_MONTHS } from "../../../functions/domain/limits.ts";
import type { Context } from "../../../functions/domain/ports.ts";
import { writeLines } from "./lines.ts";
import { emptyTally, type Tally } from "./read-records.ts";
import { type Counts, FORMAT, parseRecord, type TransferRecord, VERSION } from "./records.ts";

export type TransferContext = Pick<Context, "accounts" | "clock" | "keyUses" | "presets" | "quotas" | "sessions">;

/**
 * Writes all accounts to a new file, which only its owner can read: keys and passkeys are public or hashed, but the
 * secrets of webhooks are readable. Accounts of visitors expire within a day and are omitted.
 *
 * @returns the number of records
 */
export const exportAccounts = async (context: TransferContext, path: string): Promise<Counts> => {
  const counts = emptyTally();
  await writeLines(path, linesOf(recordsOf(context, counts)));
  return counts;
};

async function* linesOf(records: AsyncIterable<TransferRecord>): AsyncGenerator<string> {
  for await (const record of records) {
    const line = JSON.stringify(record);
    // An import would reject the file, so a record of another release fails here.
    parseRecord(line);
    yield line;
  }
}

async function* recordsOf(context: TransferContext, counts: Tally): AsyncGenerator<TransferRecord> {
  const at = context.clock();
  yield { type: "header", format: FORMAT, version: VERSION, at };
  for await (const account of context.accounts.listAccounts()) {
    if (account.visitorUntil !== undefined) {
      continue;
    }
    counts.accounts += 1;
    yield { type: "account", account };
    const keys = await keysOf(context, account.id);
    counts.keys += keys.length;
    yield* keys;
    const passkeys = await context.sessions.passkeysOf(account.id);
    counts.passkeys += passkeys.length;
    yield* passkeys.map((passkey) => ({ type: "passkey", passkey }) as const);
    const presets = await context.presets.presetsOf(account.id);
    counts.presets += presets.length;
    yield* presets.map((preset) => ({ type: "preset", preset }) as const);
    for await (const month of monthsOf(context, account, at)) {
      counts.months += 1;
      yield month;
    }
  }
  yield { type: "end", ...counts };
}

const keysOf = async ({ accounts, keyUses }: TransferContext, accountId: string) => {
  const keys = await accounts.keysOf(accountId);
  const uses = await keyUses.of(
    accountId,
    keys.map(({ id }) => id),
  );
  return keys.map((key) => {
    const lastUsedAt = uses.get(key.id);
    return { type: "key", key, ...(lastUsedAt !== undefined && { lastUsedAt }) } as const;
  });
};

/** The months since the account was created whose usage is kept; without those without usage. */
async function* monthsOf(
  { quotas }: TransferContext,
  { id, createdAt }: Account,
  now: number,
): AsyncGenerator<TransferRecord & { type: "usage" }> {
  for (let months = USE_RETENTION_MONTHS; months >= 0; months -= 1) {
    const month = monthBefore(monthOf(now), months);
    if (month < monthOf(createdAt)) {
      continue;
    }
    const { used, days } = await quotas.useOf(id, month);
    if (used > 0 || days.size > 0) {
      const sorted = [...days].sort(([one], [other]) => one - other);
      yield { type: "usage", accountId: id, month, used, days: sorted };
    }
  }
}
