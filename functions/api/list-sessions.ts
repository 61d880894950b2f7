import type { DeviceListView } from "../domain/session-views.ts";
import { timestamp } from "../domain/times.ts";
import { http, type Operation } from "./http.ts";

/** Lists where the account is signed in, the session that was used last first. */
export const listSessions: Operation = (context) => async (request) => {
  const sessions = await context.sessions.sessionsOf(request.accountId);
  const holding = sessions.filter(({ expiresAt }) => expiresAt > request.now);
  const body: DeviceListView = {
    sessions: holding
      .sort((one, other) => other.lastUsedAt - one.lastUsedAt || other.createdAt - one.createdAt)
      .map(({ id, device, by, createdAt, lastUsedAt, expiresAt }) => ({
        id,
        device,
        by,
        created_at: timestamp(createdAt),
        last_used_at: timestamp(lastUsedAt),
        expires_at: timestamp(expiresAt),
        current: id === request.session?.id,
      })),
  };
  return { status: 200, body };
};

export const handler = http("listSessions", listSessions);
