import * as z from "zod/mini";
import { described } from "../conversions/options/described.ts";
import { flag, id, text, time } from "../fields.ts";
import { timestamp } from "../times.ts";
import { membersOf, openInvitations, roles } from "./members.ts";
import type { Account } from "./plans.ts";

/** Members and accounts as the API returns them: see uploads/upload-views.ts. */

export const roleField = () =>
  described(
    z.enum(roles),
    "`owner`: everything. `developer`: files, jobs, keys, webhooks, presets and storages. `billing`: plan, invoices and usage.",
  );

const memberSchema = described(
  z.strictObject({
    id: id("mem", "Member ID."),
    email: text("The email address that the member signs in with."),
    role: roleField(),
    joined_at: time("When the member joined."),
    is_account_address: flag("Whether this is the account's own address, which always is an owner."),
  }),
  "A member of the account.",
);

const invitationSchema = described(
  z.strictObject({
    id: id("inv", "Invitation ID."),
    email: text("The invited email address."),
    role: roleField(),
    invited_by: text("The email address of the inviting owner."),
    expires_at: time("When the invitation expires."),
  }),
  "An invitation that was not accepted yet.",
);

export const memberListSchema = described(
  z.strictObject({
    members: described(z.array(memberSchema), "The members, the account's own address first."),
    invitations: described(z.array(invitationSchema), "Invitations that can be accepted."),
  }),
  "The members of an account.",
);

export const accountListSchema = described(
  z.strictObject({
    accounts: described(
      z.array(
        z.strictObject({
          id: id("acc", "Account ID."),
          email: text("The account's own address."),
          role: roleField(),
          current: flag("Whether this is the account of the session."),
        }),
      ),
      "The accounts of the person who is signed in.",
    ),
  }),
  "The accounts that a person can use.",
);

export type MemberListView = z.infer<typeof memberListSchema>;
export type AccountListView = z.infer<typeof accountListSchema>;

export const memberList = (account: Account, now: number): MemberListView => ({
  members: membersOf(account).map(({ id: memberId, email, role, joinedAt }, index) => ({
    id: memberId,
    email,
    role,
    joined_at: timestamp(joinedAt),
    is_account_address: index === 0,
  })),
  invitations: openInvitations(account, now).map(({ id: invitationId, email, role, invitedBy, expiresAt }) => ({
    id: invitationId,
    email,
    role,
    invited_by: invitedBy,
    expires_at: timestamp(expiresAt),
  })),
});
