import type { Account } from "../accounts/plans.ts";
import { newId, type RandomBytes } from "../ids.ts";
import { VISITOR_MS, VISITOR_REQUESTS_MAX } from "./sign-in-limits.ts";

/** @returns the account of a visitor without an email address, which is deleted with its session */
export const newVisitor = (now: number, random: RandomBytes): Account => {
  const id = newId("account", now, random);
  return {
    id,
    // Not a real address: the domain `invalid` is reserved (RFC 2606).
    email: `${id}@visitors.invalid`,
    plan: "free",
    quota: VISITOR_REQUESTS_MAX,
    planPicked: true,
    visitorUntil: now + VISITOR_MS,
    createdAt: now,
  };
};
