import type { ConversionRow } from "../conversion.ts";

export const fontConversions: readonly ConversionRow[] = [];
