import { RequestError } from "../domain/errors.ts";
import { newId } from "../domain/ids.ts";
import { newPasskeyChallenge } from "../domain/passkeys.ts";
import type { Context } from "../domain/ports.ts";
import type { Challenge } from "../domain/sessions.ts";
import { PASSKEY_CHALLENGE_MS } from "../domain/sign-in-limits.ts";
import type { ApiRequest } from "./request.ts";

/** Stores a challenge for a passkey, for five minutes. @returns it */
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
 * Takes a challenge, whose one try this is.
 *
 * @throws RequestError `passkey_refused` when it is not there, was answered before, is too old or another kind
 */
export const takeChallenge = async (
  { sessions }: Context,
  { now }: ApiRequest<unknown>,
  { id, kind }: Pick<Challenge, "id" | "kind">,
): Promise<Challenge> => {
  const challenge = await sessions.tryChallenge(id, 1);
  const isTaken = challenge?.kind === kind && (await sessions.endChallenge(id));
  if (challenge === undefined || !isTaken || challenge.expiresAt <= now) {
    throw new RequestError("passkey_refused", "The challenge was answered before, or is too old. Begin again.");
  }
  return challenge;
};
