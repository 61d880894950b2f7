import type { Context } from "../../domain/ports.ts";
import type { SigningKey } from "../../domain/sessions/session.ts";
import {
  SIGNING_KEY_HOLD_MS,
  SIGNING_KEY_MS,
  SIGNING_KEYS_PAUSE_MS,
  SIGNING_KEYS_READ_MS,
} from "../../domain/sessions/sign-in-limits.ts";
import { newSigningKey, signingKeyAt } from "../../domain/sessions/signing-keys.ts";

type Store = Context["sessions"];

interface Known {
  readonly keys: readonly SigningKey[];
  readonly readAt: number;
}

/** Cache of this process: nearly every browser request needs the keys, and they change once a month. */
const known = new WeakMap<Store, Known>();

/**
 * @param wanted key ID in a cookie: if it is unknown, another process may just have created the key
 * @returns the keys that sign sessions, newest first, at most five minutes old
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

/** Made-up key IDs cause at most one read per second. */
const isStale = ({ keys, readAt }: Known, now: number, wanted: string | undefined): boolean => {
  const age = Math.abs(now - readAt);
  const isMissing = wanted !== undefined && !keys.some(({ id }) => id === wanted);
  return age >= (isMissing ? SIGNING_KEYS_PAUSE_MS : SIGNING_KEYS_READ_MS);
};

/** @returns the current signing key: a new one if the newest is a month old */
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
    throw new TypeError("The new signing key is missing.");
  }
  return newest;
};

const remember = (sessions: Store, keys: readonly SigningKey[], now: number): readonly SigningKey[] => {
  known.set(sessions, { keys, readAt: now });
  return keys;
};
