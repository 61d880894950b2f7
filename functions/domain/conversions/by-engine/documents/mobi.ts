import type { ConversionRow } from "../../conversion.ts";

/** Mobipocket and Kindle. No route between e-books goes through HTML, which is in a different family. */
export const mobiConversions: readonly ConversionRow[] = [
  { from: ["mobi", "azw3"], to: "html", fidelity: "lossy", options: [], costMs: 15 },
  { from: ["mobi", "azw3"], to: "epub", fidelity: "lossy", options: [], costMs: 25 },
];
