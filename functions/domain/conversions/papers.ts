import type { ConversionRow } from "../conversion.ts";

export const paperConversions: readonly ConversionRow[] = [];
