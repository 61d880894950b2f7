import { founderOf, without } from "../../domain/accounts/members.ts";
import { RequestError } from "../../domain/errors.ts";
import { operation } from "../operation.ts";
import { keyed, signedIn } from "../permissions.ts";
import { param } from "../request.ts";
import { changeTeam, forgetMember, requireInTeam } from "./change-team.ts";
import { requireMember } from "./require-member.ts";

/** Removes a member, withdraws an invitation, or leaves the account. The member's sessions end at once. */
export const removeMember = operation({
  id: "removeMember",
  methods: ["DELETE"],
  path: "/api/v1/session/members/{id}",
  auth: "session",
  area: "self",
  permissions: {
    tables: { ...keyed, keys: ["DeleteItem", "GetItem", "UpdateItem"] },
    only: signedIn("accounts", "team"),
    lists: true,
  },
  tag: "Members",
  summary: "Remove a member",
  description:
    "Removes a member, whose sessions end immediately, or withdraws an invitation. Every member can remove themselves; the rest requires the role `owner`. API keys stay valid: revoke those that the member knows. The account's own address cannot be removed.",
  parameters: ["memberId"],
  answers: { 204: { description: "The member was removed." } },
  errors: ["forbidden_role", "not_found", "owner_required"],
  run: (context) => async (request) => {
    const id = param(request, "id");
    const own = requireMember(request);
    if (own.id !== id && own.role !== "owner") {
      throw new RequestError("forbidden_role", "Removing other members requires the role owner.");
    }
    await changeTeam(context, request.accountId, (account, team) => {
      requireInTeam(account, id);
      if (id === founderOf(account).id) {
        throw new RequestError(
          "owner_required",
          "The account's own address cannot be removed. Change the address of the account, or delete the account.",
        );
      }
      const removed = team.members.filter((member) => member.id === id).map(({ email }) => email);
      return { team: without(team, id), seats: { removed } };
    });
    await forgetMember(context, request.accountId, id);
    return { status: 204 };
  },
});
