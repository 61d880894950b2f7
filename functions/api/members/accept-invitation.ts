import * as z from "zod/mini";
import { type Invitation, joined, openInvitations, parsedCode, SEATS_MAX } from "../../domain/accounts/members.ts";
import type { Account } from "../../domain/accounts/plans.ts";
import { described } from "../../domain/conversions/options/described.ts";
import { RequestError } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import type { Context } from "../../domain/ports.ts";
import { TRIES_PER_NETWORK_HOUR } from "../../domain/sessions/sign-in-limits.ts";
import { isSame } from "../../domain/sessions/signing-keys.ts";
import { checkSameOrigin } from "../middleware/same-origin.ts";
import { example, operation } from "../operation.ts";
import { allowanceOnly, SIGNING_ATTRIBUTES } from "../permissions.ts";
import { takeOfNetwork } from "../sign-in/allowances.ts";
import { currentSession } from "../sign-in/current-session.ts";
import { signIn } from "../sign-in/sign-in.ts";
import { changeTeam } from "./change-team.ts";

/** Longer texts are not read. Codes have 70 characters. */
const CODE_CHARACTERS_MAX = 200;

export const invitationAnswer = described(
  z.strictObject({
    code: described(z.string().check(z.maxLength(CODE_CHARACTERS_MAX)), "The code of the email, which works once."),
  }),
  "An accepted invitation.",
);

/** Joins the account of an emailed invitation and signs in to it: the code proves that the client receives the mail. */
export const acceptInvitation = operation({
  id: "acceptInvitation",
  methods: ["POST"],
  path: "/api/v1/session/invitation",
  auth: "none",
  permissions: {
    tables: { keys: ["DeleteItem", "GetItem", "PutItem", "UpdateItem"], quotas: ["UpdateItem"] },
    only: {
      keys: {
        records: ["acc_*", "seats#*", "session#*", "signing"],
        attributes: [...SIGNING_ATTRIBUTES, "accounts", "lastUsedAt", "team"],
      },
      quotas: allowanceOnly,
    },
    lists: true,
    offers: true,
  },
  tag: "Members",
  summary: "Accept an invitation",
  description:
    "Joins an account with the code of an invitation, and signs in to it with the invited address. The session replaces the current one of the browser. One person can be a member of up to 20 accounts of others.",
  requests: ["invitationAnswer"],
  answers: { 201: { description: "Joined and signed in.", examples: ["session"], headers: ["Set-Cookie"] } },
  errors: ["cross_site", "invitation_refused", "limit_reached", "rate_limited", "temporarily_unavailable"],
  examples: ({ accountId }) => ({
    invitationAnswer: example("InvitationAnswer", "The emailed code", { code: `${accountId}.${"0".repeat(43)}` }),
  }),
  schemas: () => ({ InvitationAnswer: invitationAnswer }),
  body: invitationAnswer,
  run: (context) => async (request) => {
    const { now } = request;
    checkSameOrigin(request);
    await takeOfNetwork(context, request, {
      name: "tries of a network",
      allowance: TRIES_PER_NETWORK_HOUR,
      text: "Too many sign-in attempts from your network",
    });
    const parsed = parsedCode(request.body.code);
    const found = parsed && (await context.accounts.getAccount(parsed.accountId));
    if (parsed === undefined || found === undefined) {
      throw refused();
    }
    const invitation = invitationIn(found, parsed.hash, now);
    await checkSeats(context, invitation.email);
    const memberId = newId("member", now, context.random);
    const account = await changeTeam(context, found.id, (current, team) => ({
      team: joined(team, invitationIn(current, parsed.hash, now), { id: memberId, joinedAt: now }),
      seats: { added: [invitation.email] },
    }));
    const former = await currentSession(context, request);
    if (former !== undefined) {
      await context.sessions.endSession(former.hash);
    }
    return signIn(context, request, { account, by: "invitation", memberId });
  },
});

const invitationIn = (account: Account, hash: string, now: number): Invitation => {
  const invitation = openInvitations(account, now).find((each) => isSame(each.hash, hash));
  if (invitation === undefined) {
    throw refused();
  }
  return invitation;
};

/** The same for every reason, so that codes cannot be probed. */
const refused = (): RequestError =>
  new RequestError("invitation_refused", "The invitation has expired, was withdrawn, or was already used.");

const checkSeats = async ({ accounts }: Context, email: string): Promise<void> => {
  if ((await accounts.seatsOf(email)).length >= SEATS_MAX) {
    throw new RequestError(
      "limit_reached",
      `A person can be a member of up to ${SEATS_MAX} accounts. Leave one first.`,
    );
  }
};
