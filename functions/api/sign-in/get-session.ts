import { memberOf } from "../../domain/accounts/members.ts";
import { example, operation } from "../operation.ts";
import { sessionOnly } from "../permissions.ts";
import { currentSession } from "./current-session.ts";
import { noCookieHeaders, sessionCookie } from "./session-cookie.ts";
import { sessionView } from "./session-view.ts";

/**
 * Returns the current session, and what this server offers. Pages call it first, so being signed out is not an error.
 */
export const getSession = operation({
  id: "getSession",
  methods: ["GET"],
  path: "/api/v1/session",
  auth: "none",
  permissions: {
    tables: { keys: ["GetItem", "UpdateItem"] },
    only: { keys: { records: ["acc_*", "session#*", "signing"], ...sessionOnly.keys } },
    offers: true,
    operates: true,
  },
  tag: "Sessions",
  summary: "Retrieve the current session",
  description:
    "Returns the current session and account, and what this server offers. When signed out, `account` and `session` are null.",
  answers: {
    200: { description: "The current session.", examples: ["session", "noSession", "visitorSession"] },
  },
  examples: ({ deployment, account, session }) => ({
    session: example("Session", "Signed in", sessionView(deployment, { account, session })),
    noSession: example("Session", "Signed out", sessionView(deployment)),
  }),
  run: (context) => async (request) => {
    const session = await currentSession(context, request);
    const account = session && (await context.accounts.getAccount(session.accountId));
    if (session === undefined || account === undefined || memberOf(account, session.memberId) === undefined) {
      const stale = sessionCookie(request) !== undefined;
      return { status: 200, ...(stale && { headers: noCookieHeaders(request) }), body: sessionView(context) };
    }
    return { status: 200, body: sessionView(context, { account, session }) };
  },
});
