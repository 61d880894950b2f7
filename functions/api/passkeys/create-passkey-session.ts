import * as z from "zod/mini";
import { memberOf } from "../../domain/accounts/members.ts";
import { described } from "../../domain/conversions/options/described.ts";
import { RequestError } from "../../domain/errors.ts";
import type { Context } from "../../domain/ports.ts";
import { userHandleOf } from "../../domain/sessions/passkeys.ts";
import type { Passkey } from "../../domain/sessions/session.ts";
import { TRIES_PER_NETWORK_HOUR } from "../../domain/sessions/sign-in-limits.ts";
import { checkSameOrigin } from "../middleware/same-origin.ts";
import { example, operation } from "../operation.ts";
import { allowanceOnly, SIGNING_ATTRIBUTES } from "../permissions.ts";
import { takeOfNetwork } from "../sign-in/allowances.ts";
import { challengeId } from "../sign-in/challenge-id.ts";
import { signIn } from "../sign-in/sign-in.ts";
import { type Assertion, assertionSchema } from "./credentials.ts";
import { takeChallenge } from "./passkey-challenge.ts";
import { counterOf } from "./passkey-check.ts";

export const passkeySessionRequest = described(
  z.strictObject({ challenge_id: challengeId("startPasskeySignIn"), credential: assertionSchema }),
  "A sign-in with a passkey.",
);

/** Signs in with a passkey of an account. Its challenge can be answered once. */
export const createPasskeySession = operation({
  id: "createPasskeySession",
  methods: ["POST"],
  path: "/api/v1/session/passkey",
  auth: "none",
  permissions: {
    tables: { keys: ["DeleteItem", "GetItem", "PutItem", "UpdateItem"], quotas: ["UpdateItem"] },
    only: {
      keys: {
        records: ["acc_*", "cha_*", "passkey#*", "session#*", "signing"],
        attributes: [...SIGNING_ATTRIBUTES, "counter", "lastUsedAt", "tries"],
      },
      quotas: allowanceOnly,
    },
    lists: true,
    offers: true,
    operates: true,
  },
  tag: "Sessions",
  summary: "Sign in with a passkey",
  description:
    "Signs in with a passkey that signed the challenge of `startPasskeySignIn`. The session is the same as that of `createSession`.",
  requests: ["passkeySessionRequest"],
  answers: { 201: { description: "Signed in.", examples: ["session"], headers: ["Set-Cookie"] } },
  errors: ["cross_site", "passkey_refused", "rate_limited"],
  examples: ({ challengeId, credential, accountId }) => ({
    passkeySessionRequest: example("PasskeySessionRequest", "The response of the browser", {
      challenge_id: challengeId,
      credential: credential({
        authenticatorData: "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ",
        signature: "MEUCIQDx0qGq3mT1",
        userHandle: Buffer.from(accountId).toString("base64url"),
      }),
    }),
  }),
  schemas: () => ({ PasskeySessionRequest: passkeySessionRequest, PasskeyAssertion: assertionSchema }),
  body: passkeySessionRequest,
  run: (context) => async (request) => {
    const { body, baseUrl, now } = request;
    checkSameOrigin(request);
    await takeOfNetwork(context, request, {
      name: "passkeys of a network",
      allowance: TRIES_PER_NETWORK_HOUR,
      text: "Too many passkey sign-ins from your network",
    });
    const { answer } = await takeChallenge(context, request, { id: body.challenge_id, kind: "passkey" });
    const passkey = await namedBy(context, body.credential);
    const counter = await counterOf(body.credential, passkey, { challenge: answer, baseUrl });
    if (!(await context.sessions.usePasskey(passkey.id, { from: passkey.counter, to: counter }, now))) {
      throw new RequestError("passkey_refused", "The passkey was used by two requests at once. Start again.");
    }
    const account = await context.accounts.getAccount(passkey.accountId);
    if (account === undefined || memberOf(account, passkey.memberId) === undefined) {
      throw new RequestError("passkey_refused", "The account of this passkey is closed.");
    }
    const member = passkey.memberId !== undefined && { memberId: passkey.memberId };
    return signIn(context, request, { account, by: "passkey", ...member });
  },
});

const namedBy = async ({ sessions }: Context, { id, response }: Assertion): Promise<Passkey> => {
  const passkey = await sessions.findPasskey(id);
  const isOwners =
    !response.userHandle || response.userHandle === userHandleOf(passkey?.memberId ?? passkey?.accountId ?? "");
  if (passkey === undefined || !isOwners) {
    throw new RequestError("passkey_refused", "Unknown passkey. It may have been removed.");
  }
  return passkey;
};
