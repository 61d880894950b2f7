import { type Member, memberWith } from "../../domain/accounts/members.ts";
import type { Account } from "../../domain/accounts/plans.ts";
import type { Context } from "../../domain/ports.ts";

/** An account, and the person as its member. */
export interface Seat {
  readonly account: Account;
  readonly member: Member;
}

/** @returns the accounts that the person with the address can sign in to, their own first */
export const ownAccounts = async ({ accounts }: Pick<Context, "accounts">, email: string): Promise<readonly Seat[]> => {
  const home = await accounts.findByEmail(email);
  const others = await Promise.all((await accounts.seatsOf(email)).map((id) => accounts.getAccount(id)));
  return [home, ...others].flatMap((account) => {
    const member = account && memberWith(account, email);
    return account === undefined || member === undefined ? [] : [{ account, member }];
  });
};
