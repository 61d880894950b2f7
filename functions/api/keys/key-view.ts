import type { KeyView } from "../../domain/accounts/key-views.ts";
import { isTestKey, type ShownKey, scopes } from "../../domain/accounts/keys.ts";
import { timestamp } from "../../domain/times.ts";

/** @returns the key as shown to its owner, without the secret and its SHA-256 */
export const keyView = (key: ShownKey): KeyView => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  kind: isTestKey(key) ? "test" : "live",
  scopes: [...(key.scopes ?? scopes)],
  monthly_limit: key.monthlyLimit ?? null,
  used_this_month: key.monthlyLimit === undefined ? null : (key.used ?? 0),
  allowed_origins: key.origins === undefined ? null : [...key.origins],
  created_at: timestamp(key.createdAt),
  expires_at: timeOrNull(key.expiresAt),
  last_used_at: timeOrNull(key.lastUsedAt),
  revoked_at: timeOrNull(key.revokedAt),
});

const timeOrNull = (time: number | undefined): string | null => (time === undefined ? null : timestamp(time));
