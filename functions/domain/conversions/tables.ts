import type { ConversionRow } from "../conversion.ts";

export const tableConversions: readonly ConversionRow[] = [];
