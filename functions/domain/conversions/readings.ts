import type { ConversionRow } from "../conversion.ts";

/** What native Tesseract reads, and Poppler draws. */
export const readingsConversions: readonly ConversionRow[] = [];
