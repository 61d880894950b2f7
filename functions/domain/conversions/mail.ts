import type { ConversionRow } from "../conversion.ts";

export const mailConversions: readonly ConversionRow[] = [];
