import type { ConversionRow } from "../../conversion.ts";
import type { OptionName } from "../../options.ts";

const OPEN = ["pages", "password"] as const satisfies readonly OptionName[];
const DRAW = [...OPEN, "dpi", "width", "height", "background"] as const satisfies readonly OptionName[];

/**
 * Conversions of PDF: rendered pages and reflowed text. HTML is the hub to other documents. Tables, slides and plain
 * text are only extracted from original PDFs, because other formats have a shorter route to them.
 */
export const pdfiumConversions: readonly ConversionRow[] = [
  { from: ["pdf"], to: "png", fidelity: "lossless", options: DRAW, costMs: 300, last: true },
  {
    from: ["pdf"],
    to: "jpg",
    fidelity: "lossy",
    options: [...DRAW, "quality"],
    costMs: 300,
    last: true,
  },
  {
    from: ["pdf"],
    to: "webp",
    fidelity: "lossy",
    options: [...DRAW, "quality", "lossless"],
    costMs: 1_500,
    last: true,
  },
  {
    from: ["pdf"],
    to: "avif",
    fidelity: "lossy",
    options: [...DRAW, "quality", "lossless"],
    costMs: 4_000,
    last: true,
  },
  { from: ["pdf"], to: "tiff", fidelity: "lossless", options: DRAW, costMs: 330, last: true },
  {
    from: ["pdf"],
    to: "txt",
    fidelity: "content_only",
    options: OPEN,
    costMs: 150,
    first: true,
  },
  { from: ["pdf"], to: "html", fidelity: "content_only", options: OPEN, costMs: 200 },
  {
    from: ["pdf"],
    to: "xlsx",
    fidelity: "content_only",
    options: OPEN,
    costMs: 250,
    first: true,
    last: true,
  },
  {
    from: ["pdf"],
    to: "csv",
    fidelity: "content_only",
    options: [...OPEN, "delimiter"],
    costMs: 200,
    first: true,
    last: true,
  },
  {
    from: ["pdf"],
    to: "pptx",
    fidelity: "content_only",
    options: OPEN,
    costMs: 500,
    first: true,
    last: true,
  },
];
