import type { Format } from "../format.ts";

/** Films. */
export const videoFormats = [] as const satisfies readonly Format[];
