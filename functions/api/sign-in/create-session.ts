import { newCode } from "../../domain/sessions/sign-in-codes.ts";
import { checkSameOrigin } from "../middleware/same-origin.ts";
import { example, operation } from "../operation.ts";
import { allowanceOnly } from "../permissions.ts";
import { accountOfAddress } from "./account-of-address.ts";
import { CODE_ATTRIBUTES, codeSessionRequest, provenAddress } from "./proven-address.ts";
import { signIn } from "./sign-in.ts";

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
        records: ["acc_*", "cha_*", "email#*", "seats#*", "session#*", "signing"],
        attributes: CODE_ATTRIBUTES,
      },
      quotas: allowanceOnly,
    },
    lists: true,
    offers: true,
    operates: true,
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
    return signIn(context, request, { ...(await accountOfAddress(context, email)), by: "code" });
  },
});
