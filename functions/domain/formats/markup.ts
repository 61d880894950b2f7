import type { Format } from "../format.ts";

/** Languages of light markup, and what publishers exchange. */
export const markupFormats = [] as const satisfies readonly Format[];
