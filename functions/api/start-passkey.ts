import { creationOptions, passkeyHost } from "../domain/passkeys.ts";
import { http, type Operation } from "./http.ts";
import { ownAccount } from "./own-account.ts";
import { passkeysWithRoom } from "./own-passkeys.ts";
import { storeChallenge } from "./passkey-challenge.ts";

/** Gives a challenge for a new passkey of the account. */
export const startPasskey: Operation = (context) => async (request) => {
  const { accountId, baseUrl } = request;
  const rpId = passkeyHost(baseUrl);
  const passkeys = await passkeysWithRoom(context, request);
  const { id, answer } = await storeChallenge(context, request, { kind: "new_passkey", accountId });
  const options = creationOptions({ challenge: answer, rpId }, ownAccount(request), passkeys);
  return { status: 200, body: { challenge_id: id, options } };
};

export const handler = http("startPasskey", startPasskey);
