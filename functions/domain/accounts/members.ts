import { sha256Hex } from "../ids.ts";
import type { Account } from "./plans.ts";

/**
 * The members of an account, and what each may do. The account's own address always is an owner, so an account never
 * has none. All others are stored in the account itself, which every request reads.
 */

/** What operations are about. */
export type Area = "account" | "billing" | "integration" | "self" | "usage" | "work";

/**
 * THE table of what each role may do: `work`: files and jobs; `integration`: keys, webhooks, presets and storages;
 * `usage`: plan and counts; `billing`: the plan and invoices; `account`: members, address and deletion; `self`: the
 * member's own sessions and passkeys.
 */
export const areasOfRoles = {
  owner: ["account", "billing", "integration", "self", "usage", "work"],
  developer: ["integration", "self", "usage", "work"],
  billing: ["billing", "self", "usage"],
} as const satisfies Readonly<Record<string, readonly Area[]>>;

export type Role = keyof typeof areasOfRoles;

export const roles = Object.keys(areasOfRoles) as [Role, ...Role[]];

export const isRole = (text: string): text is Role => Object.hasOwn(areasOfRoles, text);

export const mayUse = (role: Role, area: Area): boolean => (areasOfRoles[role] as readonly Area[]).includes(area);

/** A person who can sign in to an account. Times are milliseconds since 1970. */
export interface Member {
  /** `mem_…` */
  readonly id: string;
  /** In lower case, except that of the account. */
  readonly email: string;
  readonly role: Role;
  readonly joinedAt: number;
}

/** An invitation that was emailed. Its code is only in the email. */
export interface Invitation {
  /** `inv_…` */
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  readonly role: Role;
  /** SHA-256 of the code, hexadecimal. */
  readonly hash: string;
  /** The address of the inviting owner. */
  readonly invitedBy: string;
  readonly expiresAt: number;
}

/** The members and invitations in addition to the account's own address. */
export interface Team {
  /** Incremented with each change, so that none overwrites another. */
  readonly version: number;
  readonly members: readonly Member[];
  readonly invitations: readonly Invitation[];
}

/** Maximum number of members and invitations of an account: about 10 kB of its record. */
export const MEMBERS_MAX = 50;

/** Maximum number of accounts of others that one person is a member of. */
export const SEATS_MAX = 20;

const DAY_MS = 86_400_000;
export const INVITATION_MS = 7 * DAY_MS;

/** Invitations of an account per day, and those that one address receives from all accounts. */
export const INVITATIONS_PER_ACCOUNT_DAY = { limit: 50, windowMs: DAY_MS } as const;
export const INVITATIONS_PER_ADDRESS_DAY = { limit: 5, windowMs: DAY_MS } as const;

type Teamed = Pick<Account, "createdAt" | "email" | "id" | "team">;

export const teamOf = ({ team }: Pick<Account, "team">): Team => team ?? { version: 0, members: [], invitations: [] };

/** @returns the member with the account's own address */
export const founderOf = ({ id, email, createdAt }: Teamed): Member => ({
  id: id.replace(/^acc_/, "mem_"),
  email,
  role: "owner",
  joinedAt: createdAt,
});

export const membersOf = (account: Teamed): readonly Member[] => [founderOf(account), ...teamOf(account).members];

/** @param memberId of a session or passkey. @default the account's own address. @returns undefined: not a member any more */
export const memberOf = (account: Teamed, memberId: string | undefined): Member | undefined =>
  memberId === undefined ? founderOf(account) : membersOf(account).find(({ id }) => id === memberId);

export const memberWith = (account: Teamed, email: string): Member | undefined =>
  membersOf(account).find((member) => member.email.toLowerCase() === email.toLowerCase());

/** @returns the ID that sessions and passkeys of the member have; the account's own address needs none */
export const storedMemberId = (account: Teamed, { id }: Member): { readonly memberId?: string } =>
  id === founderOf(account).id ? {} : { memberId: id };

/** @returns the invitations that can be accepted */
export const openInvitations = (account: Pick<Account, "team">, now: number): readonly Invitation[] =>
  teamOf(account).invitations.filter(({ expiresAt }) => expiresAt > now);

/** The code of an invitation: the ID of the account and a secret of 256 random bits. */
const CODE = /^(acc_[0-9A-Za-z]{22})\.([0-9A-Za-z]{43})$/;

export const invitationCode = (accountId: string, secret: string): string => `${accountId}.${secret}`;

/** @returns the account of the code and the hash of its secret; undefined when it is malformed */
export const parsedCode = (code: string): { readonly accountId: string; readonly hash: string } | undefined => {
  const [, accountId, secret] = CODE.exec(code.trim()) ?? [];
  return accountId === undefined || secret === undefined ? undefined : { accountId, hash: sha256Hex(secret) };
};

const changed = (team: Team, changes: Partial<Team>): Team => ({ ...team, ...changes, version: team.version + 1 });

/** @returns the team with the invitation, which replaces others to the address */
export const invited = (team: Team, invitation: Invitation, now: number): Team =>
  changed(team, {
    invitations: [
      ...team.invitations.filter(({ email, expiresAt }) => email !== invitation.email && expiresAt > now),
      invitation,
    ],
  });

/** @returns the team with the invited member, and without the invitation */
export const joined = (team: Team, { id, email, role }: Invitation, member: Pick<Member, "id" | "joinedAt">): Team =>
  changed(team, {
    members: [...team.members, { ...member, email, role }],
    invitations: team.invitations.filter((invitation) => invitation.id !== id),
  });

/** @param id of a member or an invitation */
export const without = (team: Team, id: string): Team =>
  changed(team, {
    members: team.members.filter((member) => member.id !== id),
    invitations: team.invitations.filter((invitation) => invitation.id !== id),
  });

export const withMember = (team: Team, id: string, changes: Partial<Pick<Member, "email" | "role">>): Team =>
  changed(team, { members: team.members.map((member) => (member.id === id ? { ...member, ...changes } : member)) });

/** Addresses whose list of accounts changes with a team. */
export interface SeatChanges {
  readonly added?: readonly string[];
  readonly removed?: readonly string[];
}
