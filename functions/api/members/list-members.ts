import { memberList } from "../../domain/accounts/member-views.ts";
import { requireAccount } from "../account/require-account.ts";
import { example, operation } from "../operation.ts";
import { keyed, signedIn } from "../permissions.ts";

/** Lists the members of the account and its open invitations. */
export const listMembers = operation({
  id: "listMembers",
  methods: ["GET"],
  path: "/api/v1/session/members",
  auth: "session",
  permissions: { tables: keyed, only: signedIn() },
  tag: "Members",
  summary: "List members",
  description: "Lists the members of the account with their roles, and the invitations that were not accepted yet.",
  answers: { 200: { description: "The members.", examples: ["memberList"] } },
  examples: ({ teamOwner, time }) => ({
    memberList: example("MemberList", "Two members and an invitation", memberList(teamOwner, time)),
  }),
  run: () => async (request) => ({ status: 200, body: memberList(requireAccount(request), request.now) }),
});
