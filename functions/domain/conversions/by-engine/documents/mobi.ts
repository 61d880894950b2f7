import type { ConversionRow } from "../../conversion.ts";

/** Books of Mobipocket and Kindle. No route leads from one book to another through HTML, which is of another family. */
export const mobiConversions: readonly ConversionRow[] = [
  { from: ["mobi", "azw3"], to: "html", fidelity: "lossy", options: [], costMs: 15 },
  { from: ["mobi", "azw3"], to: "epub", fidelity: "lossy", options: [], costMs: 25 },
];
