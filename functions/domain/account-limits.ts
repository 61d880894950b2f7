/** Limits of what an account has beside its files, each with its unit last and its arithmetic. */

/** API keys of an account that can be used, those of a rotation that still hold too. */
export const KEYS_MAX = 50;

/** API keys that an account may make in a day: a list of them stays one that people read. */
export const KEYS_A_DAY_MAX = 100;

/** API keys that are listed: all that can be used, and of the others the newest. */
export const KEYS_LISTED_MAX = 200;

/** Characters of a key's name. */
export const KEY_NAME_CHARACTERS_MAX = 100;

/** Hours that a key may go on holding beside the one that replaces it: a week, so that a release day lies in it. */
export const KEY_OVERLAP_HOURS_MAX = 7 * 24;
export const KEY_OVERLAP_HOURS_DEFAULT = 24;

/** Characters of what an owner writes to the operator with the request for a plan. */
export const PLAN_NOTE_CHARACTERS_MAX = 500;

/** Bytes of a message of the payment service: a subscription with all its items has some ten kilobytes. */
export const BILLING_EVENT_BYTES_MAX = 256_000;

/** Milliseconds of one call to the payment service, and how often it is tried: within the 10 s of a request. */
export const BILLING_CALL_MS_MAX = 4_000;
export const BILLING_RETRIES_MAX = 1;

/** Looks at a subscription until two that follow each other are the same; it changes a few times in its life. */
export const BILLING_LOOKS_MAX = 5;
