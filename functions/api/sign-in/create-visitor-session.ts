import { RequestError } from "../../domain/errors.ts";
import { VISITORS_PER_NETWORK_DAY } from "../../domain/sessions/sign-in-limits.ts";
import { newVisitor } from "../../domain/sessions/visitors.ts";
import { checkSameOrigin } from "../middleware/same-origin.ts";
import { example, operation } from "../operation.ts";
import { allowanceOnly, SIGNING_ATTRIBUTES } from "../permissions.ts";
import { takeOfNetwork } from "./allowances.ts";
import { sessionView } from "./session-view.ts";
import { signIn } from "./sign-in.ts";

/** Starts a session without an account, for a day and a few small files. */
export const createVisitorSession = operation({
  id: "createVisitorSession",
  methods: ["POST"],
  path: "/api/v1/session/visitor",
  auth: "none",
  permissions: {
    tables: { keys: ["GetItem", "PutItem", "UpdateItem"], quotas: ["UpdateItem"] },
    only: {
      keys: { records: ["acc_*", "email#*", "session#*", "signing"], attributes: SIGNING_ATTRIBUTES },
      quotas: allowanceOnly,
    },
    offers: true,
  },
  tag: "Sessions",
  summary: "Start a visitor session",
  description:
    "Starts a one-day session without an account, if the operator allows it: five files of up to 5 MB per network. Imports from a URL, webhooks, API keys and lists are not available.",
  answers: {
    201: { description: "The session was started.", examples: ["visitorSession"], headers: ["Set-Cookie"] },
  },
  errors: ["cross_site", "rate_limited", "not_offered"],
  examples: ({ deployment, visitor, visitorSession }) => ({
    visitorSession: example(
      "Session",
      "A visitor without an account",
      sessionView(deployment, { account: visitor, session: visitorSession }),
    ),
  }),
  run: (context) => async (request) => {
    if (context.visitors !== true) {
      throw new RequestError("not_offered", "This server requires an account. Sign in to convert files.");
    }
    checkSameOrigin(request);
    await takeOfNetwork(context, request, {
      name: "visitors",
      allowance: VISITORS_PER_NETWORK_DAY,
      text: "Too many visitor sessions from your network today",
    });
    const account = newVisitor(request.now, context.random);
    await context.accounts.createAccount(account);
    return signIn(context, request, { account, by: "visitor" });
  },
});
