import type { KeyUses } from "../domain/account-ports.ts";
import { KEY_USES_REMEMBERED_MAX } from "../domain/limits.ts";

const MINUTE_MS = 60_000;

/**
 * Remembers in which minute each key was noted last, so that one request of a minute writes and the others wait for nothing.
 *
 * @param write notes the whole minute, unless a later one is noted
 */
export const oncePerMinute = (
  write: (accountId: string, keyId: string, minute: number) => Promise<void>,
): KeyUses["note"] => {
  const noted = new Map<string, number>();
  return async (accountId, keyId, now) => {
    const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
    const last = noted.get(keyId);
    if (last === undefined || last < minute) {
      // A try that fails is one, too: where nothing can be written, each request would try.
      remember(noted, keyId, minute);
      await write(accountId, keyId, minute);
    }
  };
};

/** The key that was noted longest ago goes when there are too many. */
const remember = (noted: Map<string, number>, keyId: string, minute: number): void => {
  noted.delete(keyId);
  noted.set(keyId, minute);
  const [oldest] = noted.keys();
  if (noted.size > KEY_USES_REMEMBERED_MAX && oldest !== undefined) {
    noted.delete(oldest);
  }
};
