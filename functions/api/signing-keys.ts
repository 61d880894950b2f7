import type { Context } from "../domain/ports.ts";
import type { SigningKey } from "../domain/sessions.ts";
import {
  SIGNING_KEY_HOLD_MS,
  SIGNING_KEY_MS,
  SIGNING_KEYS_PAUSE_MS,
  SIGNING_KEYS_READ_MS,
} from "../domain/sign-in-limits.ts";
import { newSigningKey, signingKeyAt } from "../domain/signing-keys.ts";

type Store = Context["sessions"];

interface Known {
  readonly keys: readonly SigningKey[];
  readonly readAt: number;
}

/** What this process has read: nearly every request of a browser needs the keys, and they change once a month. */
const known = new WeakMap<Store, Known>();

/**
 * @param wanted id of the key that a cookie names: where it is not known, another process may have made it a moment ago
 * @returns the keys that sessions are signed with, the newest first, as they were within the last five minutes
 */
export const signingKeys = async (
  { sessions }: Pick<Context, "sessions">,
  now: number,
  wanted?: string,
): Promise<readonly SigningKey[]> => {
  const last = known.get(sessions);
  if (last === undefined || isStale(last, now, wanted)) {
    return remember(sessions, await sessions.signingKeys(), now);
  }
  return last.keys;
};

/** Whoever makes up ids of keys has them looked for once a second at most. */
const isStale = ({ keys, readAt }: Known, now: number, wanted: string | undefined): boolean => {
  const age = Math.abs(now - readAt);
  const isMissing = wanted !== undefined && !keys.some(({ id }) => id === wanted);
  return age >= (isMissing ? SIGNING_KEYS_PAUSE_MS : SIGNING_KEYS_READ_MS);
};

/** @returns the key to sign with now: a new one, when the newest is a month old */
export const signingKey = async (
  { sessions, random }: Pick<Context, "random" | "sessions">,
  now: number,
): Promise<SigningKey> => {
  const current = signingKeyAt(await signingKeys({ sessions }, now), now);
  if (current !== undefined) {
    return current;
  }
  const bounds = { after: now - SIGNING_KEY_MS, endedAt: now - SIGNING_KEY_HOLD_MS };
  const keys = await sessions.rotateSigningKeys(newSigningKey(now, random), bounds);
  const [newest] = remember(sessions, keys, now);
  if (newest === undefined) {
    throw new TypeError("A signing key was added, and there is none.");
  }
  return newest;
};

const remember = (sessions: Store, keys: readonly SigningKey[], now: number): readonly SigningKey[] => {
  known.set(sessions, { keys, readAt: now });
  return keys;
};
