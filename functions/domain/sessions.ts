/** Signing in, and who is signed in. Times are milliseconds since 1970. */

/** What sessions are signed with: a new one every month, and those before it hold as long as a session that they signed. */
export interface SigningKey {
  /** `sig_…` */
  readonly id: string;
  /** 32 random bytes in base64. */
  readonly secret: string;
  readonly createdAt: number;
}

/** Something that whoever signs in has to answer: a code that was sent to an address, or a passkey's challenge. */
export interface Challenge {
  /** `cha_…`, known only to the browser that asked: whoever has the address alone cannot use up its tries. */
  readonly id: string;
  readonly kind: "code" | "passkey" | "new_passkey";
  /** Of a code: the address that it was sent to, in lower case. */
  readonly email?: string;
  /** Of a new passkey: whose it will be. */
  readonly accountId?: string;
  /** What the right answer is: of a code its keyed hash, of a passkey the challenge that it signs. */
  readonly answer: string;
  /** Tries so far. */
  readonly tries: number;
  readonly expiresAt: number;
}

/** A browser that is signed in. */
export interface Session {
  /** `ses_…` */
  readonly id: string;
  readonly accountId: string;
  /** SHA-256 of its token, hexadecimal. */
  readonly hash: string;
  readonly by: "code" | "passkey" | "visitor";
  /** The browser and the system, as it says itself: `Firefox on Linux`. */
  readonly device: string;
  readonly createdAt: number;
  /** To the hour. */
  readonly lastUsedAt: number;
  readonly expiresAt: number;
}

/** A passkey of an account. */
export interface Passkey {
  /** The credential's id, base64url. */
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  /** How often it was used, as it says itself; one that counts back is a copy. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAt: number;
  readonly lastUsedAt?: number;
}

/**
 * @returns the signing keys, the newest first, with a new one added unless one is younger than `after`, and without those from
 * before `endedAt`
 */
export const rotatedKeys = (
  keys: readonly SigningKey[],
  key: SigningKey,
  { after, endedAt }: { readonly after: number; readonly endedAt: number },
): readonly SigningKey[] => {
  const all = keys.some(({ createdAt }) => createdAt > after) ? keys : [key, ...keys];
  return all.filter(({ createdAt }) => createdAt >= endedAt).sort((one, other) => other.createdAt - one.createdAt);
};
