import type { ConversionRow } from "../../conversion.ts";

/** Word documents, written. */
export const docxConversions: readonly ConversionRow[] = [
  { from: ["html"], to: "docx", fidelity: "lossy", options: ["encoding"], costMs: 60 },
];
