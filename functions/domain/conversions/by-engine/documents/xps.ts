import type { ConversionRow } from "../../conversion.ts";

/** XPS: pages, like those of PDF. */
export const xpsConversions: readonly ConversionRow[] = [
  { from: ["xps"], to: "pdf", fidelity: "lossless", options: [], costMs: 100 },
];
