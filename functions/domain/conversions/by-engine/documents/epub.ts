import type { ConversionRow } from "../../conversion.ts";

/** EPUB, both ways. */
export const epubConversions: readonly ConversionRow[] = [
  { from: ["epub"], to: "html", fidelity: "lossy", options: [], costMs: 15 },
  { from: ["html"], to: "epub", fidelity: "lossy", options: ["encoding"], costMs: 20 },
];
