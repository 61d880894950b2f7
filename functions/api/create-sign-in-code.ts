import { RequestError } from "../domain/errors.ts";
import type { Context } from "../domain/ports.ts";
import type { ChallengeView } from "../domain/session-views.ts";
import { codeChallenge, newCode } from "../domain/sign-in-codes.ts";
import { CODES_PER_ADDRESS_DAY, CODES_PER_ADDRESS_HOUR, CODES_PER_NETWORK_HOUR } from "../domain/sign-in-limits.ts";
import { signInMail } from "../domain/sign-in-mail.ts";
import { timestamp } from "../domain/times.ts";
import { takeAllowance, takeOfNetwork } from "./allowances.ts";
import { http, type Operation } from "./http.ts";
import type { ApiRequest } from "./request.ts";
import { type CodeRequest, codeRequest } from "./sign-in-request.ts";
import { signingKey } from "./signing-keys.ts";

/**
 * Sends a code to an address. Whether an account has it is not looked at before the code comes back, so neither the answer
 * nor its time can tell.
 */
export const createSignInCode: Operation<CodeRequest> = (context) => async (request) => {
  const { now, body } = request;
  const { mail, random } = context;
  if (mail === undefined) {
    throw new RequestError("not_offered", "This deployment sends no mail, so nobody can sign in by a code.");
  }
  const email = body.email.trim().toLowerCase();
  await holdToLimits(context, request, email);
  const code = newCode(random);
  const challenge = codeChallenge({ email, code, key: await signingKey(context, now) }, now, random);
  await context.sessions.addChallenge(challenge);
  await mail.send(signInMail(email, code, body.locale ?? "en"));
  const view: ChallengeView = { challenge_id: challenge.id, expires_at: timestamp(challenge.expiresAt) };
  return { status: 202, body: view };
};

export const handler = http("createSignInCode", createSignInCode, codeRequest);

/** The network's comes first, so that one that has none left cannot use up those of addresses. */
const holdToLimits = async (context: Context, request: ApiRequest<CodeRequest>, email: string): Promise<void> => {
  await takeOfNetwork(context, request, {
    name: "codes of a network",
    allowance: CODES_PER_NETWORK_HOUR,
    text: "Too many codes were asked for from your network",
  });
  const text = "Too many codes were asked for by this address";
  for (const [name, allowance] of [
    ["codes of an hour", CODES_PER_ADDRESS_HOUR],
    ["codes of a day", CODES_PER_ADDRESS_DAY],
  ] as const) {
    await takeAllowance(context, request, { name, who: email, allowance, text });
  }
};
