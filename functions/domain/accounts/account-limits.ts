import type { Allowance } from "./account-ports.ts";

/** Limits of an account other than for files. Names end with the unit; comments explain the value. */

/** Maximum number of active API keys of an account, including those in rotation. */
export const KEYS_MAX = 50;

/** Maximum number of API keys created per day, so that the list remains readable. */
export const KEYS_A_DAY_MAX = 100;

/** Maximum number of listed API keys: all active ones, and the newest others. */
export const KEYS_LISTED_MAX = 200;

/** Maximum length of a key's name. */
export const KEY_NAME_CHARACTERS_MAX = 100;

/** Maximum number of allowed origins of a key: the sites of one program, and their test servers. */
export const KEY_ORIGINS_MAX = 20;

/** Maximum length of an origin: a hostname has up to 253 characters, and a port and a scheme up to 14. */
export const ORIGIN_CHARACTERS_MAX = 267;

/** Maximum overlap in hours of a rotated key with its replacement: a week, which includes a release day. */
export const KEY_OVERLAP_HOURS_MAX = 7 * 24;
export const KEY_OVERLAP_HOURS_DEFAULT = 24;

/** Maximum length of the note in a plan request. */
export const PLAN_NOTE_CHARACTERS_MAX = 500;

/** Maximum number of webhook endpoints of an account, without its default URL. Each event is a message to each of them. */
export const WEBHOOK_ENDPOINTS_MAX = 10;

/** Maximum length of the description of a webhook endpoint. */
export const ENDPOINT_DESCRIPTION_CHARACTERS_MAX = 100;

/** Attempts to change the endpoints of an account while other requests change them as well. */
export const ENDPOINT_CHANGES_MAX = 5;

/** Test messages of an account: enough to try ten endpoints, and too few to load another server. */
export const WEBHOOK_TESTS_PER_MINUTE: Allowance = { limit: 10, windowMs: 60_000 };

/** Maximum size of a billing event in bytes: a subscription with all its items has about ten kilobytes. */
export const BILLING_EVENT_BYTES_MAX = 256_000;

/**
 * Timeout in milliseconds of a call to the payment service, and the number of attempts, within the 10 s of a request.
 */
export const BILLING_CALL_MS_MAX = 4_000;
export const BILLING_RETRIES_MAX = 1;

/** Maximum number of fetches of a subscription until two consecutive ones are equal; subscriptions rarely change. */
export const BILLING_LOOKS_MAX = 5;
