import type { Format } from "../format.ts";

/** Models in three dimensions. */
export const modelFormats = [] as const satisfies readonly Format[];
