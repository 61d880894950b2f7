import * as z from "zod/mini";
import { cleanText } from "../../domain/clean-text.ts";
import { described } from "../../domain/conversions/options/described.ts";
import { RequestError } from "../../domain/errors.ts";
import type { Passkey } from "../../domain/sessions/session.ts";
import { PASSKEY_NAME_CHARACTERS_MAX } from "../../domain/sessions/sign-in-limits.ts";
import { example, operation } from "../operation.ts";
import { keyed, signedIn } from "../permissions.ts";
import { challengeId } from "../sign-in/challenge-id.ts";
import { ownSession } from "../sign-in/current-session.ts";
import { passkeyView } from "../sign-in/session-view.ts";
import { attestationSchema } from "./credentials.ts";
import { takeChallenge } from "./passkey-challenge.ts";
import { newPasskeyOf } from "./passkey-check.ts";
import { passkeysWithRoom } from "./require-passkeys.ts";

export const passkeyRequest = described(
  z.strictObject({
    challenge_id: challengeId("startPasskey"),
    name: described(
      z.string().check(z.minLength(1), z.maxLength(PASSKEY_NAME_CHARACTERS_MAX)),
      "A name for the passkey, such as the device it is on.",
    ),
    credential: attestationSchema,
  }),
  "A new passkey.",
);

/** Adds a passkey to the account, to sign in with. */
export const createPasskey = operation({
  id: "createPasskey",
  methods: ["POST"],
  path: "/api/v1/session/passkeys",
  auth: "session",
  permissions: {
    tables: { ...keyed, keys: ["DeleteItem", "GetItem", "PutItem", "UpdateItem"] },
    only: signedIn("tries"),
    lists: true,
  },
  tag: "Sessions",
  summary: "Add a passkey",
  description: "Adds a passkey that signed the challenge of `startPasskey`. An account can have up to 20 passkeys.",
  requests: ["passkeyRequest"],
  answers: { 201: { description: "The passkey was added.", examples: ["passkey"] } },
  errors: ["limit_reached", "passkey_refused"],
  examples: ({ challengeId, credential, passkey }) => ({
    passkeyRequest: example("NewPasskeyRequest", "The response of the browser, and a name", {
      challenge_id: challengeId,
      name: passkey.name,
      credential: credential({ attestationObject: "o2NmbXRkbm9uZQ", transports: passkey.transports }),
    }),
    passkey: example("Passkey", "A new passkey", passkeyView(passkey)),
  }),
  schemas: () => ({ NewPasskeyRequest: passkeyRequest, PasskeyAttestation: attestationSchema }),
  body: passkeyRequest,
  run: (context) => async (request) => {
    const { body, accountId, baseUrl, now } = request;
    const challenge = await takeChallenge(context, request, { id: body.challenge_id, kind: "new_passkey" });
    if (challenge.accountId !== accountId) {
      throw new RequestError("passkey_refused", "The challenge belongs to another account. Start again.");
    }
    await passkeysWithRoom(context, request);
    const made = await newPasskeyOf(body.credential, { challenge: challenge.answer, baseUrl });
    const { memberId } = ownSession(request);
    const member = memberId !== undefined && { memberId };
    const passkey: Passkey = { ...made, ...member, accountId, name: cleanText(body.name) || "Passkey", createdAt: now };
    if (!(await context.sessions.addPasskey(passkey))) {
      throw new RequestError("passkey_refused", "This passkey is already registered.");
    }
    return { status: 201, body: passkeyView(passkey) };
  },
});
