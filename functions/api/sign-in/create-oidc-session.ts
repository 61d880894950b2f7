import * as z from "zod/mini";
import { described } from "../../domain/conversions/options/described.ts";
import { RequestError } from "../../domain/errors.ts";
import type { Context } from "../../domain/ports.ts";
import { type IdentityFlow, identityFlow } from "../../domain/sessions/identity.ts";
import { IDENTITY_ANSWER_CHARACTERS_MAX, TRIES_PER_NETWORK_HOUR } from "../../domain/sessions/sign-in-limits.ts";
import { isSame } from "../../domain/sessions/signing-keys.ts";
import { checkSameOrigin } from "../middleware/same-origin.ts";
import { example, operation } from "../operation.ts";
import { allowanceOnly } from "../permissions.ts";
import type { ApiRequest } from "../request.ts";
import { accountOfAddress } from "./account-of-address.ts";
import { takeOfNetwork } from "./allowances.ts";
import { challengeId } from "./challenge-id.ts";
import { isEmail, normalEmail } from "./email-field.ts";
import { CODE_ATTRIBUTES } from "./proven-address.ts";
import { fromProvider, providerOf } from "./provider.ts";
import { signIn } from "./sign-in.ts";

const parameter = (description: string) =>
  described(z.string().check(z.minLength(1), z.maxLength(IDENTITY_ANSWER_CHARACTERS_MAX)), description);

export const oidcSessionRequest = described(
  z.strictObject({
    challenge_id: challengeId("startOidcSignIn"),
    code: parameter("`code` of the URL that the provider returned to."),
    state: parameter("`state` of that URL."),
    iss: z.optional(parameter("`iss` of that URL, if it has one.")),
  }),
  "The answer of the identity provider.",
);

type OidcSessionRequest = z.infer<typeof oidcSessionRequest>;

/** Signs in with the address that the operator's identity provider has verified. A sign-in can be answered once. */
export const createOidcSession = operation({
  id: "createOidcSession",
  methods: ["POST"],
  path: "/api/v1/session/oidc",
  auth: "none",
  timeoutSeconds: 29,
  permissions: {
    tables: { keys: ["DeleteItem", "GetItem", "PutItem", "UpdateItem"], quotas: ["UpdateItem"] },
    only: {
      keys: { records: ["acc_*", "cha_*", "email#*", "seats#*", "session#*", "signing"], attributes: CODE_ATTRIBUTES },
      quotas: allowanceOnly,
    },
    lists: true,
    offers: true,
    identifies: true,
    outbound: true,
  },
  tag: "Sessions",
  summary: "Sign in with the identity provider",
  description:
    "Signs in with the answer of the identity provider to `startOidcSignIn`. The provider must have verified the email address. Creates an account on the `free` plan if the address has none. The session is the same as that of `createSession`.",
  requests: ["oidcSessionRequest"],
  answers: { 201: { description: "Signed in.", examples: ["session"], headers: ["Set-Cookie"] } },
  errors: ["cross_site", "identity_refused", "rate_limited", "not_offered", "temporarily_unavailable"],
  examples: ({ challengeId: challenge_id }) => ({
    oidcSessionRequest: example("OidcSessionRequest", "The parameters of the returned URL", {
      challenge_id,
      code: "SplxlOBeZQQYbYS6WxSbIA",
      state: "af0ifjsldkj",
    }),
  }),
  schemas: () => ({ OidcSessionRequest: oidcSessionRequest }),
  body: oidcSessionRequest,
  run: (context) => async (request) => {
    const provider = providerOf(context);
    checkSameOrigin(request);
    await takeOfNetwork(context, request, {
      name: "tries of a network",
      allowance: TRIES_PER_NETWORK_HOUR,
      text: "Too many sign-in attempts from your network",
    });
    const { code, state, iss } = request.body;
    const flow = await takeFlow(context, request);
    const email = normalEmail(await fromProvider(request, () => provider.emailOf(flow, { code, state, iss })));
    if (!isEmail(email)) {
      throw new RequestError("identity_refused", "The identity provider sent an address that cannot receive mail.");
    }
    return signIn(context, request, { ...(await accountOfAddress(context, email)), by: "identity" });
  },
});

/** Consumes the challenge before the provider is asked, so that an answer is tried once. */
const takeFlow = async ({ sessions }: Context, request: ApiRequest<OidcSessionRequest>): Promise<IdentityFlow> => {
  const { body, now, baseUrl } = request;
  const challenge = await sessions.tryChallenge(body.challenge_id, 1);
  const isTaken = challenge?.kind === "identity" && (await sessions.endChallenge(challenge.id));
  const flow = challenge && identityFlow(challenge.answer, baseUrl);
  if (flow === undefined || !isTaken || challenge.expiresAt <= now || !isSame(flow.state, body.state)) {
    throw new RequestError("identity_refused", "The sign-in has expired or was already used. Start again.");
  }
  return flow;
};
