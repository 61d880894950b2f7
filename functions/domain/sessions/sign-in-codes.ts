import { newId, type RandomBytes } from "../ids.ts";
import type { Challenge, SigningKey } from "./session.ts";
import { CODE_MS } from "./sign-in-limits.ts";
import { holdingKey, isSame, signatureOf } from "./signing-keys.ts";

/** Emailed sign-in codes: six digits, of which only a keyed hash is stored. */

const CODES = 1_000_000n;

/** @returns six digits. 128 random bits modulo a million have a bias of one part in 10^32. */
export const newCode = (random: RandomBytes): string =>
  String(BigInt(`0x${Buffer.from(random(16)).toString("hex")}`) % CODES).padStart(6, "0");

/** @returns the challenge of the code, to be stored */
export const codeChallenge = (
  { email, code, key }: { readonly email: string; readonly code: string; readonly key: SigningKey },
  now: number,
  random: RandomBytes,
): Challenge => {
  const id = newId("challenge", now, random);
  return {
    id,
    kind: "code",
    email,
    answer: `${key.id}.${answerOf(key, id, code)}`,
    tries: 0,
    expiresAt: now + CODE_MS,
  };
};

/** @returns whether the code matches the challenge */
export const isRightCode = (
  { id, answer }: Pick<Challenge, "answer" | "id">,
  code: string,
  { keys, now }: { readonly keys: readonly SigningKey[]; readonly now: number },
): boolean => {
  const [keyId = "", hash = ""] = answer.split(".");
  const key = holdingKey(keys, keyId, now);
  return key !== undefined && isSame(answerOf(key, id, code), hash);
};

const answerOf = (key: SigningKey, challengeId: string, code: string): string =>
  signatureOf(key, "code", `${challengeId}\n${code}`);
