import type { ConversionRow } from "../conversion.ts";

export const geoConversions: readonly ConversionRow[] = [];
