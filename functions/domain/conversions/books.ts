import type { ConversionRow } from "../conversion.ts";

/** What Calibre writes, and the books of old devices that only it reads. */
export const booksConversions: readonly ConversionRow[] = [
  { from: ["epub"], to: "mobi", engine: "calibre", fidelity: "lossy", options: [], costMs: 150 },
  { from: ["epub"], to: "azw3", engine: "calibre", fidelity: "lossy", options: [], costMs: 150 },
  // Its tables come apart into lines.
  { from: ["epub"], to: "fb2", engine: "calibre", fidelity: "lossy", options: [], costMs: 150, drops: ["rows"] },
  { from: ["lit", "lrf", "pdb"], to: "epub", engine: "calibre", fidelity: "lossy", options: [], costMs: 200 },
];
