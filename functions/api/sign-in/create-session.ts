import * as z from "zod/mini";
import { openAccount } from "../../domain/accounts/account.ts";
import type { Account } from "../../domain/accounts/plans.ts";
import { described } from "../../domain/conversions/options/described.ts";
import { RequestError } from "../../domain/errors.ts";
import type { Context } from "../../domain/ports.ts";
import { isRightCode, newCode } from "../../domain/sessions/sign-in-codes.ts";
import {
  CODE_TRIES_MAX,
  CODE_TRIES_PER_ADDRESS_DAY,
  TRIES_PER_NETWORK_HOUR,
} from "../../domain/sessions/sign-in-limits.ts";
import { checkSameOrigin } from "../middleware/same-origin.ts";
import { example, operation } from "../operation.ts";
import { allowanceOnly, SIGNING_ATTRIBUTES } from "../permissions.ts";
import type { ApiRequest } from "../request.ts";
import { takeAllowance, takeOfNetwork } from "./allowances.ts";
import { challengeId } from "./challenge-id.ts";
import { signIn } from "./sign-in.ts";
import { signingKeys } from "./signing-keys.ts";

export const codeSessionRequest = described(
  z.strictObject({
    challenge_id: challengeId("createSignInCode"),
    code: described(z.string().check(z.regex(/^[0-9]{6}$/, "a string of six digits")), "The six digits of the email."),
  }),
  "A sign-in code.",
);

type CodeSessionRequest = z.infer<typeof codeSessionRequest>;

/** Signs in with the emailed code, and creates an account for an address that has none. */
export const createSession = operation({
  id: "createSession",
  methods: ["POST"],
  path: "/api/v1/session",
  auth: "none",
  permissions: {
    tables: { keys: ["DeleteItem", "GetItem", "PutItem", "UpdateItem"], quotas: ["UpdateItem"] },
    only: {
      keys: {
        records: ["acc_*", "cha_*", "email#*", "session#*", "signing"],
        attributes: [...SIGNING_ATTRIBUTES, "tries"],
      },
      quotas: allowanceOnly,
    },
    lists: true,
    offers: true,
  },
  tag: "Sessions",
  summary: "Sign in with a code",
  description:
    "Signs in with an emailed code. Creates an account on the `free` plan if the address has none. A code works once and allows five attempts. The session is an HttpOnly cookie that expires after 30 days.",
  requests: ["codeSessionRequest"],
  answers: { 201: { description: "Signed in.", examples: ["session"], headers: ["Set-Cookie"] } },
  errors: ["cross_site", "wrong_code", "rate_limited"],
  examples: ({ challengeId }) => ({
    codeSessionRequest: example("CodeSessionRequest", "The emailed code", {
      challenge_id: challengeId,
      code: newCode((count) => new Uint8Array(count).fill(7)),
    }),
  }),
  schemas: () => ({ CodeSessionRequest: codeSessionRequest }),
  body: codeSessionRequest,
  run: (context) => async (request) => {
    checkSameOrigin(request);
    const email = await provenAddress(context, request);
    const account = await accountOf(context, email);
    return signIn(context, request, { account, by: "code" });
  },
});

/**
 * Verifies the code. The attempt is counted first, so that concurrent requests do not get extra attempts.
 *
 * @returns the address that it was sent to
 */
const provenAddress = async (context: Context, request: ApiRequest<CodeSessionRequest>): Promise<string> => {
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

/** Concurrent sign-ups with one address both get the account that one of them created. */
const accountOf = async (context: Context, email: string): Promise<Account> => {
  const { accounts } = context;
  const account =
    (await accounts.findByEmail(email)) ??
    (await openAccount(context, { email, plan: "free", quota: undefined })) ??
    (await accounts.findByEmail(email));
  if (account === undefined) {
    throw new TypeError("An email address is taken, but no account has it.");
  }
  return account;
};
