import * as z from "zod/mini";
import { memberList, roleField } from "../../domain/accounts/member-views.ts";
import { founderOf, withMember } from "../../domain/accounts/members.ts";
import { RequestError } from "../../domain/errors.ts";
import { example, operation } from "../operation.ts";
import { keyed, signedIn } from "../permissions.ts";
import { param } from "../request.ts";
import { changeTeam, requireInTeam } from "./change-team.ts";

export const memberChanges = z.strictObject({ role: roleField() });

/** Changes the role of a member, which applies to the member's next request. */
export const changeMember = operation({
  id: "changeMember",
  methods: ["POST"],
  path: "/api/v1/session/members/{id}",
  auth: "session",
  permissions: { tables: keyed, only: signedIn("team") },
  tag: "Members",
  summary: "Change the role of a member",
  description:
    "Changes the role of a member. It applies to the member's next request. The account's own address always is an owner.",
  parameters: ["memberId"],
  requests: ["memberChanges"],
  answers: { 200: { description: "The members.", examples: ["memberList"] } },
  errors: ["not_found", "owner_required"],
  examples: () => ({ memberChanges: example("MemberChanges", "A billing contact", { role: "billing" }) }),
  schemas: () => ({ MemberChanges: memberChanges }),
  body: memberChanges,
  run: (context) => async (request) => {
    const id = param(request, "id");
    const account = await changeTeam(context, request.accountId, (current, team) => {
      if (!team.members.some((member) => member.id === id)) {
        requireInTeam({ ...current, team: { ...team, invitations: [] } }, id);
      }
      if (id === founderOf(current).id) {
        throw new RequestError("owner_required", "The account's own address stays an owner. Change the address first.");
      }
      return { team: withMember(team, id, request.body) };
    });
    return { status: 200, body: memberList(account, request.now) };
  },
});
