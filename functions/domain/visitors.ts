import { newId, type RandomBytes } from "./ids.ts";
import type { Account } from "./plans.ts";
import { VISITOR_MS, VISITOR_REQUESTS_MAX } from "./sign-in-limits.ts";

/** @returns the account of a visitor without an address, which is gone with its session */
export const newVisitor = (now: number, random: RandomBytes): Account => {
  const id = newId("account", now, random);
  return {
    id,
    // No address: `invalid` is a domain that never is one (RFC 2606).
    email: `${id}@visitors.invalid`,
    plan: "free",
    quota: VISITOR_REQUESTS_MAX,
    planPicked: true,
    visitorUntil: now + VISITOR_MS,
    createdAt: now,
  };
};
