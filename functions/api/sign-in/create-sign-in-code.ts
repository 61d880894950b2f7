import * as z from "zod/mini";
import { described } from "../../domain/conversions/options/described.ts";
import { RequestError } from "../../domain/errors.ts";
import type { Context } from "../../domain/ports.ts";
import type { ChallengeView } from "../../domain/sessions/session-views.ts";
import { codeChallenge, newCode } from "../../domain/sessions/sign-in-codes.ts";
import {
  CODE_MS,
  CODES_PER_ADDRESS_DAY,
  CODES_PER_ADDRESS_HOUR,
  CODES_PER_NETWORK_HOUR,
} from "../../domain/sessions/sign-in-limits.ts";
import { locales, signInMail } from "../../domain/sessions/sign-in-mail.ts";
import { timestamp } from "../../domain/times.ts";
import { example, operation } from "../operation.ts";
import { allowanceOnly, SIGNING_ATTRIBUTES } from "../permissions.ts";
import type { ApiRequest } from "../request.ts";
import { takeAllowance, takeOfNetwork } from "./allowances.ts";
import { emailField, normalEmail } from "./email-field.ts";
import { signingKey } from "./signing-keys.ts";

export const codeRequest = described(
  z.strictObject({
    email: emailField("The email address that the code is sent to. Case-insensitive."),
    locale: z.optional(described(z.enum(locales), "The language of the email. Default: `en`.")),
  }),
  "A request for a sign-in code.",
);

type CodeRequest = z.infer<typeof codeRequest>;

/**
 * Emails a sign-in code. Whether an account has the address is not checked until the code is entered, so neither the
 * response nor its timing reveals it.
 */
export const createSignInCode = operation({
  id: "createSignInCode",
  methods: ["POST"],
  path: "/api/v1/session/code",
  auth: "none",
  permissions: {
    tables: { keys: ["GetItem", "PutItem", "UpdateItem"], quotas: ["UpdateItem"] },
    only: { keys: { records: ["cha_*", "signing"], attributes: SIGNING_ATTRIBUTES }, quotas: allowanceOnly },
    mails: true,
  },
  tag: "Sessions",
  summary: "Send a sign-in code",
  description:
    "Emails a six-digit code that `createSession` accepts for ten minutes. The response and the limits are the same whether or not an account has the address: 5 codes per hour and 20 per day to one address, 30 per hour from one network (an IPv4 address or an IPv6 /64; 120 from a /56 and 480 from a /48).",
  requests: ["codeRequest"],
  answers: { 202: { description: "The code was sent.", examples: ["codeSent"] } },
  errors: ["rate_limited", "not_offered"],
  examples: ({ account, challengeId, time }) => ({
    codeRequest: example("CodeRequest", "An email address", { email: account.email, locale: "en" }),
    codeSent: example("SignInCode", "A code that was sent", {
      challenge_id: challengeId,
      expires_at: timestamp(time + CODE_MS),
    } satisfies ChallengeView),
  }),
  schemas: () => ({ CodeRequest: codeRequest }),
  body: codeRequest,
  run: (context) => async (request) => {
    const { now, body } = request;
    const { mail, random } = context;
    if (context.signInCodes === false) {
      throw new RequestError("not_offered", "This server does not email sign-in codes. Use its identity provider.");
    }
    if (mail === undefined) {
      throw new RequestError(
        "not_offered",
        "Email is not configured on this server, so sign-in codes are unavailable.",
      );
    }
    const email = normalEmail(body.email);
    await enforceLimits(context, request, email);
    const code = newCode(random);
    const challenge = codeChallenge({ email, code, key: await signingKey(context, now) }, now, random);
    await context.sessions.addChallenge(challenge);
    await mail.send(signInMail(email, code, body.locale ?? "en"));
    const view: ChallengeView = { challenge_id: challenge.id, expires_at: timestamp(challenge.expiresAt) };
    return { status: 202, body: view };
  },
});

/** The network's limit is checked first, so that a network without allowance cannot use up those of addresses. */
const enforceLimits = async (context: Context, request: ApiRequest<CodeRequest>, email: string): Promise<void> => {
  await takeOfNetwork(context, request, {
    name: "codes of a network",
    allowance: CODES_PER_NETWORK_HOUR,
    text: "Too many codes requested from your network",
  });
  const text = "Too many codes requested for this address";
  for (const [name, allowance] of [
    ["codes of an hour", CODES_PER_ADDRESS_HOUR],
    ["codes of a day", CODES_PER_ADDRESS_DAY],
  ] as const) {
    await takeAllowance(context, request, { name, who: email, allowance, text });
  }
};
