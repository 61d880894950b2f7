import type { ConversionRow } from "../../conversion.ts";

/** SVG, compressed and uncompressed. */
export const svgzConversions: readonly ConversionRow[] = [
  { from: ["svgz"], to: "svg", fidelity: "lossless", options: [], costMs: 5 },
  { from: ["svg"], to: "svgz", fidelity: "lossless", options: [], costMs: 5 },
];
