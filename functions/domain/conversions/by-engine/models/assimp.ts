import type { ConversionRow } from "../../conversion.ts";

/** Models that only assimp reads here. */
export const assimpConversions: readonly ConversionRow[] = [
  {
    from: ["dae", "3ds", "x3d", "amf", "off"],
    to: "glb",
    fidelity: "lossless",
    options: [],
    costMs: 400,
    loses: ["pictures", "frames"],
  },
];
