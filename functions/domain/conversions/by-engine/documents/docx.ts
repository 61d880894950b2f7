import type { ConversionRow } from "../../conversion.ts";

/** Writing Word documents. */
export const docxConversions: readonly ConversionRow[] = [
  { from: ["html"], to: "docx", fidelity: "lossy", options: ["encoding"], costMs: 60 },
];
