export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** @returns the time as the API returns it (RFC 3339, UTC, milliseconds) */
export const timestamp = (milliseconds: number): string => new Date(milliseconds).toISOString();
