import { openAccount } from "../../domain/accounts/account.ts";
import type { Account } from "../../domain/accounts/plans.ts";
import type { Context } from "../../domain/ports.ts";

/**
 * @param email an address whose owner has proved to receive its mail
 * @returns its account, which is created if there is none. Concurrent sign-ups with one address get the same account
 */
export const accountOfAddress = async (context: Context, email: string): Promise<Account> => {
  const { accounts } = context;
  const account =
    (await accounts.findByEmail(email)) ??
    (await openAccount(context, { email, plan: "free", quota: undefined })) ??
    (await accounts.findByEmail(email));
  if (account === undefined) {
    throw new TypeError("An email address is taken, but no account has it.");
  }
  return account;
};
