import { RequestError } from "../domain/errors.ts";
import { userHandleOf } from "../domain/passkeys.ts";
import type { Context } from "../domain/ports.ts";
import type { Passkey } from "../domain/sessions.ts";
import { TRIES_PER_NETWORK_HOUR } from "../domain/sign-in-limits.ts";
import { takeOfNetwork } from "./allowances.ts";
import { http, type Operation } from "./http.ts";
import { takeChallenge } from "./passkey-challenge.ts";
import { counterOf } from "./passkey-check.ts";
import { checkSameOrigin } from "./same-origin.ts";
import { signIn } from "./sign-in.ts";
import { type Assertion, type PasskeySessionRequest, passkeySessionRequest } from "./sign-in-request.ts";

/** Signs in whoever has a passkey of an account: it answers a challenge, which does once. */
export const createPasskeySession: Operation<PasskeySessionRequest> = (context) => async (request) => {
  const { body, baseUrl, now } = request;
  checkSameOrigin(request);
  await takeOfNetwork(context, request, {
    name: "passkeys of a network",
    allowance: TRIES_PER_NETWORK_HOUR,
    text: "Too many passkeys were tried from your network",
  });
  const { answer } = await takeChallenge(context, request, { id: body.challenge_id, kind: "passkey" });
  const passkey = await namedBy(context, body.credential);
  const counter = await counterOf(body.credential, passkey, { challenge: answer, baseUrl });
  if (!(await context.sessions.usePasskey(passkey.id, { from: passkey.counter, to: counter }, now))) {
    throw new RequestError("passkey_refused", "The passkey was used twice at once. Begin again.");
  }
  const account = await context.accounts.getAccount(passkey.accountId);
  if (account === undefined) {
    throw new RequestError("passkey_refused", "The account of this passkey is closed.");
  }
  return signIn(context, request, { account, by: "passkey" });
};

export const handler = http("createPasskeySession", createPasskeySession, passkeySessionRequest);

const namedBy = async ({ sessions }: Context, { id, response }: Assertion): Promise<Passkey> => {
  const passkey = await sessions.findPasskey(id);
  const isOwners = !response.userHandle || response.userHandle === userHandleOf(passkey?.accountId ?? "");
  if (passkey === undefined || !isOwners) {
    throw new RequestError("passkey_refused", "This passkey is not known here. It may have been removed.");
  }
  return passkey;
};
