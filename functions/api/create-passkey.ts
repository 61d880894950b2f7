import { cleanText } from "../domain/clean-text.ts";
import { RequestError } from "../domain/errors.ts";
import type { Passkey } from "../domain/sessions.ts";
import { http, type Operation } from "./http.ts";
import { passkeysWithRoom } from "./own-passkeys.ts";
import { takeChallenge } from "./passkey-challenge.ts";
import { newPasskeyOf } from "./passkey-check.ts";
import { passkeyView } from "./session-view.ts";
import { type PasskeyRequest, passkeyRequest } from "./sign-in-request.ts";

/** Adds a passkey to the account, which it then can be signed in to by. */
export const createPasskey: Operation<PasskeyRequest> = (context) => async (request) => {
  const { body, accountId, baseUrl, now } = request;
  const challenge = await takeChallenge(context, request, { id: body.challenge_id, kind: "new_passkey" });
  if (challenge.accountId !== accountId) {
    throw new RequestError("passkey_refused", "The challenge is not one of this account. Begin again.");
  }
  await passkeysWithRoom(context, request);
  const made = await newPasskeyOf(body.credential, { challenge: challenge.answer, baseUrl });
  const passkey: Passkey = { ...made, accountId, name: cleanText(body.name) || "Passkey", createdAt: now };
  if (!(await context.sessions.addPasskey(passkey))) {
    throw new RequestError("passkey_refused", "This passkey is known here already.");
  }
  return { status: 201, body: passkeyView(passkey) };
};

export const handler = http("createPasskey", createPasskey, passkeyRequest);
