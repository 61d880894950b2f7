import type { Format } from "../format.ts";

/** Subtitles. */
export const subtitleFormats = [] as const satisfies readonly Format[];
