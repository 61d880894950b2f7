/** The limits of signing in and of those who only try, with their arithmetic. Times are milliseconds. */
import type { Allowance } from "./account-ports.ts";
import { HOUR_MS } from "./times.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;

/** How long a session holds. */
export const SESSION_MS = 30 * DAY_MS;

/** The last use of a session is written down so often. */
export const SESSION_NOTED_MS = HOUR_MS;

/** Sessions of one account; with a further one the one that was used longest ago ends. */
export const SESSIONS_MAX = 50;

/** How old the newest signing key may be that still signs. */
export const SIGNING_KEY_MS = 30 * DAY_MS;

/** How long a signing key holds: while it signs, and as long as the last session that it signed. */
export const SIGNING_KEY_HOLD_MS = SIGNING_KEY_MS + SESSION_MS;

/** How long a process goes by the signing keys that it has read, and the least time before it looks for an unknown one. */
export const SIGNING_KEYS_READ_MS = 5 * MINUTE_MS;
export const SIGNING_KEYS_PAUSE_MS = 1_000;

/** Characters of a session's cookie; one has 43 + 26 + 43 and two dots. */
export const SESSION_COOKIE_CHARACTERS_MAX = 200;

/** How long a code holds, and how often it may be tried. */
export const CODE_MS = 10 * MINUTE_MS;
export const CODE_TRIES_MAX = 5;

/** Characters of an address (RFC 5321, 4.5.3.1.3: a path has 256 with its brackets). */
export const EMAIL_CHARACTERS_MAX = 254;

/** Codes that are sent to one address: whoever else asks for them cannot fill a mailbox. */
export const CODES_PER_ADDRESS_HOUR: Allowance = { limit: 5, windowMs: HOUR_MS };
export const CODES_PER_ADDRESS_DAY: Allowance = { limit: 20, windowMs: DAY_MS };

/** Codes that one network asks for: an office behind one address signs in at nine. */
export const CODES_PER_NETWORK_HOUR: Allowance = { limit: 30, windowMs: HOUR_MS };

/**
 * Codes that are tried for one address, from wherever: 50 of a million a day is a chance of 1 in 20,000, and of 1 in 55
 * for who tries each day of a year and is not noticed by the mails. 20 codes with 5 tries each would be 100.
 */
export const CODE_TRIES_PER_ADDRESS_DAY: Allowance = { limit: 50, windowMs: DAY_MS };

/** Answers to challenges, of codes and passkeys, that one network sends. */
export const TRIES_PER_NETWORK_HOUR: Allowance = { limit: 100, windowMs: HOUR_MS };

/** Challenges of passkeys that one network asks for; a page that offers them asks once when it is opened. */
export const CHALLENGES_PER_NETWORK_HOUR: Allowance = { limit: 200, windowMs: HOUR_MS };

/** How long a passkey's challenge holds; it is answered once. */
export const PASSKEY_CHALLENGE_MS = 5 * MINUTE_MS;

/** Passkeys of one account, and characters of the name of one. */
export const PASSKEYS_MAX = 20;
export const PASSKEY_NAME_CHARACTERS_MAX = 100;

/** Characters of what a passkey answers, each part: attestations with a chain of certificates have some 10,000. */
export const PASSKEY_ANSWER_CHARACTERS_MAX = 40_000;

/** How long a visitor's session and account hold. */
export const VISITOR_MS = DAY_MS;

/** Visitors that come from one network. */
export const VISITORS_PER_NETWORK_DAY: Allowance = { limit: 20, windowMs: DAY_MS };

/** Files of visitors from one network, and bytes of one. */
export const VISITOR_UPLOADS_PER_NETWORK_DAY: Allowance = { limit: 5, windowMs: DAY_MS };
export const VISITOR_UPLOAD_BYTES_MAX = 5_000_000;

/** Requests of a visitor: each of five files is uploaded, converted and downloaded. */
export const VISITOR_REQUESTS_MAX = 3 * VISITOR_UPLOADS_PER_NETWORK_DAY.limit;
