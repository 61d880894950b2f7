import * as z from "zod/mini";
import { invitationMail } from "../../domain/accounts/invitation-mail.ts";
import { memberList, roleField } from "../../domain/accounts/member-views.ts";
import {
  INVITATION_MS,
  INVITATIONS_PER_ACCOUNT_DAY,
  INVITATIONS_PER_ADDRESS_DAY,
  type Invitation,
  invitationCode,
  invited,
  MEMBERS_MAX,
  membersOf,
  memberWith,
  openInvitations,
} from "../../domain/accounts/members.ts";
import type { Account } from "../../domain/accounts/plans.ts";
import { described } from "../../domain/conversions/options/described.ts";
import { RequestError } from "../../domain/errors.ts";
import { base62, newId, sha256Hex } from "../../domain/ids.ts";
import type { Context } from "../../domain/ports.ts";
import { locales } from "../../domain/sessions/sign-in-mail.ts";
import { requireAccount } from "../account/require-account.ts";
import { example, operation } from "../operation.ts";
import { allowanceOnly, keyed, signedIn } from "../permissions.ts";
import type { ApiRequest } from "../request.ts";
import { takeAllowance } from "../sign-in/allowances.ts";
import { emailField, normalEmail } from "../sign-in/email-field.ts";
import { changeTeam } from "./change-team.ts";
import { requireMember } from "./require-member.ts";

export const invitationRequest = described(
  z.strictObject({
    email: emailField("The email address to invite. Case-insensitive."),
    role: roleField(),
    locale: z.optional(described(z.enum(locales), "The language of the email. Default: `en`.")),
  }),
  "An invitation.",
);

type InvitationRequest = z.infer<typeof invitationRequest>;

const SESSION = signedIn("team");

/** Emails an invitation. Whether the address has an account is not checked, so the response does not reveal it. */
export const inviteMember = operation({
  id: "inviteMember",
  methods: ["POST"],
  path: "/api/v1/session/members",
  auth: "session",
  permissions: {
    tables: keyed,
    only: {
      ...SESSION,
      quotas: { attributes: [...new Set([...SESSION.quotas.attributes, ...allowanceOnly.attributes])] },
    },
    mails: true,
  },
  tag: "Members",
  summary: "Invite a member",
  description:
    "Emails a code that the invited person accepts with `acceptInvitation` within seven days, once. A further invitation to the same address replaces it. An account can have up to 50 members and invitations, and send 50 invitations per day.",
  requests: ["invitation"],
  answers: { 201: { description: "The invitation was sent.", examples: ["memberList"] } },
  errors: ["email_taken", "limit_reached", "not_offered", "rate_limited"],
  examples: () => ({
    invitation: example("InvitationRequest", "A developer", { email: "grace@example.com", role: "developer" }),
  }),
  schemas: () => ({ InvitationRequest: invitationRequest }),
  body: invitationRequest,
  run: (context) => async (request) => {
    const { body, now } = request;
    if (context.mail === undefined) {
      throw new RequestError("not_offered", "Email is not configured on this server, so invitations are unavailable.");
    }
    const email = normalEmail(body.email);
    await enforceLimits(context, request, email);
    const secret = base62(context.random(32));
    const invitedBy = requireMember(request).email;
    const invitation: Invitation = {
      id: newId("invitation", now, context.random),
      email,
      role: body.role,
      hash: sha256Hex(secret),
      invitedBy,
      expiresAt: now + INVITATION_MS,
    };
    const account = await changeTeam(context, request.accountId, (current, team) => {
      checkRoom(current, email, now);
      return { team: invited(team, invitation, now) };
    });
    const code = invitationCode(account.id, secret);
    const url = context.publicUrl && `${context.publicUrl}/sign-in#invitation=${code}`;
    await context.mail.send(
      invitationMail(email, body.locale ?? "en", { inviter: invitedBy, role: body.role, code, url }),
    );
    return { status: 201, body: memberList(account, now) };
  },
});

const enforceLimits = async (
  context: Context,
  request: ApiRequest<InvitationRequest>,
  email: string,
): Promise<void> => {
  for (const [name, who, allowance] of [
    ["invitations of an account", requireAccount(request).id, INVITATIONS_PER_ACCOUNT_DAY],
    ["invitations of an address", email, INVITATIONS_PER_ADDRESS_DAY],
  ] as const) {
    await takeAllowance(context, request, { name, who, allowance, text: "Too many invitations sent today" });
  }
};

const checkRoom = (account: Account, email: string, now: number): void => {
  if (memberWith(account, email) !== undefined) {
    throw new RequestError("email_taken", `${email} already is a member of this account.`);
  }
  const others = openInvitations(account, now).filter((invitation) => invitation.email !== email);
  if (membersOf(account).length + others.length >= MEMBERS_MAX) {
    throw new RequestError("limit_reached", `An account can have up to ${MEMBERS_MAX} members and invitations.`);
  }
};
