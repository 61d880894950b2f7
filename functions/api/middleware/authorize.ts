import { type Member, mayUse, memberOf } from "../../domain/accounts/members.ts";
import type { Account } from "../../domain/accounts/plans.ts";
import { RequestError } from "../../domain/errors.ts";
import { areaOf, rolesOf } from "../areas.ts";
import type { AnyOperation } from "../operation.ts";
import type { ApiRequest } from "../request.ts";

/**
 * Checks the member of a session against the stored account, so that a removed member and a changed role are effective
 * from the next request on. A request with an API key has no member: its scopes limit it.
 *
 * @throws RequestError `missing_session`, `forbidden_role`
 */
export const authorizedMember = (
  operation: Pick<AnyOperation, "area" | "tag">,
  account: Account,
  { session }: Pick<ApiRequest, "session">,
): { readonly member?: Member } => {
  if (session === undefined) {
    return {};
  }
  const member = memberOf(account, session.memberId);
  if (member === undefined) {
    throw new RequestError("missing_session", "You are no longer a member of this account. Sign in again.");
  }
  if (!mayUse(member.role, areaOf(operation))) {
    const allowed = rolesOf(operation).join(" or ");
    throw new RequestError("forbidden_role", `This requires the role ${allowed}; you are ${member.role}.`);
  }
  return { member };
};
