import type { ConversionRow } from "../../conversion.ts";

/** Markdown and plain text. HTML is the hub of documents: readers produce it, and writers consume it. */
export const markupConversions: readonly ConversionRow[] = [
  { from: ["md"], to: "html", fidelity: "lossless", options: ["encoding"], costMs: 15 },
  { from: ["txt"], to: "html", fidelity: "lossless", options: ["encoding"], costMs: 2 },
  { from: ["html"], to: "md", fidelity: "content_only", options: ["encoding"], costMs: 20 },
  { from: ["html"], to: "txt", fidelity: "content_only", options: ["encoding"], costMs: 20 },
];
