import type { ConversionRow } from "../conversion.ts";

export const documentConversions: readonly ConversionRow[] = [];
