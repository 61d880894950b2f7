import * as z from "zod/mini";
import { described } from "../../domain/conversions/options/described.ts";
import { id, text, time } from "../../domain/fields.ts";
import { newId } from "../../domain/ids.ts";
import { identityFlow } from "../../domain/sessions/identity.ts";
import type { Challenge } from "../../domain/sessions/session.ts";
import { CHALLENGES_PER_NETWORK_HOUR, IDENTITY_CHALLENGE_MS } from "../../domain/sessions/sign-in-limits.ts";
import { timestamp } from "../../domain/times.ts";
import { checkSameOrigin } from "../middleware/same-origin.ts";
import { example, operation } from "../operation.ts";
import { allowanceOnly } from "../permissions.ts";
import { takeOfNetwork } from "./allowances.ts";
import { fromProvider, providerOf } from "./provider.ts";

export const identityRequestSchema = described(
  z.strictObject({
    challenge_id: id("cha", "The challenge ID to pass to `createOidcSession`. Only this browser may know it."),
    url: text("The page of the identity provider where the user signs in."),
    expires_at: time("When the sign-in expires."),
  }),
  "A sign-in that the identity provider continues.",
);

/** Starts a sign-in with the operator's identity provider. */
export const startOidcSignIn = operation({
  id: "startOidcSignIn",
  methods: ["POST"],
  path: "/api/v1/session/oidc/options",
  auth: "none",
  timeoutSeconds: 20,
  permissions: {
    tables: { keys: ["PutItem"], quotas: ["UpdateItem"] },
    only: { keys: { records: "cha_*" }, quotas: allowanceOnly },
    identifies: true,
    outbound: true,
  },
  tag: "Sessions",
  summary: "Start a sign-in with the identity provider",
  description:
    "Starts a sign-in by OpenID Connect (authorization code with PKCE), if the operator has set up an identity provider. Open `url` in the browser; the provider returns to `/sign-in` with `code` and `state` for `createOidcSession`. It expires after ten minutes.",
  answers: { 200: { description: "The sign-in was started.", examples: ["identityRequest"] } },
  errors: ["cross_site", "rate_limited", "not_offered", "temporarily_unavailable"],
  examples: ({ challengeId, time: at }) => ({
    identityRequest: example("IdentityRequest", "A sign-in at id.example.com", {
      challenge_id: challengeId,
      url: "https://id.example.com/auth?client_id=anyform&response_type=code&scope=openid+email",
      expires_at: timestamp(at + IDENTITY_CHALLENGE_MS),
    } satisfies z.infer<typeof identityRequestSchema>),
  }),
  schemas: () => ({ IdentityRequest: identityRequestSchema }),
  run: (context) => async (request) => {
    const { baseUrl, now } = request;
    const provider = providerOf(context);
    checkSameOrigin(request);
    await takeOfNetwork(context, request, {
      name: "identity requests of a network",
      allowance: CHALLENGES_PER_NETWORK_HOUR,
      text: "Too many sign-ins started from your network",
    });
    const challenge: Challenge = {
      id: newId("challenge", now, context.random),
      kind: "identity",
      answer: Buffer.from(context.random(32)).toString("base64url"),
      tries: 0,
      expiresAt: now + IDENTITY_CHALLENGE_MS,
    };
    const url = await fromProvider(request, () => provider.signInUrl(identityFlow(challenge.answer, baseUrl)));
    await context.sessions.addChallenge(challenge);
    return { status: 200, body: { challenge_id: challenge.id, url, expires_at: timestamp(challenge.expiresAt) } };
  },
});
