import { creationOptions, requestOptions } from "../../domain/passkeys.ts";
import type { Account } from "../../domain/plans.ts";
import type { ChallengeView, DeviceListView } from "../../domain/session-views.ts";
import type { Passkey, Session } from "../../domain/sessions.ts";
import { newCode } from "../../domain/sign-in-codes.ts";
import { CODE_MS, SESSION_MS, VISITOR_MS } from "../../domain/sign-in-limits.ts";
import { timestamp } from "../../domain/times.ts";
import { passkeyView, sessionView } from "../session-view.ts";
import type { Example } from "./examples.ts";
import { accountId, EXAMPLE_TIME } from "./records.ts";

/** Examples of the bodies that have to do with signing in: see examples.ts. */

const challenge_id = accountId.replace("acc_", "cha_");
const answer = "mRfFEvmYd2TLwHtYmkpv6vJyT1bF3NqkqqTjPzq8w3I";

const account: Account = {
  id: accountId,
  email: "you@example.com",
  plan: "api",
  planPicked: true,
  createdAt: EXAMPLE_TIME,
};
const visitor: Account = {
  id: accountId,
  email: "",
  plan: "free",
  planPicked: true,
  visitorUntil: EXAMPLE_TIME + VISITOR_MS,
  createdAt: EXAMPLE_TIME,
};

const signedIn: Session = {
  id: accountId.replace("acc_", "ses_"),
  accountId,
  hash: "",
  by: "code",
  device: "Firefox on Linux",
  createdAt: EXAMPLE_TIME,
  lastUsedAt: EXAMPLE_TIME,
  expiresAt: EXAMPLE_TIME + SESSION_MS,
};
const visiting: Session = { ...signedIn, by: "visitor", expiresAt: EXAMPLE_TIME + VISITOR_MS };

const passkey: Passkey = {
  id: "q3Fh0S5nX2yUeT8bLw9PzA",
  accountId,
  name: "Phone",
  publicKey: "",
  counter: 0,
  transports: ["hybrid", "internal"],
  createdAt: EXAMPLE_TIME,
};

const offers = { uploadBytesMax: 4_500_000, visitors: true, mail: { send: async () => undefined } };

const devices: DeviceListView = {
  sessions: [
    {
      id: signedIn.id,
      device: signedIn.device,
      by: signedIn.by,
      created_at: timestamp(signedIn.createdAt),
      last_used_at: timestamp(signedIn.lastUsedAt),
      expires_at: timestamp(signedIn.expiresAt),
      current: true,
    },
  ],
};

const sent: ChallengeView = { challenge_id, expires_at: timestamp(EXAMPLE_TIME + CODE_MS) };

/** What a browser gives; the parts are shortened, and are no real signature. */
const credential = (response: Readonly<Record<string, unknown>>) => ({
  id: passkey.id,
  rawId: passkey.id,
  response: { clientDataJSON: "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0", ...response },
  type: "public-key",
});

const assertion = credential({
  authenticatorData: "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ",
  signature: "MEUCIQDx0qGq3mT1",
  userHandle: Buffer.from(accountId).toString("base64url"),
});
const attestation = credential({ attestationObject: "o2NmbXRkbm9uZQ", transports: passkey.transports });

/** @returns the examples by name */
export const signInBodies = () =>
  ({
    codeRequest: {
      schema: "CodeRequest",
      summary: "Who wants to sign in",
      value: { email: account.email, locale: "en" },
    },
    codeSent: { schema: "SignInCode", summary: "A code that was sent", value: sent },
    codeSessionRequest: {
      schema: "CodeSessionRequest",
      summary: "The code that came",
      value: { challenge_id, code: newCode((count) => new Uint8Array(count).fill(7)) },
    },
    session: {
      schema: "Session",
      summary: "Somebody is signed in",
      value: sessionView(offers, { account, session: signedIn }),
    },
    noSession: { schema: "Session", summary: "Nobody is signed in", value: sessionView(offers) },
    visitorSession: {
      schema: "Session",
      summary: "A visitor without an account",
      value: sessionView(offers, { account: visitor, session: visiting }),
    },
    deviceList: { schema: "DeviceList", summary: "Signed in at one place", value: devices },
    passkeyChallenge: {
      schema: "PasskeyRequestOptions",
      summary: "For a passkey that there is",
      value: { challenge_id, options: requestOptions(answer, "example.com") },
    },
    newPasskeyChallenge: {
      schema: "PasskeyCreationOptions",
      summary: "For a new passkey",
      value: { challenge_id, options: creationOptions({ challenge: answer, rpId: "example.com" }, account, [passkey]) },
    },
    passkeySessionRequest: {
      schema: "PasskeySessionRequest",
      summary: "What the browser gave",
      value: { challenge_id, credential: assertion },
    },
    passkeyRequest: {
      schema: "NewPasskeyRequest",
      summary: "What the browser gave, and a name",
      value: { challenge_id, name: passkey.name, credential: attestation },
    },
    passkey: { schema: "Passkey", summary: "A passkey that was never used", value: passkeyView(passkey) },
    passkeyList: { schema: "PasskeyList", summary: "One passkey", value: { passkeys: [passkeyView(passkey)] } },
  }) as const satisfies Record<string, Example>;
