import { type ApiKey, hashApiKey, newApiKey } from "../../domain/accounts/keys.ts";
import { INVITATION_MS } from "../../domain/accounts/members.ts";
import type { Account } from "../../domain/accounts/plans.ts";
import type { Passkey, Session } from "../../domain/sessions/session.ts";
import { SESSION_MS, VISITOR_MS } from "../../domain/sessions/sign-in-limits.ts";
import { DAY_MS } from "../../domain/times.ts";
import { accountId, EXAMPLE_TIME } from "./sample-ids.ts";

/** Records of accounts, keys and sessions, for the examples of the document. */

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

/** An account with a subscription. */
const owner: Account = {
  id: accountId,
  email: "a@example.com",
  plan: "api",
  planPicked: true,
  webhookUrl: "https://example.com/hooks/anyform",
  billing: {
    customerId: "cus_1",
    subscriptionId: "sub_1",
    status: "active",
    paidUntil: EXAMPLE_TIME + 30 * DAY_MS,
    endsThen: false,
  },
  createdAt: EXAMPLE_TIME,
};

/** An account with another member and an invitation. */
const teamOwner: Account = {
  ...account,
  team: {
    version: 2,
    members: [
      {
        id: accountId.replace("acc_", "mem_").replace(/.$/, "1"),
        email: "ada@example.com",
        role: "developer",
        joinedAt: EXAMPLE_TIME,
      },
    ],
    invitations: [
      {
        id: accountId.replace("acc_", "inv_"),
        email: "grace@example.com",
        role: "billing",
        hash: "",
        invitedBy: account.email,
        expiresAt: EXAMPLE_TIME + INVITATION_MS,
      },
    ],
  },
};

const session: Session = {
  id: accountId.replace("acc_", "ses_"),
  accountId,
  hash: "",
  by: "code",
  device: "Firefox on Linux",
  createdAt: EXAMPLE_TIME,
  lastUsedAt: EXAMPLE_TIME,
  expiresAt: EXAMPLE_TIME + SESSION_MS,
};

const visitorSession: Session = { ...session, by: "visitor", expiresAt: EXAMPLE_TIME + VISITOR_MS };

const passkey: Passkey = {
  id: "q3Fh0S5nX2yUeT8bLw9PzA",
  accountId,
  name: "Phone",
  publicKey: "",
  counter: 0,
  transports: ["hybrid", "internal"],
  createdAt: EXAMPLE_TIME,
};

/** What a browser returns, shortened and without a real signature. */
const credential = (response: Readonly<Record<string, unknown>>) => ({
  id: passkey.id,
  rawId: passkey.id,
  response: { clientDataJSON: "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0", ...response },
  type: "public-key",
});

const apiKey = newApiKey((count) => Uint8Array.from({ length: count }, (_, index) => (index * 29 + 7) % 256));

const keyRecord: ApiKey = {
  id: "key_00GxPqjL0a1b2c3d4e5f6g",
  accountId,
  name: "build server",
  ...hashApiKey(apiKey),
  scopes: ["upload", "convert", "read", "download"],
  createdAt: EXAMPLE_TIME,
  expiresAt: EXAMPLE_TIME + 90 * DAY_MS,
};

export const samplePeople = {
  account,
  visitor,
  owner,
  session,
  visitorSession,
  passkey,
  teamOwner,
  credential,
  apiKey,
  keyRecord,
  /** The features of a deployment, and its upload limit. */
  deployment: { uploadBytesMax: 4_500_000, visitors: true, mail: { send: async () => undefined } },
  challengeId: accountId.replace("acc_", "cha_"),
  challenge: "mRfFEvmYd2TLwHtYmkpv6vJyT1bF3NqkqqTjPzq8w3I",
} as const;
