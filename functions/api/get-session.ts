import { currentSession } from "./current-session.ts";
import { http, type Operation } from "./http.ts";
import { noCookieHeaders, sessionCookie } from "./session-cookie.ts";
import { sessionView } from "./session-view.ts";

/** Tells who is signed in, and what this deployment offers to whom. It is what a page asks first, so nobody is no error. */
export const getSession: Operation = (context) => async (request) => {
  const session = await currentSession(context, request);
  const account = session && (await context.accounts.getAccount(session.accountId));
  if (session === undefined || account === undefined) {
    const stale = sessionCookie(request) !== undefined;
    return { status: 200, ...(stale && { headers: noCookieHeaders(request) }), body: sessionView(context) };
  }
  return { status: 200, body: sessionView(context, { account, session }) };
};

export const handler = http("getSession", getSession);
