import type { ConversionRow } from "../conversion.ts";

/** What Calibre writes. */
export const booksConversions: readonly ConversionRow[] = [];
