import type { Format } from "../format.ts";

/** Sound. */
export const audioFormats = [] as const satisfies readonly Format[];
