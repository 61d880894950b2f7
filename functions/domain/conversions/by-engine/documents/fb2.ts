import type { ConversionRow } from "../../conversion.ts";

/** FictionBook. No route between e-books goes through HTML, which is in a different family. */
export const fb2Conversions: readonly ConversionRow[] = [
  { from: ["fb2"], to: "html", fidelity: "lossy", options: [], costMs: 15 },
  { from: ["fb2"], to: "epub", fidelity: "lossy", options: [], costMs: 25 },
];
