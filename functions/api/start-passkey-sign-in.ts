import { passkeyHost, requestOptions } from "../domain/passkeys.ts";
import { CHALLENGES_PER_NETWORK_HOUR } from "../domain/sign-in-limits.ts";
import { takeOfNetwork } from "./allowances.ts";
import { http, type Operation } from "./http.ts";
import { storeChallenge } from "./passkey-challenge.ts";

/** Gives a challenge for whichever passkey the browser has; nobody says who they are before. */
export const startPasskeySignIn: Operation = (context) => async (request) => {
  const host = passkeyHost(request.baseUrl);
  await takeOfNetwork(context, request, {
    name: "challenges of a network",
    allowance: CHALLENGES_PER_NETWORK_HOUR,
    text: "Too many passkeys were asked for from your network",
  });
  const { id, answer } = await storeChallenge(context, request, { kind: "passkey" });
  return { status: 200, body: { challenge_id: id, options: requestOptions(answer, host) } };
};

export const handler = http("startPasskeySignIn", startPasskeySignIn);
