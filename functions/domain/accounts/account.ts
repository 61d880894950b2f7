import { newId } from "../ids.ts";
import type { Context } from "../ports.ts";
import { type ApiKey, hashApiKey, type KeyLimits, newApiKey, type Scope } from "./keys.ts";
import type { Account, PlanId } from "./plans.ts";

type World = Pick<Context, "accounts" | "clock" | "random">;

/** The fields of a new account. */
export interface NewAccount {
  readonly email: string;
  readonly plan: PlanId;
  /** Requests per month, if they differ from the plan's. */
  readonly quota: number | undefined;
  /** Whether the plan was picked. @default the owner has not picked one yet */
  readonly planPicked?: boolean;
}

/** @returns the new account, or undefined when the address is taken */
export const openAccount = async (
  { accounts, clock, random }: World,
  { email, plan, quota, planPicked }: NewAccount,
): Promise<Account | undefined> => {
  const now = clock();
  const account: Account = {
    id: newId("account", now, random),
    email,
    plan,
    ...(quota !== undefined && { quota }),
    ...(planPicked && { planPicked }),
    createdAt: now,
  };
  return (await accounts.createAccount(account)) === "created" ? account : undefined;
};

/** The fields of a new key. */
export interface NewKey {
  readonly accountId: string;
  readonly name: string;
  /** @default live */
  readonly kind?: "live" | "test" | undefined;
  /** The scopes of the key. @default everything */
  readonly scopes?: readonly Scope[];
  /** Milliseconds since 1970. @default the key does not expire */
  readonly expiresAt?: number;
  /** @default none */
  readonly limits?: KeyLimits | undefined;
  /** The key that its requests are counted for. @default itself */
  readonly countedAs?: string;
}

/** @returns the key itself, which is shown once and never stored, its ID, and the stored record */
export const issueKey = async (
  { accounts, clock, random }: World,
  { accountId, name, kind, scopes, expiresAt, limits, countedAs }: NewKey,
): Promise<{ id: string; key: string; record: ApiKey }> => {
  const now = clock();
  const key = newApiKey(random, kind);
  const id = newId("key", now, random);
  const expiry = expiresAt !== undefined && { expiresAt };
  const limited = { ...limits, ...(countedAs !== undefined && { countedAs }) };
  const own = { ...(scopes && { scopes }), ...limited, ...expiry };
  const record = { id, accountId, name, ...hashApiKey(key), ...own, createdAt: now };
  await accounts.addKey(record);
  return { id, key, record };
};
