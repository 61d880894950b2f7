/**
 * Offers and limits that the pages show without a request. A test compares them with the service's own tables.
 */
export const planOffers = {
  free: { requestsPerMonth: 100, eurosPerMonth: 0 },
  api: { requestsPerMonth: 5_000, eurosPerMonth: 29 },
} as const;

/** Daily limits for guests without an account. */
export const VISITOR_FILES_MAX = 5;
export const VISITOR_FILE_BYTES_MAX = 5_000_000;

/** Maximum characters of the message to the operator in a plan request. */
export const PLAN_NOTE_CHARACTERS_MAX = 500;

/** The choices for file retention in hours; 0: until the first download. */
export const RETENTION_HOURS = [0, 1, 6, 12, 24] as const;

/** Maximum characters of a passkey's name. */
export const PASSKEY_NAME_CHARACTERS_MAX = 100;
