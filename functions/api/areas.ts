import { type Area, mayUse, type Role, roles } from "../domain/accounts/members.ts";
import type { TagName } from "./openapi/tags.ts";
import type { AnyOperation } from "./operation.ts";

/** The areas of operations that do not name one. */
const areaOfTag = {
  Uploads: "work",
  Conversions: "work",
  Pipelines: "work",
  Downloads: "work",
  Formats: "self",
  Account: "account",
  Members: "account",
  Requests: "integration",
  Keys: "integration",
  Webhooks: "integration",
  Storages: "integration",
  Sessions: "self",
  // They are for people, whatever their role in the account.
  Operators: "self",
  Service: "self",
} as const satisfies Readonly<Record<TagName, Area>>;

export const areaOf = ({ area, tag }: Pick<AnyOperation, "area" | "tag">): Area => area ?? areaOfTag[tag];

/** @returns the roles that may call the operation with a session */
export const rolesOf = (operation: Pick<AnyOperation, "area" | "tag">): readonly Role[] =>
  roles.filter((role) => mayUse(role, areaOf(operation)));
