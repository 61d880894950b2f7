import type { Session } from "../../domain/sessions/session.ts";
import type { DeviceListView } from "../../domain/sessions/session-views.ts";
import { timestamp } from "../../domain/times.ts";
import { example, operation } from "../operation.ts";
import { keyed, signedIn } from "../permissions.ts";

/** Lists the sessions of the member, last used first. */
export const listSessions = operation({
  id: "listSessions",
  methods: ["GET"],
  path: "/api/v1/session/devices",
  auth: "session",
  permissions: { tables: keyed, only: signedIn(), lists: true },
  tag: "Sessions",
  summary: "List sessions",
  description: "Lists the sessions of the member who is signed in, last used first.",
  answers: { 200: { description: "The sessions.", examples: ["deviceList"] } },
  examples: ({ session }) => ({
    deviceList: example("DeviceList", "One session", {
      sessions: [deviceView(session, session.id)],
    } satisfies DeviceListView),
  }),
  run: (context) => async (request) => {
    const sessions = await context.sessions.sessionsOf(request.accountId);
    const active = sessions.filter(
      ({ expiresAt, memberId }) => expiresAt > request.now && memberId === request.session?.memberId,
    );
    const body: DeviceListView = {
      sessions: active
        .sort((one, other) => other.lastUsedAt - one.lastUsedAt || other.createdAt - one.createdAt)
        .map((session) => deviceView(session, request.session?.id)),
    };
    return { status: 200, body };
  },
});

const deviceView = (
  { id, device, by, createdAt, lastUsedAt, expiresAt }: Session,
  currentId: string | undefined,
): DeviceListView["sessions"][number] => ({
  id,
  device,
  by,
  created_at: timestamp(createdAt),
  last_used_at: timestamp(lastUsedAt),
  expires_at: timestamp(expiresAt),
  current: id === currentId,
});
