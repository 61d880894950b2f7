import type { ConversionRow } from "../../conversion.ts";

/** FictionBook. No route leads from one book to another through HTML, which is of another family. */
export const fb2Conversions: readonly ConversionRow[] = [
  { from: ["fb2"], to: "html", fidelity: "lossy", options: [], costMs: 15 },
  { from: ["fb2"], to: "epub", fidelity: "lossy", options: [], costMs: 25 },
];
