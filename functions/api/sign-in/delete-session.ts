import { operation } from "../operation.ts";
import { keyed, signedIn } from "../permissions.ts";
import { ownSession } from "./current-session.ts";
import { noCookieHeaders } from "./session-cookie.ts";

/** Signs out this browser: the session ends immediately, and its cookie is removed. */
export const deleteSession = operation({
  id: "deleteSession",
  methods: ["DELETE"],
  path: "/api/v1/session",
  auth: "session",
  visitors: true,
  permissions: { tables: { ...keyed, keys: ["DeleteItem", "GetItem", "UpdateItem"] }, only: signedIn() },
  tag: "Sessions",
  summary: "Sign out",
  description: "Ends the current session immediately and removes its cookie.",
  answers: { 204: { description: "Signed out.", headers: ["Set-Cookie"] } },
  run: (context) => async (request) => {
    await context.sessions.endSession(ownSession(request).hash);
    return { status: 204, headers: noCookieHeaders(request) };
  },
});
