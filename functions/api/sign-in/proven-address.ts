import * as z from "zod/mini";
import { described } from "../../domain/conversions/options/described.ts";
import { RequestError } from "../../domain/errors.ts";
import type { Context } from "../../domain/ports.ts";
import { isRightCode } from "../../domain/sessions/sign-in-codes.ts";
import {
  CODE_TRIES_MAX,
  CODE_TRIES_PER_ADDRESS_DAY,
  TRIES_PER_NETWORK_HOUR,
} from "../../domain/sessions/sign-in-limits.ts";
import { SIGNING_ATTRIBUTES } from "../permissions.ts";
import type { ApiRequest } from "../request.ts";
import { takeAllowance, takeOfNetwork } from "./allowances.ts";
import { challengeId } from "./challenge-id.ts";
import { signingKeys } from "./signing-keys.ts";

/** A code that `createSignInCode` has sent, which proves that the client receives mail at the address. */
export const codeSessionRequest = described(
  z.strictObject({
    challenge_id: challengeId("createSignInCode"),
    code: described(z.string().check(z.regex(/^[0-9]{6}$/, "a string of six digits")), "The six digits of the email."),
  }),
  "A sign-in code.",
);

export type CodeSessionRequest = z.infer<typeof codeSessionRequest>;

/** Attributes of challenges and signing keys that verifying a code changes. */
export const CODE_ATTRIBUTES = [...SIGNING_ATTRIBUTES, "tries"] as const;

/**
 * Verifies the code. The attempt is counted first, so that concurrent requests do not get extra attempts.
 *
 * @returns the address that it was sent to
 */
export const provenAddress = async (context: Context, request: ApiRequest<CodeSessionRequest>): Promise<string> => {
  const { body, now } = request;
  await takeOfNetwork(context, request, {
    name: "tries of a network",
    allowance: TRIES_PER_NETWORK_HOUR,
    text: "Too many sign-in attempts from your network",
  });
  const challenge = await context.sessions.tryChallenge(body.challenge_id, CODE_TRIES_MAX);
  if (challenge?.kind !== "code" || challenge.email === undefined || challenge.expiresAt <= now) {
    throw wrongCode("The code has expired, was already used, or had too many attempts. Request a new one.");
  }
  await takeAllowance(context, request, {
    name: "tries of a day",
    who: challenge.email,
    allowance: CODE_TRIES_PER_ADDRESS_DAY,
    text: "Too many sign-in attempts for this address",
  });
  if (!isRightCode(challenge, body.code, { keys: await signingKeys(context, now), now })) {
    const left = CODE_TRIES_MAX - challenge.tries;
    const attempts = left === 1 ? "1 attempt" : `${left} attempts`;
    throw wrongCode(left > 0 ? `Wrong code. ${attempts} left.` : "Wrong code. No attempts left. Request a new code.");
  }
  if (!(await context.sessions.endChallenge(challenge.id))) {
    throw wrongCode("The code was already used. Request a new one.");
  }
  return challenge.email;
};

const wrongCode = (detail: string): RequestError => new RequestError("wrong_code", detail);
