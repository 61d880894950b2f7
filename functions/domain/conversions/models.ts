import type { ConversionRow } from "../conversion.ts";

export const modelConversions: readonly ConversionRow[] = [];
