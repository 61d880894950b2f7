import { withMember } from "../../domain/accounts/members.ts";
import { RequestError } from "../../domain/errors.ts";
import type { Context } from "../../domain/ports.ts";
import { changeTeam } from "./change-team.ts";

/**
 * Changes the address of a person in the accounts of others. It precedes the change of the person's own account, so that
 * an interrupted one can be repeated.
 *
 * @throws RequestError `email_taken` if another member of such an account has the new address
 */
export const moveSeats = async (context: Pick<Context, "accounts">, from: string, to: string): Promise<void> => {
  const [former, email] = [from.toLowerCase(), to.toLowerCase()];
  if (former === email) {
    return;
  }
  for (const accountId of await context.accounts.seatsOf(former)) {
    await changeTeam(context, accountId, (account, team) => {
      const member = team.members.find((each) => each.email === former);
      const isTaken = team.members.some((each) => each.email === email) || account.email.toLowerCase() === email;
      if (isTaken) {
        throw new RequestError("email_taken", `${email} is another member of the account of ${account.email}.`);
      }
      return {
        team: withMember(team, member?.id ?? "", { email }),
        seats: { removed: [former], ...(member !== undefined && { added: [email] }) },
      };
    });
  }
};
