import type { ConversionRow } from "../conversion.ts";

export const treeConversions: readonly ConversionRow[] = [];
