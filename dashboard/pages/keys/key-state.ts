import type { Schemas } from "../../api.ts";

export type Key = Schemas["Key"];

export type Scope = Key["scopes"][number];

export const scopes = ["upload", "convert", "read", "download", "webhooks"] as const satisfies readonly Scope[];

export type KeyState = "ends" | "expired" | "good" | "revoked";

const DAY_MS = 24 * 3_600_000;
/** How long before its end a key is told to end soon: the longest overlap of a rotation. */
const SOON_MS = 7 * DAY_MS;

export const stateOf = ({ revoked_at, expires_at }: Pick<Key, "expires_at" | "revoked_at">, now: number): KeyState => {
  if (revoked_at !== null) {
    return "revoked";
  }
  const left = expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at) - now;
  if (left <= 0) {
    return "expired";
  }
  return left <= SOON_MS ? "ends" : "good";
};

export const holds = (key: Pick<Key, "expires_at" | "revoked_at">, now: number): boolean =>
  ["good", "ends"].includes(stateOf(key, now));

/** Days after which a key can be made to expire. */
export const EXPIRY_DAYS = [30, 90, 365] as const;

/**
 * @param choice `never`, a number of days, or `date`
 * @param day of the reader's calendar, `2026-11-21`: the key holds until its end
 * @returns the time of the end, null for never; undefined when that is no day to come
 */
export const expiryOf = (choice: string, day: string, now: number): string | null | undefined => {
  if (choice === "never") {
    return null;
  }
  const end = choice === "date" ? Date.parse(`${day}T23:59:59`) : now + Number(choice) * DAY_MS;
  return end > now ? new Date(end).toISOString() : undefined;
};
