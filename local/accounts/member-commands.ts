import { changeTeam, forgetMember } from "../../functions/api/members/change-team.ts";
import { memberList } from "../../functions/domain/accounts/member-views.ts";
import {
  founderOf,
  isRole,
  joined,
  MEMBERS_MAX,
  memberWith,
  roles,
  without,
} from "../../functions/domain/accounts/members.ts";
import { newId } from "../../functions/domain/ids.ts";
import type { Context } from "../../functions/domain/ports.ts";
import { accountOf, CommandError, emailOf, required, type Values } from "./account-arguments.ts";

/** The operator's commands for members of accounts. */

type Command = (context: Context, values: Values) => Promise<object | object[]>;

const members: Command = async (context, values) => {
  const list = memberList(await accountOf(context, values), context.clock());
  return [
    ...list.members.map(({ id, email, role, joined_at }) => ({ id, email, role, joined_at, state: "member" })),
    ...list.invitations.map(({ id, email, role, expires_at }) => ({ id, email, role, expires_at, state: "invited" })),
  ];
};

const addMember: Command = async (context, values) => {
  const { id } = await accountOf(context, values);
  const [email, role] = [emailOf(values).toLowerCase(), required(values, "role")];
  if (!isRole(role)) {
    throw new CommandError(`Unknown role ${role}. Roles: ${roles.join(", ")}.`);
  }
  const now = context.clock();
  const memberId = newId("member", now, context.random);
  await changeTeam(context, id, (account, team) => {
    if (memberWith(account, email) !== undefined) {
      throw new CommandError(`${email} already is a member of account ${id}.`);
    }
    if (team.members.length + 1 >= MEMBERS_MAX) {
      throw new CommandError(`An account can have up to ${MEMBERS_MAX} members.`);
    }
    const open = team.invitations.find((invitation) => invitation.email === email);
    const invitation = { id: open?.id ?? "", email, role, hash: "", invitedBy: "", expiresAt: now };
    return { team: joined(team, invitation, { id: memberId, joinedAt: now }), seats: { added: [email] } };
  });
  return { account_id: id, member_id: memberId, email, role };
};

const removeMember: Command = async (context, values) => {
  const account = await accountOf(context, values);
  const email = emailOf(values).toLowerCase();
  const member = memberWith(account, email);
  if (member === undefined) {
    throw new CommandError(`${email} is not a member of account ${account.id}.`);
  }
  if (member.id === founderOf(account).id) {
    throw new CommandError(`${email} is the address of account ${account.id}, which always is an owner.`);
  }
  await changeTeam(context, account.id, (_, team) => ({ team: without(team, member.id), seats: { removed: [email] } }));
  await forgetMember(context, account.id, member.id);
  return { account_id: account.id, email, removed: true };
};

/** For accounts whose owner has left: the former owner is signed out everywhere, and their passkeys are removed. */
const setEmail: Command = async (context, values) => {
  const { id, email: former } = await accountOf(context, values);
  const email = emailOf(values);
  const other = await context.accounts.findByEmail(email);
  if (other !== undefined && other.id !== id) {
    throw new CommandError(
      `${email} is the address of account ${other.id}. Its owner must change that address or delete that account first.`,
    );
  }
  const member = memberWith(await accountOf(context, values), email);
  if (member !== undefined && email.toLowerCase() !== former.toLowerCase()) {
    await changeTeam(context, id, (_, team) => ({
      team: without(team, member.id),
      seats: { removed: [member.email] },
    }));
    await forgetMember(context, id, member.id);
  }
  if ((await context.accounts.setEmail(id, email)) !== "changed") {
    throw new CommandError(`The address of account ${id} was not changed: another process uses it. Try again.`);
  }
  await forgetMember(context, id, undefined);
  return { account_id: id, former_email: former, email };
};

export const memberCommands = {
  members,
  "add-member": addMember,
  "remove-member": removeMember,
  "set-email": setEmail,
} as const satisfies Readonly<Record<string, Command>>;
