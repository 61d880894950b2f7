import type { ConversionRow } from "../../conversion.ts";

/**
 * CAD solids, whose surfaces become triangles. BREP is omitted: Open CASCADE never finishes reading a truncated one.
 */
export const occtConversions: readonly ConversionRow[] = [
  { from: ["step", "iges"], to: "glb", fidelity: "lossy", options: [], costMs: 1_000 },
];
