import { type Area, type Member, mayUse, memberOf, type Role, roles } from "../../domain/accounts/members.ts";
import type { Account } from "../../domain/accounts/plans.ts";
import { RequestError } from "../../domain/errors.ts";
import type { TagName } from "../openapi/tags.ts";
import type { AnyOperation } from "../operation.ts";
import type { ApiRequest } from "../request.ts";

/** The areas of operations that do not name one. */
const areaOfTag = {
  Uploads: "work",
  Conversions: "work",
  Pipelines: "work",
  Downloads: "work",
  Formats: "self",
  Account: "account",
  Members: "account",
  Keys: "integration",
  Webhooks: "integration",
  Storages: "integration",
  Sessions: "self",
  Service: "self",
} as const satisfies Readonly<Record<TagName, Area>>;

export const areaOf = ({ area, tag }: Pick<AnyOperation, "area" | "tag">): Area => area ?? areaOfTag[tag];

/** @returns the roles that may call the operation with a session */
export const rolesOf = (operation: Pick<AnyOperation, "area" | "tag">): readonly Role[] =>
  roles.filter((role) => mayUse(role, areaOf(operation)));

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
