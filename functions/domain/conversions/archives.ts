import type { ConversionRow } from "../conversion.ts";

export const archiveConversions: readonly ConversionRow[] = [];
