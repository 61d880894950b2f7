import { base62, newId, type RandomBytes, sha256Hex } from "../ids.ts";
import type { Session, SigningKey } from "./session.ts";
import { SESSION_COOKIE_CHARACTERS_MAX, SESSION_MS, VISITOR_MS } from "./sign-in-limits.ts";
import { holdingKey, isSame, signatureOf } from "./signing-keys.ts";

/**
 * The value of a session cookie: `<token>.<id of the signing key>.<signature>`. The token has 256 random bits, and the
 * table stores its SHA-256; the signature detects forged cookies without a lookup.
 */

/** The fields of a new session. */
export interface NewSession {
  readonly accountId: string;
  readonly by: Session["by"];
  readonly device: string;
  /** @default the member with the account's own address */
  readonly memberId?: string;
  /** Milliseconds since 1970. @default after the lifetime of a session */
  readonly expiresAt?: number;
}

/** @returns a session to be stored, and the value of its cookie, which is never stored */
export const newSession = (
  { accountId, by, device, memberId, expiresAt }: NewSession,
  key: SigningKey,
  { now, random }: { readonly now: number; readonly random: RandomBytes },
): { session: Session; cookie: string } => {
  const token = base62(random(32));
  const session: Session = {
    id: newId("session", now, random),
    accountId,
    ...(memberId !== undefined && { memberId }),
    hash: sha256Hex(token),
    by,
    device,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: expiresAt ?? now + (by === "visitor" ? VISITOR_MS : SESSION_MS),
  };
  return { session, cookie: `${token}.${key.id}.${signatureOf(key, "session", token)}` };
};

const COOKIE_PATTERN = /^([0-9A-Za-z]{43})\.(sig_[0-9A-Za-z]{22})\.([\w-]{43})$/;

/** @returns the ID of the cookie's signing key; undefined when the cookie is malformed */
export const cookieKeyId = (cookie: string): string | undefined =>
  cookie.length > SESSION_COOKIE_CHARACTERS_MAX ? undefined : COOKIE_PATTERN.exec(cookie)?.[2];

/** @returns SHA-256 of the cookie's token, the key of its session; undefined when the signature is invalid */
export const cookieHash = (cookie: string, keys: readonly SigningKey[], now: number): string | undefined => {
  const [, token = "", keyId = "", signature = ""] = COOKIE_PATTERN.exec(cookie) ?? [];
  const key = holdingKey(keys, keyId, now);
  return key !== undefined && isSame(signatureOf(key, "session", token), signature) ? sha256Hex(token) : undefined;
};
