import type { Account } from "../../domain/accounts/plans.ts";
import type { Context } from "../../domain/ports.ts";
import { deviceOf } from "../../domain/sessions/devices.ts";
import { type NewSession, newSession } from "../../domain/sessions/session-tokens.ts";
import { SESSIONS_MAX } from "../../domain/sessions/sign-in-limits.ts";
import type { Answer, ApiRequest } from "../request.ts";
import { cookieHeaders } from "./session-cookie.ts";
import { sessionView } from "./session-view.ts";
import { signingKey } from "./signing-keys.ts";

/** Signs in the browser. @returns the response, whose cookie is the only place that contains the session token */
export const signIn = async (
  context: Context,
  request: ApiRequest<unknown>,
  { account, ...signed }: { readonly account: Account } & Pick<NewSession, "by" | "expiresAt" | "memberId">,
): Promise<Answer> => {
  const { now } = request;
  const key = await signingKey(context, now);
  const device = deviceOf(request.headers["user-agent"]);
  const { session, cookie } = newSession({ accountId: account.id, device, ...signed }, key, {
    now,
    random: context.random,
  });
  await context.sessions.addSession(session);
  if (signed.by !== "visitor") {
    await endOldest(context, account.id);
  }
  return {
    status: 201,
    headers: cookieHeaders(request, cookie, session.expiresAt - now),
    body: sessionView(context, { account, session }),
  };
};

const endOldest = async ({ sessions }: Context, accountId: string): Promise<void> => {
  const all = await sessions.sessionsOf(accountId);
  const oldest = [...all].sort((one, other) => other.lastUsedAt - one.lastUsedAt).slice(SESSIONS_MAX);
  await Promise.all(oldest.map(({ hash }) => sessions.endSession(hash)));
};
