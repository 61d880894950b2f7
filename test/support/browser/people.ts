import { randomBytes } from "node:crypto";
import { newId, sha256Hex } from "../../../functions/domain/ids.ts";
import type { Challenge, Passkey, Session, SigningKey } from "../../../functions/domain/sessions/session.ts";
import { NOW } from "../world/records.ts";

/** Records of sign-ins and sessions with new ids; tests can override properties. */

/** A code that was sent. */
export const challengeRecord = (overrides: Partial<Challenge> = {}): Challenge => ({
  id: newId("challenge", NOW, randomBytes),
  kind: "code",
  email: "ada@example.com",
  answer: randomBytes(32).toString("base64url"),
  tries: 0,
  expiresAt: NOW + 600_000,
  ...overrides,
});

export const sessionRecord = (overrides: Partial<Session> = {}): Session => ({
  id: newId("session", NOW, randomBytes),
  accountId: newId("account", NOW, randomBytes),
  hash: sha256Hex(randomBytes(32)),
  by: "code",
  device: "Firefox on Linux",
  createdAt: NOW,
  lastUsedAt: NOW,
  expiresAt: NOW + 30 * 24 * 3_600_000,
  ...overrides,
});

export const passkeyRecord = (overrides: Partial<Passkey> = {}): Passkey => ({
  id: randomBytes(32).toString("base64url"),
  accountId: newId("account", NOW, randomBytes),
  name: "laptop",
  publicKey: randomBytes(77).toString("base64url"),
  counter: 0,
  transports: ["internal", "hybrid"],
  createdAt: NOW,
  ...overrides,
});

export const signingKeyRecord = (overrides: Partial<SigningKey> = {}): SigningKey => ({
  id: newId("signing", NOW, randomBytes),
  secret: randomBytes(32).toString("base64"),
  createdAt: NOW,
  ...overrides,
});
