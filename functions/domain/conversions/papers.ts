import type { ConversionRow } from "../conversion.ts";
import type { OptionName } from "../options.ts";

const PAGE = ["page_size", "page_orientation", "page_margin"] as const satisfies readonly OptionName[];
const ALBUM = [...PAGE, "dpi", "ocr"] as const satisfies readonly OptionName[];

const TEXT = [...PAGE, "encoding"] as const satisfies readonly OptionName[];

// What was made a PDF is a PDF: nothing that could be had straight comes of it.
const ALBUM_ROW = { to: "pdf", engine: "pdflib", preferred: true, merges: true, last: true } as const;

/** What becomes PDF: pictures, PDFs put together or taken apart, drawings and texts. */
export const paperConversions: readonly ConversionRow[] = [
  // Preferred, so that no JPEG becomes a PNG on its way for the sake of more options.
  { ...ALBUM_ROW, from: ["jpg"], fidelity: "lossless", options: ALBUM, costMs: 20 },
  { ...ALBUM_ROW, from: ["png"], fidelity: "lossless", options: ALBUM, costMs: 200 },
  {
    ...ALBUM_ROW,
    from: ["webp", "gif", "tiff", "avif", "heic"],
    fidelity: "lossy",
    options: [...ALBUM, "quality", "lossless"],
    costMs: 400,
  },
  {
    from: ["pdf"],
    to: "pdf",
    engine: "pdflib",
    fidelity: "lossless",
    options: ["pages", "password", "split", "ocr", "dpi"],
    costMs: 150,
    merges: true,
    first: true,
    last: true,
  },
  { from: ["svg"], to: "pdf", engine: "typst", fidelity: "lossless", options: PAGE, costMs: 30, last: true },
  {
    from: ["txt"],
    to: "pdf",
    engine: "typst",
    fidelity: "lossless",
    options: TEXT,
    costMs: 100,
    last: true,
    // Preferred, so that no text becomes HTML on its way to a browser for the sake of more options.
    preferred: true,
  },
  { from: ["html"], to: "pdf", engine: "typst", fidelity: "content_only", options: TEXT, costMs: 200, last: true },
  {
    from: ["jpg", "png", "webp", "tiff", "gif", "avif"],
    to: "txt",
    engine: "tesseract",
    fidelity: "content_only",
    options: ["ocr"],
    costMs: 4_000,
    preferred: true,
    last: true,
  },
];
