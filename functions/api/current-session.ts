import { RequestError } from "../domain/errors.ts";
import type { Context } from "../domain/ports.ts";
import { cookieHash, cookieKeyId } from "../domain/session-tokens.ts";
import type { Session } from "../domain/sessions.ts";
import { SESSION_NOTED_MS } from "../domain/sign-in-limits.ts";
import { asError, logger } from "../logger.ts";
import { type ApiRequest, requestKeys } from "./request.ts";
import { sessionCookie } from "./session-cookie.ts";
import { signingKeys } from "./signing-keys.ts";

/**
 * Finds the session of the cookie by one consistent read, so that one that was ended is refused from the next request on. A
 * forged cookie is told by its signature, and costs no read. That the session is used is written down once an hour.
 *
 * @returns the session; undefined when there is none, or it has ended
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

/** A courtesy: a disk that takes no more of it still has pages to read. */
const note = async (
  { sessions }: Pick<Context, "sessions">,
  request: ApiRequest<unknown>,
  { hash }: Session,
): Promise<void> => {
  try {
    await sessions.noteSession(hash, request.now);
  } catch (error) {
    logger.warn("the use of a session was not noted", { ...requestKeys(request), error: asError(error) });
  }
};

/**
 * @returns the session that the middleware has found
 * @throws RequestError `missing_session` where it has not
 */
export const ownSession = ({ session }: ApiRequest<unknown>): Session => {
  if (session === undefined) {
    throw new RequestError("missing_session", "Nobody is signed in here.");
  }
  return session;
};
