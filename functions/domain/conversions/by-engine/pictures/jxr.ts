import type { ConversionRow } from "../../conversion.ts";

/** JPEG XR. */
export const jxrConversions: readonly ConversionRow[] = [
  { from: ["jxr"], to: "png", fidelity: "lossless", options: [], loses: ["color_profile", "metadata"], costMs: 1_500 },
];
