import type { Format } from "../format.ts";

/** Fonts. */
export const fontFormats = [] as const satisfies readonly Format[];
