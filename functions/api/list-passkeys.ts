import { http, type Operation } from "./http.ts";
import { passkeyView } from "./session-view.ts";

/** Lists the passkeys of the account, the newest first. */
export const listPasskeys: Operation = (context) => async (request) => {
  const passkeys = await context.sessions.passkeysOf(request.accountId);
  const newestFirst = [...passkeys].sort((one, other) => other.createdAt - one.createdAt);
  return { status: 200, body: { passkeys: newestFirst.map(passkeyView) } };
};

export const handler = http("listPasskeys", listPasskeys);
