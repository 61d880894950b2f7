import type { ConversionRow } from "../../conversion.ts";

/** Markdown and plain text. HTML is the hub of documents: readers produce it, and writers consume it. */
export const markupConversions: readonly ConversionRow[] = [
  // Pandoc reads the formulas, and takes ten times as long as the rest.
  { from: ["md"], to: "html", fidelity: "lossless", options: ["encoding", "style"], costMs: 15, helper: "pandoc" },
  { from: ["txt"], to: "html", fidelity: "lossless", options: ["encoding"], costMs: 2 },
  { from: ["html"], to: "md", fidelity: "content_only", options: ["encoding"], costMs: 20 },
  { from: ["html"], to: "txt", fidelity: "content_only", options: ["encoding"], costMs: 20 },
];
