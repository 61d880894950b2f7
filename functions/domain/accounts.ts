import { newId } from "./ids.ts";
import { hashApiKey, newApiKey, type Scope } from "./keys.ts";
import type { Account, PlanId } from "./plans.ts";
import type { Context } from "./ports.ts";

type World = Pick<Context, "accounts" | "clock" | "random">;

/** @returns the new account, or undefined when another one has the address */
export const openAccount = async (
  { accounts, clock, random }: World,
  { email, plan, quota }: { email: string; plan: PlanId; quota: number | undefined },
): Promise<Account | undefined> => {
  const now = clock();
  const account: Account = {
    id: newId("account", now, random),
    email,
    plan,
    ...(quota !== undefined && { quota }),
    createdAt: now,
  };
  return (await accounts.createAccount(account)) === "created" ? account : undefined;
};

/** What a key is made for. */
export interface NewKey {
  readonly accountId: string;
  readonly name: string;
  /** @default live */
  readonly kind?: "live" | "test";
  /** What the key may do. @default everything */
  readonly scopes?: readonly Scope[];
}

/** @returns the key itself, which is shown once and stored nowhere, and its id */
export const issueKey = async (
  { accounts, clock, random }: World,
  { accountId, name, kind, scopes }: NewKey,
): Promise<{ id: string; key: string }> => {
  const now = clock();
  const key = newApiKey(random, kind);
  const id = newId("key", now, random);
  await accounts.addKey({ id, accountId, name, ...hashApiKey(key), ...(scopes && { scopes }), createdAt: now });
  return { id, key };
};
