import { openAccount } from "../domain/accounts.ts";
import { RequestError } from "../domain/errors.ts";
import type { Account } from "../domain/plans.ts";
import type { Context } from "../domain/ports.ts";
import { isRightCode } from "../domain/sign-in-codes.ts";
import { CODE_TRIES_MAX, CODE_TRIES_PER_ADDRESS_DAY, TRIES_PER_NETWORK_HOUR } from "../domain/sign-in-limits.ts";
import { takeAllowance, takeOfNetwork } from "./allowances.ts";
import { http, type Operation } from "./http.ts";
import type { ApiRequest } from "./request.ts";
import { checkSameOrigin } from "./same-origin.ts";
import { signIn } from "./sign-in.ts";
import { type CodeSessionRequest, codeSessionRequest } from "./sign-in-request.ts";
import { signingKeys } from "./signing-keys.ts";

/** Signs in whoever has the code that was sent, and opens an account for an address that has none yet. */
export const createSession: Operation<CodeSessionRequest> = (context) => async (request) => {
  checkSameOrigin(request);
  const email = await provenAddress(context, request);
  const account = await accountOf(context, email);
  return signIn(context, request, { account, by: "code" });
};

export const handler = http("createSession", createSession, codeSessionRequest);

/**
 * Tries the code: the try is counted before it is looked at, so that many at once have no more tries than one after another.
 *
 * @returns the address that it was sent to
 */
const provenAddress = async (context: Context, request: ApiRequest<CodeSessionRequest>): Promise<string> => {
  const { body, now } = request;
  await takeOfNetwork(context, request, {
    name: "tries of a network",
    allowance: TRIES_PER_NETWORK_HOUR,
    text: "Too many codes were tried from your network",
  });
  const challenge = await context.sessions.tryChallenge(body.challenge_id, CODE_TRIES_MAX);
  if (challenge?.kind !== "code" || challenge.email === undefined || challenge.expiresAt <= now) {
    throw wrongCode("It was used, tried too often, or is too old");
  }
  await takeAllowance(context, request, {
    name: "tries of a day",
    who: challenge.email,
    allowance: CODE_TRIES_PER_ADDRESS_DAY,
    text: "Too many codes were tried for this address",
  });
  if (!isRightCode(challenge, body.code, { keys: await signingKeys(context, now), now })) {
    const left = CODE_TRIES_MAX - challenge.tries;
    throw wrongCode(left > 0 ? `These are not the digits that were sent; tries left: ${left}` : "No try is left");
  }
  if (!(await context.sessions.endChallenge(challenge.id))) {
    throw wrongCode("It was used");
  }
  return challenge.email;
};

const wrongCode = (reason: string): RequestError =>
  new RequestError("wrong_code", `This code does not sign you in. ${reason}. You can have a new one sent.`);

/** Of two who sign up with one address at once, each finds the account that one of them has opened. */
const accountOf = async (context: Context, email: string): Promise<Account> => {
  const { accounts } = context;
  const account =
    (await accounts.findByEmail(email)) ??
    (await openAccount(context, { email, plan: "free", quota: undefined })) ??
    (await accounts.findByEmail(email));
  if (account === undefined) {
    throw new TypeError("An address is taken, and no account has it.");
  }
  return account;
};
