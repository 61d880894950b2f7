import { signingKey } from "../../../functions/api/sign-in/signing-keys.ts";
import type { Context } from "../../../functions/domain/ports.ts";
import { newSession } from "../../../functions/domain/sessions/session-tokens.ts";

/**
 * Signs a browser in to an account of a service with an https URL.
 *
 * @param idleMs milliseconds that the session was unused
 * @returns the headers that its pages send
 */
export const signedInHeaders = async (
  context: Context,
  accountId: string,
  idleMs = 0,
): Promise<Record<string, string>> => {
  const [now, { random, sessions }] = [context.clock(), context];
  const made = newSession({ accountId, by: "code", device: "test" }, await signingKey(context, now), { now, random });
  await sessions.addSession({ ...made.session, lastUsedAt: now - idleMs });
  return { cookie: `__Host-anyform=${made.cookie}`, "sec-fetch-site": "same-origin" };
};
