import type { KeyUses } from "../domain/accounts/account-ports.ts";
import { KEY_USES_REMEMBERED_MAX } from "../domain/limits.ts";

const MINUTE_MS = 60_000;

/**
 * Remembers the minute of each key's last recorded use, so that only one request per minute writes.
 *
 * @param write records the minute, unless a later one is recorded
 */
export const oncePerMinute = (
  write: (accountId: string, keyId: string, minute: number) => Promise<void>,
): KeyUses["note"] => {
  const noted = new Map<string, number>();
  return async (accountId, keyId, now) => {
    const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
    const last = noted.get(keyId);
    if (last === undefined || last < minute) {
      // A failed attempt counts too: otherwise each request would retry while writes fail.
      remember(noted, keyId, minute);
      await write(accountId, keyId, minute);
    }
  };
};

/** Removes the least recently recorded key if there are too many. */
const remember = (noted: Map<string, number>, keyId: string, minute: number): void => {
  noted.delete(keyId);
  noted.set(keyId, minute);
  const [oldest] = noted.keys();
  if (noted.size > KEY_USES_REMEMBERED_MAX && oldest !== undefined) {
    noted.delete(oldest);
  }
};
