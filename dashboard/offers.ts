/**
 * What is offered, as the pages tell it before anybody has asked the service: a test compares it with the service's own tables.
 */
export const planOffers = {
  free: { requestsPerMonth: 100, eurosPerMonth: 0 },
  api: { requestsPerMonth: 5_000, eurosPerMonth: 29 },
} as const;

/** What a visitor without an account may try in a day. */
export const VISITOR_FILES_MAX = 5;
export const VISITOR_FILE_BYTES_MAX = 5_000_000;

/** Characters of the note to the operator that goes with the request for a plan. */
export const PLAN_NOTE_CHARACTERS_MAX = 500;

/** The hours among which an owner chooses how long files stay; 0: until the first download. */
export const RETENTION_HOURS = [0, 1, 6, 12, 24] as const;

/** Characters of the name of a passkey. */
export const PASSKEY_NAME_CHARACTERS_MAX = 100;
