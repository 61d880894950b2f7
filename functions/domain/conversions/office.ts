import type { ConversionRow } from "../conversion.ts";

/** What LibreOffice reads and writes. */
export const officeConversions: readonly ConversionRow[] = [];
