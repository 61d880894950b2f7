import type { Schemas } from "../../api.ts";

export type Key = Schemas["Key"];

export type Scope = Key["scopes"][number];

export const scopes = [
  "upload",
  "convert",
  "read",
  "download",
  "webhooks",
  "storages",
] as const satisfies readonly Scope[];

export type KeyState = "expiring" | "expired" | "active" | "revoked";

const DAY_MS = 24 * 3_600_000;
/** A key is shown as expiring this long before its end: the longest overlap of a rotation. */
const SOON_MS = 7 * DAY_MS;

export const stateOf = ({ revoked_at, expires_at }: Pick<Key, "expires_at" | "revoked_at">, now: number): KeyState => {
  if (revoked_at !== null) {
    return "revoked";
  }
  const left = expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at) - now;
  if (left <= 0) {
    return "expired";
  }
  return left <= SOON_MS ? "expiring" : "active";
};

export const isValid = (key: Pick<Key, "expires_at" | "revoked_at">, now: number): boolean =>
  ["active", "expiring"].includes(stateOf(key, now));

/** Choices for a key's lifetime in days. */
export const EXPIRY_DAYS = [30, 90, 365] as const;

/**
 * @param choice `never`, a number of days, or `date`
 * @param day in the user's time zone, such as `2026-11-21`: the key is valid until the end of that day
 * @returns the expiry time, null for never; undefined if the date is invalid or in the past
 */
export const expiryOf = (choice: string, day: string, now: number): string | null | undefined => {
  if (choice === "never") {
    return null;
  }
  const end = choice === "date" ? Date.parse(`${day}T23:59:59`) : now + Number(choice) * DAY_MS;
  return end > now ? new Date(end).toISOString() : undefined;
};
