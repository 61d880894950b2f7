import { newId } from "./ids.ts";
import { hashApiKey, newApiKey } from "./keys.ts";
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

/** @returns the key itself, which is shown once and stored nowhere, and its id */
export const issueKey = async (
  { accounts, clock, random }: World,
  { accountId, name }: { accountId: string; name: string },
): Promise<{ id: string; key: string }> => {
  const now = clock();
  const key = newApiKey(random);
  const id = newId("key", now, random);
  await accounts.addKey({ id, accountId, name, ...hashApiKey(key), createdAt: now });
  return { id, key };
};
