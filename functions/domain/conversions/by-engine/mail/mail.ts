import type { ConversionRow } from "../../conversion.ts";

/** Email messages, and web pages that are saved as messages. */
export const mailConversions: readonly ConversionRow[] = [
  { from: ["eml", "msg"], to: "html", fidelity: "lossy", options: [], loses: ["attachments"], costMs: 60 },
  { from: ["mhtml"], to: "html", fidelity: "lossy", options: [], loses: ["layout"], costMs: 40 },
  { from: ["eml", "msg"], to: "txt", fidelity: "content_only", options: [], costMs: 40 },
  { from: ["eml", "msg", "mbox"], to: "json", fidelity: "lossless", options: ["indent"], costMs: 60, last: true },
  { from: ["eml", "msg"], to: "zip", fidelity: "content_only", options: [], costMs: 60, last: true },
  { from: ["msg"], to: "eml", fidelity: "lossy", options: [], costMs: 60 },
  { from: ["mbox"], to: "eml", fidelity: "lossless", options: [], costMs: 30 },
  { from: ["eml"], to: "mbox", fidelity: "lossless", options: [], costMs: 10, merges: true },
];
