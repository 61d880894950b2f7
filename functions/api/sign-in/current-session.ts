import { RequestError } from "../../domain/errors.ts";
import type { Context } from "../../domain/ports.ts";
import type { Session } from "../../domain/sessions/session.ts";
import { cookieHash, cookieKeyId } from "../../domain/sessions/session-tokens.ts";
import { SESSION_NOTED_MS } from "../../domain/sessions/sign-in-limits.ts";
import { asError, logger } from "../../logger.ts";
import { type ApiRequest, requestKeys } from "../request.ts";
import { sessionCookie } from "./session-cookie.ts";
import { signingKeys } from "./signing-keys.ts";

/**
 * Finds the session of the cookie with one consistent read, so an ended session is rejected from the next request on. A
 * forged cookie is detected by its signature, without a read. The last use of the session is recorded once an hour.
 *
 * @returns the session; undefined when there is none or it has ended
 */
export const currentSession = async (
  context: Pick<Context, "sessions">,
  request: ApiRequest<unknown>,
): Promise<Session | undefined> => {
  const { now } = request;
  const cookie = sessionCookie(request);
  const keyId = cookie === undefined ? undefined : cookieKeyId(cookie);
  if (cookie === undefined || keyId === undefined) {
    return undefined;
  }
  const hash = cookieHash(cookie, await signingKeys(context, now, keyId), now);
  const session = hash === undefined ? undefined : await context.sessions.findSession(hash);
  if (session === undefined || session.expiresAt <= now) {
    return undefined;
  }
  if (now - session.lastUsedAt >= SESSION_NOTED_MS) {
    await note(context, request, session);
  }
  return session;
};

/** Best effort: pages can still be read when the disk is full. */
const note = async (
  { sessions }: Pick<Context, "sessions">,
  request: ApiRequest<unknown>,
  { hash }: Session,
): Promise<void> => {
  try {
    await sessions.noteSession(hash, request.now);
  } catch (error) {
    logger.warn("session use was not recorded", { ...requestKeys(request), error: asError(error) });
  }
};

/**
 * @returns the session that the middleware found
 * @throws RequestError `missing_session` when there is none
 */
export const ownSession = ({ session }: ApiRequest<unknown>): Session => {
  if (session === undefined) {
    throw new RequestError("missing_session", "Not signed in.");
  }
  return session;
};
