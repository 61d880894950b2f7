import type { ConversionRow } from "../conversion.ts";

/** What a browser prints and draws. */
export const printsConversions: readonly ConversionRow[] = [];
