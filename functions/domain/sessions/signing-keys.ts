import { createHmac, timingSafeEqual } from "node:crypto";
import { newId, type RandomBytes } from "../ids.ts";
import type { SigningKey } from "./session.ts";
import { SIGNING_KEY_HOLD_MS, SIGNING_KEY_MS } from "./sign-in-limits.ts";

/**
 * Signing keys of sessions and codes. A signature includes its key and purpose, so it cannot be used for another
 * purpose.
 */

/** What is signed: a session token, or an emailed code. */
export type Purpose = "code" | "session";

/** @returns a key of 256 random bits */
export const newSigningKey = (now: number, random: RandomBytes): SigningKey => ({
  id: newId("signing", now, random),
  secret: Buffer.from(random(32)).toString("base64"),
  createdAt: now,
});

/** @returns the key to sign with; undefined when a new one is due */
export const signingKeyAt = (keys: readonly SigningKey[], now: number): SigningKey | undefined =>
  keys.find(({ createdAt }) => createdAt > now - SIGNING_KEY_MS);

/** @returns the key with this ID, if its signatures can still be valid */
export const holdingKey = (keys: readonly SigningKey[], id: string, now: number): SigningKey | undefined =>
  keys.find((key) => key.id === id && key.createdAt > now - SIGNING_KEY_HOLD_MS);

/** @returns HMAC-SHA-256 of the text, base64url */
export const signatureOf = ({ secret }: SigningKey, purpose: Purpose, text: string): string =>
  createHmac("sha256", Buffer.from(secret, "base64")).update(`${purpose}\n${text}`).digest("base64url");

/** @returns whether both are equal, in constant time */
export const isSame = (one: string, other: string): boolean => {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
};
