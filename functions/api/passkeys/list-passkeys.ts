import { example, operation } from "../operation.ts";
import { keyed, signedIn } from "../permissions.ts";
import { passkeyView } from "../sign-in/session-view.ts";

/** Lists the passkeys of the account, newest first. */
export const listPasskeys = operation({
  id: "listPasskeys",
  methods: ["GET"],
  path: "/api/v1/session/passkeys",
  auth: "session",
  permissions: { tables: keyed, only: signedIn(), lists: true },
  tag: "Sessions",
  summary: "List passkeys",
  description: "Lists the passkeys of the member who is signed in, newest first.",
  answers: { 200: { description: "The passkeys.", examples: ["passkeyList"] } },
  examples: ({ passkey }) => ({
    passkeyList: example("PasskeyList", "One passkey", { passkeys: [passkeyView(passkey)] }),
  }),
  run: (context) => async (request) => {
    const all = await context.sessions.passkeysOf(request.accountId);
    const passkeys = all.filter(({ memberId }) => memberId === request.session?.memberId);
    const newestFirst = [...passkeys].sort((one, other) => other.createdAt - one.createdAt);
    return { status: 200, body: { passkeys: newestFirst.map(passkeyView) } };
  },
});
