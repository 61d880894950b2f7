import type { ConversionRow } from "../conversion.ts";

export const pageConversions: readonly ConversionRow[] = [];
