/** The limits of sign-in and of visitors, with their rationale. Times are milliseconds. */
import type { Allowance } from "../accounts/account-ports.ts";
import { HOUR_MS } from "../times.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;

/** The lifetime of a session. */
export const SESSION_MS = 30 * DAY_MS;

/** The interval at which the last use of a session is recorded. */
export const SESSION_NOTED_MS = HOUR_MS;

/** Maximum number of sessions per account; a further one ends the least recently used. */
export const SESSIONS_MAX = 50;

/** The maximum age of the key that signs new sessions. */
export const SIGNING_KEY_MS = 30 * DAY_MS;

/** The lifetime of a signing key: while it signs, plus the lifetime of the last session that it signed. */
export const SIGNING_KEY_HOLD_MS = SIGNING_KEY_MS + SESSION_MS;

/** How long a process caches signing keys, and the minimum interval between reads for unknown keys. */
export const SIGNING_KEYS_READ_MS = 5 * MINUTE_MS;
export const SIGNING_KEYS_PAUSE_MS = 1_000;

/** Maximum length of a session cookie; valid ones have 43 + 26 + 43 characters and two dots. */
export const SESSION_COOKIE_CHARACTERS_MAX = 200;

/** The lifetime of a code, and its maximum number of attempts. */
export const CODE_MS = 10 * MINUTE_MS;
export const CODE_TRIES_MAX = 5;

/** Maximum length of an email address (RFC 5321, 4.5.3.1.3: a path has 256 characters with its brackets). */
export const EMAIL_CHARACTERS_MAX = 254;

/** Codes that are sent to one address, so that others cannot flood a mailbox. */
export const CODES_PER_ADDRESS_HOUR: Allowance = { limit: 5, windowMs: HOUR_MS };
export const CODES_PER_ADDRESS_DAY: Allowance = { limit: 20, windowMs: DAY_MS };

/** Codes that one network can request: everyone in an office with one public address signs in at nine. */
export const CODES_PER_NETWORK_HOUR: Allowance = { limit: 30, windowMs: HOUR_MS };

/**
 * Attempts for one address, from all networks: 50 of a million a day are a chance of 1 in 20,000, or 1 in 55 for
 * someone who tries every day for a year without the emails being noticed. 20 codes with 5 attempts each would allow
 * 100.
 */
export const CODE_TRIES_PER_ADDRESS_DAY: Allowance = { limit: 50, windowMs: DAY_MS };

/** Answers to challenges (codes and passkeys) from one network. */
export const TRIES_PER_NETWORK_HOUR: Allowance = { limit: 100, windowMs: HOUR_MS };

/** Passkey challenges for one network; a sign-in page requests one when it is opened. */
export const CHALLENGES_PER_NETWORK_HOUR: Allowance = { limit: 200, windowMs: HOUR_MS };

/** The lifetime of a passkey challenge, which can be answered once. */
export const PASSKEY_CHALLENGE_MS = 5 * MINUTE_MS;

/** The lifetime of a sign-in with the identity provider, where users may need a second factor. */
export const IDENTITY_CHALLENGE_MS = 10 * MINUTE_MS;

/** Maximum length of the parameters that an identity provider returns. Codes can be encrypted tokens. */
export const IDENTITY_ANSWER_CHARACTERS_MAX = 4_096;

/** Maximum number of passkeys per account, and maximum length of a passkey's name. */
export const PASSKEYS_MAX = 20;
export const PASSKEY_NAME_CHARACTERS_MAX = 100;

/** Maximum length of each part of a passkey response: attestations with a certificate chain have about 10,000. */
export const PASSKEY_ANSWER_CHARACTERS_MAX = 40_000;

/** The lifetime of a visitor's session and account. */
export const VISITOR_MS = DAY_MS;

/** Visitors from one network. */
export const VISITORS_PER_NETWORK_DAY: Allowance = { limit: 20, windowMs: DAY_MS };

/** Files of visitors from one network, and the maximum size of each in bytes. */
export const VISITOR_UPLOADS_PER_NETWORK_DAY: Allowance = { limit: 5, windowMs: DAY_MS };
export const VISITOR_UPLOAD_BYTES_MAX = 5_000_000;

/** Requests of a visitor: five files are uploaded, converted and downloaded. */
export const VISITOR_REQUESTS_MAX = 3 * VISITOR_UPLOADS_PER_NETWORK_DAY.limit;
