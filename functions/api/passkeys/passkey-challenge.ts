import { RequestError } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import type { Context } from "../../domain/ports.ts";
import { newPasskeyChallenge } from "../../domain/sessions/passkeys.ts";
import type { Challenge } from "../../domain/sessions/session.ts";
import { PASSKEY_CHALLENGE_MS } from "../../domain/sessions/sign-in-limits.ts";
import type { ApiRequest } from "../request.ts";

/** Stores a passkey challenge for five minutes. @returns the challenge */
export const storeChallenge = async (
  { sessions, random }: Context,
  { now }: ApiRequest<unknown>,
  what: Pick<Challenge, "accountId" | "kind">,
): Promise<Challenge> => {
  const challenge: Challenge = {
    ...what,
    id: newId("challenge", now, random),
    answer: newPasskeyChallenge(random),
    tries: 0,
    expiresAt: now + PASSKEY_CHALLENGE_MS,
  };
  await sessions.addChallenge(challenge);
  return challenge;
};

/**
 * Consumes a challenge, which allows one attempt.
 *
 * @throws RequestError `passkey_refused` when it is unknown, was already used, has expired, or is of another kind
 */
export const takeChallenge = async (
  { sessions }: Context,
  { now }: ApiRequest<unknown>,
  { id, kind }: Pick<Challenge, "id" | "kind">,
): Promise<Challenge> => {
  const challenge = await sessions.tryChallenge(id, 1);
  const isTaken = challenge?.kind === kind && (await sessions.endChallenge(id));
  if (challenge === undefined || !isTaken || challenge.expiresAt <= now) {
    throw new RequestError("passkey_refused", "The challenge has expired or was already used. Start again.");
  }
  return challenge;
};
