import type { ConversionRow } from "../../conversion.ts";

/** DjVu: scanned pages with their text. */
export const djvuConversions: readonly ConversionRow[] = [
  { from: ["djvu"], to: "pdf", fidelity: "lossy", options: [], costMs: 1_000 },
  { from: ["djvu"], to: "txt", fidelity: "content_only", options: [], costMs: 100, last: true },
];
