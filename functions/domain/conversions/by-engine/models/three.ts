import type { ConversionRow } from "../../conversion.ts";

/** Models that three.js reads. */
export const threeConversions: readonly ConversionRow[] = [
  { from: ["fbx"], to: "glb", fidelity: "lossless", options: [], costMs: 400, loses: ["pictures", "frames"] },
];
