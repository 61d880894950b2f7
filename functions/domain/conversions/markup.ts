import type { ConversionRow } from "../conversion.ts";

/** What pandoc reads and writes. */
export const markupConversions: readonly ConversionRow[] = [];
