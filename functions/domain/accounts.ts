import { newId } from "./ids.ts";
import { type ApiKey, hashApiKey, newApiKey, type Scope } from "./keys.ts";
import type { Account, PlanId } from "./plans.ts";
import type { Context } from "./ports.ts";

type World = Pick<Context, "accounts" | "clock" | "random">;

/** What an account is opened with. */
export interface NewAccount {
  readonly email: string;
  readonly plan: PlanId;
  /** Requests a month where they differ from the plan's. */
  readonly quota: number | undefined;
  /** Whether that is the plan which was picked for it. @default its owner is yet to pick one */
  readonly planPicked?: boolean;
}

/** @returns the new account, or undefined when another one has the address */
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

/** What a key is made for. */
export interface NewKey {
  readonly accountId: string;
  readonly name: string;
  /** @default live */
  readonly kind?: "live" | "test" | undefined;
  /** What the key may do. @default everything */
  readonly scopes?: readonly Scope[];
  /** Milliseconds since 1970. @default it holds until it is revoked */
  readonly expiresAt?: number;
}

/** @returns the key itself, which is shown once and stored nowhere, its id, and what is stored of it */
export const issueKey = async (
  { accounts, clock, random }: World,
  { accountId, name, kind, scopes, expiresAt }: NewKey,
): Promise<{ id: string; key: string; record: ApiKey }> => {
  const now = clock();
  const key = newApiKey(random, kind);
  const id = newId("key", now, random);
  const expiry = expiresAt !== undefined && { expiresAt };
  const record = { id, accountId, name, ...hashApiKey(key), ...(scopes && { scopes }), createdAt: now, ...expiry };
  await accounts.addKey(record);
  return { id, key, record };
};
