import type { ConversionRow } from "../conversion.ts";

/** HTML is the hub: what reads a document makes HTML of it, what writes one takes HTML. */
export const documentConversions: readonly ConversionRow[] = [
  { from: ["md"], to: "html", engine: "markup", fidelity: "lossless", options: ["encoding"], costMs: 15 },
  { from: ["txt"], to: "html", engine: "markup", fidelity: "lossless", options: ["encoding"], costMs: 2 },
  { from: ["html"], to: "md", engine: "markup", fidelity: "content_only", options: ["encoding"], costMs: 20 },
  { from: ["html"], to: "txt", engine: "markup", fidelity: "content_only", options: ["encoding"], costMs: 20 },
  { from: ["docx"], to: "html", engine: "mammoth", fidelity: "content_only", options: [], costMs: 40 },
  { from: ["html"], to: "docx", engine: "docx", fidelity: "lossy", options: ["encoding"], costMs: 60 },
  { from: ["epub"], to: "html", engine: "epub", fidelity: "lossy", options: [], costMs: 15 },
  { from: ["html"], to: "epub", engine: "epub", fidelity: "lossy", options: ["encoding"], costMs: 20 },
  { from: ["mobi", "azw3"], to: "html", engine: "mobi", fidelity: "lossy", options: [], costMs: 15 },
  { from: ["fb2"], to: "html", engine: "fb2", fidelity: "lossy", options: [], costMs: 15 },
  // No route leads from one book to another through HTML, which is of another family.
  { from: ["mobi", "azw3"], to: "epub", engine: "mobi", fidelity: "lossy", options: [], costMs: 25 },
  { from: ["fb2"], to: "epub", engine: "fb2", fidelity: "lossy", options: [], costMs: 25 },
];
