import type { Format } from "../format.ts";

/** Maps and places. */
export const geoFormats = [] as const satisfies readonly Format[];
