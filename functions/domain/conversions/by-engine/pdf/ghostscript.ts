import type { ConversionRow } from "../../conversion.ts";

/** PostScript, where the operator has installed Ghostscript. */
export const ghostscriptConversions: readonly ConversionRow[] = [
  { from: ["eps"], to: "pdf", fidelity: "lossless", options: [], costMs: 500 },
];
