import { creationOptions, passkeyHost } from "../../domain/sessions/passkeys.ts";
import { requireMember } from "../members/require-member.ts";
import { example, operation } from "../operation.ts";
import { keyed, signedIn } from "../permissions.ts";
import { ownSession } from "../sign-in/current-session.ts";
import { storeChallenge } from "./passkey-challenge.ts";
import { passkeysWithRoom } from "./require-passkeys.ts";

/** Creates a challenge for a new passkey of the account. */
export const startPasskey = operation({
  id: "startPasskey",
  methods: ["POST"],
  path: "/api/v1/session/passkeys/options",
  auth: "session",
  permissions: {
    tables: { ...keyed, keys: ["GetItem", "PutItem", "UpdateItem"] },
    only: signedIn(),
    lists: true,
  },
  tag: "Sessions",
  summary: "Start adding a passkey",
  description: "Creates a challenge to add a passkey to the account.",
  answers: { 200: { description: "The challenge. It expires after five minutes.", examples: ["newPasskeyChallenge"] } },
  errors: ["limit_reached", "passkey_refused"],
  examples: ({ challengeId, challenge, account, passkey }) => ({
    newPasskeyChallenge: example("PasskeyCreationOptions", "A challenge to add a passkey", {
      challenge_id: challengeId,
      options: creationOptions({ challenge, rpId: "example.com" }, account, [passkey]),
    }),
  }),
  run: (context) => async (request) => {
    const { accountId, baseUrl } = request;
    const rpId = passkeyHost(baseUrl);
    const passkeys = await passkeysWithRoom(context, request);
    const { id, answer } = await storeChallenge(context, request, { kind: "new_passkey", accountId });
    // The handle is different for each member: an authenticator keeps one passkey per handle.
    const user = { id: ownSession(request).memberId ?? accountId, email: requireMember(request).email };
    const options = creationOptions({ challenge: answer, rpId }, user, passkeys);
    return { status: 200, body: { challenge_id: id, options } };
  },
});
