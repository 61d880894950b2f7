import type { ConversionRow } from "../../conversion.ts";

/** Formats that Calibre writes, and formats of old e-readers that only it reads. */
export const calibreConversions: readonly ConversionRow[] = [
  { from: ["epub"], to: "mobi", fidelity: "lossy", options: [], costMs: 150 },
  { from: ["epub"], to: "azw3", fidelity: "lossy", options: [], costMs: 150 },
  // Its tables are split into lines.
  { from: ["epub"], to: "fb2", fidelity: "lossy", options: [], costMs: 150, loses: ["rows"] },
  { from: ["lit", "lrf", "pdb", "chm"], to: "epub", fidelity: "lossy", options: [], costMs: 200 },
];
