import { passkeyHost, requestOptions } from "../../domain/sessions/passkeys.ts";
import { CHALLENGES_PER_NETWORK_HOUR } from "../../domain/sessions/sign-in-limits.ts";
import { example, operation } from "../operation.ts";
import { allowanceOnly } from "../permissions.ts";
import { takeOfNetwork } from "../sign-in/allowances.ts";
import { storeChallenge } from "./passkey-challenge.ts";

/** Creates a challenge for any passkey of the browser; no email address is needed. */
export const startPasskeySignIn = operation({
  id: "startPasskeySignIn",
  methods: ["POST"],
  path: "/api/v1/session/passkey/options",
  auth: "none",
  permissions: {
    tables: { keys: ["PutItem"], quotas: ["UpdateItem"] },
    only: { keys: { records: "cha_*" }, quotas: allowanceOnly },
  },
  tag: "Sessions",
  summary: "Start a passkey sign-in",
  description:
    "Creates a challenge to sign in with a passkey. No email address is needed: the browser offers the passkeys it has for this host.",
  answers: { 200: { description: "The challenge. It expires after five minutes.", examples: ["passkeyChallenge"] } },
  errors: ["passkey_refused", "rate_limited"],
  examples: ({ challengeId, challenge }) => ({
    passkeyChallenge: example("PasskeyRequestOptions", "A challenge to sign in", {
      challenge_id: challengeId,
      options: requestOptions(challenge, "example.com"),
    }),
  }),
  run: (context) => async (request) => {
    const host = passkeyHost(request.baseUrl);
    await takeOfNetwork(context, request, {
      name: "challenges of a network",
      allowance: CHALLENGES_PER_NETWORK_HOUR,
      text: "Too many passkey challenges requested from your network",
    });
    const { id, answer } = await storeChallenge(context, request, { kind: "passkey" });
    return { status: 200, body: { challenge_id: id, options: requestOptions(answer, host) } };
  },
});
