import { ownSession } from "./current-session.ts";
import { http, type Operation } from "./http.ts";
import { noCookieHeaders } from "./session-cookie.ts";

/** Signs this browser out: the session ends at once, and its cookie goes. */
export const deleteSession: Operation = (context) => async (request) => {
  await context.sessions.endSession(ownSession(request).hash);
  return { status: 204, headers: noCookieHeaders(request) };
};

export const handler = http("deleteSession", deleteSession);
