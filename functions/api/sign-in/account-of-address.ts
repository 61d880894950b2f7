import { openAccount } from "../../domain/accounts/account.ts";
import { storedMemberId } from "../../domain/accounts/members.ts";
import type { Account } from "../../domain/accounts/plans.ts";
import type { Context } from "../../domain/ports.ts";
import { ownAccounts } from "../members/own-accounts.ts";

/** An account to sign in to, and the member who does. */
interface SignedInAs {
  readonly account: Account;
  /** @default the one with the account's own address */
  readonly memberId?: string;
}

/**
 * @param email an address whose owner has proved to receive its mail
 * @returns its own account, or the first that it is a member of; otherwise a new one. Concurrent sign-ups with one
 * address get the same account
 */
export const accountOfAddress = async (context: Context, email: string): Promise<SignedInAs> => {
  const [seat] = await ownAccounts(context, email);
  if (seat !== undefined) {
    return { account: seat.account, ...storedMemberId(seat.account, seat.member) };
  }
  const account =
    (await openAccount(context, { email, plan: "free", quota: undefined })) ??
    (await context.accounts.findByEmail(email));
  if (account === undefined) {
    throw new TypeError("An email address is taken, but no account has it.");
  }
  return { account };
};
