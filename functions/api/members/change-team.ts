import { membersOf, type SeatChanges, type Team, teamOf } from "../../domain/accounts/members.ts";
import type { Account } from "../../domain/accounts/plans.ts";
import { RequestError } from "../../domain/errors.ts";
import type { Context } from "../../domain/ports.ts";

/** Attempts of a change. Each failed one means that another change of the same team succeeded. */
const TRIES_MAX = 20;

/** A new team, and the addresses whose accounts change with it. */
export interface TeamChange {
  readonly team: Team;
  readonly seats?: SeatChanges;
}

/**
 * Changes the members of an account; exact under any concurrency: the change is computed again from the stored team
 * after each conflict.
 *
 * @param change throws if the change is not allowed for this team
 * @returns the changed account
 * @throws RequestError `not_found`, `temporarily_unavailable`
 */
export const changeTeam = async (
  { accounts }: Pick<Context, "accounts">,
  accountId: string,
  change: (account: Account, team: Team) => TeamChange,
): Promise<Account> => {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const account = await accounts.getAccount(accountId);
    if (account === undefined) {
      throw new RequestError("not_found", "The account was deleted.");
    }
    const { team, seats = {} } = change(account, teamOf(account));
    if (await accounts.setTeam(accountId, team, seats)) {
      return { ...account, team };
    }
  }
  throw new RequestError("temporarily_unavailable", "The members are being changed. Try again shortly.");
};

/**
 * Ends the sessions of a former member and removes their passkeys.
 *
 * @param memberId of the sessions; undefined: those of the account's own address
 */
export const forgetMember = async (
  { sessions }: Context,
  accountId: string,
  memberId: string | undefined,
): Promise<void> => {
  for (const session of await sessions.sessionsOf(accountId)) {
    if (session.memberId === memberId) {
      await sessions.endSession(session.hash);
    }
  }
  for (const passkey of await sessions.passkeysOf(accountId)) {
    if (passkey.memberId === memberId) {
      await sessions.removePasskey(passkey.id);
    }
  }
};

/** @throws RequestError `not_found` unless it is a member or an invitation of the account */
export const requireInTeam = (account: Account, id: string): void => {
  const ids = [...membersOf(account), ...teamOf(account).invitations].map((each) => each.id);
  if (!ids.includes(id)) {
    throw new RequestError("not_found", `Member ${id.slice(0, 100)} not found.`);
  }
};
