import type { ConversionRow } from "../../conversion.ts";

/** Bodies of CAD programs: their surfaces become triangles. Open CASCADE reads a truncated BREP forever, so BREP is not here. */
export const occtConversions: readonly ConversionRow[] = [
  { from: ["step", "iges"], to: "glb", fidelity: "lossy", options: [], costMs: 1_000 },
];
