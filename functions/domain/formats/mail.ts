import type { Format } from "../format.ts";

/** Mail, calendars and contacts. */
export const mailFormats = [] as const satisfies readonly Format[];
