import type { ConversionRow } from "../conversion.ts";

export const subtitleConversions: readonly ConversionRow[] = [];
