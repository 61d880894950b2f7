/** Sign-in and sessions. Times are milliseconds since 1970. */

/**
 * A key that signs sessions. A new one is created every month; older ones are valid as long as the sessions they
 * signed.
 */
export interface SigningKey {
  /** `sig_…` */
  readonly id: string;
  /** 32 random bytes in base64. */
  readonly secret: string;
  readonly createdAt: number;
}

/** A sign-in challenge: an emailed code, a sign-in with the identity provider, or a passkey challenge. */
export interface Challenge {
  /** `cha_…`, known only to the requesting browser: knowing the address is not enough to use up its attempts. */
  readonly id: string;
  readonly kind: "code" | "identity" | "passkey" | "new_passkey";
  /** For a code: the lowercase email address that it was sent to. */
  readonly email?: string;
  /** For a new passkey: the account of its owner. */
  readonly accountId?: string;
  /**
   * The expected answer: the keyed hash of a code, or the challenge that a passkey signs. With the identity provider: the
   * secret from which its state, nonce and code verifier are derived.
   */
  readonly answer: string;
  /** Attempts so far. */
  readonly tries: number;
  readonly expiresAt: number;
}

/** The session of a browser. */
export interface Session {
  /** `ses_…` */
  readonly id: string;
  readonly accountId: string;
  /** SHA-256 of its token, hexadecimal. */
  readonly hash: string;
  /** The member of the account who is signed in. @default the one with the account's own address */
  readonly memberId?: string;
  readonly by: "code" | "identity" | "invitation" | "passkey" | "visitor";
  /** The browser and the system, from the user agent: `Firefox on Linux`. */
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
  /** The member who signs in with it. @default the one with the account's own address */
  readonly memberId?: string;
  readonly name: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  /** The passkey's own signature counter; a decreasing counter indicates a clone. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAt: number;
  readonly lastUsedAt?: number;
}

/**
 * @returns the signing keys, newest first, with a new one added unless one is newer than `after`, and without those
 * from before `endedAt`
 */
export const rotatedKeys = (
  keys: readonly SigningKey[],
  key: SigningKey,
  { after, endedAt }: { readonly after: number; readonly endedAt: number },
): readonly SigningKey[] => {
  const all = keys.some(({ createdAt }) => createdAt > after) ? keys : [key, ...keys];
  return all.filter(({ createdAt }) => createdAt >= endedAt).sort((one, other) => other.createdAt - one.createdAt);
};
