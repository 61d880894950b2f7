import type { ConversionRow } from "../conversion.ts";
import type { OptionName } from "../options.ts";

const OPEN = ["pages", "password"] as const satisfies readonly OptionName[];

/** The row of `papers.ts` that makes a PDF of pictures, and that of `pages.ts`, with a language beside. */
const ALBUM = ["page_size", "page_orientation", "page_margin", "dpi", "ocr", "ocr_language"] as const;

const READ = { engine: "tesseract-cli", fidelity: "content_only", preferred: true, last: true } as const;

/**
 * Languages are asked for by those few who have scans: their jobs go to a lane with the program, all others stay where a
 * PDF takes milliseconds.
 */
const BY_LANGUAGE = { engine: "tesseract-cli", preferred: true, last: true, asked: "ocr_language" } as const;

/** What native Tesseract reads, and Poppler draws. */
export const readingsConversions: readonly ConversionRow[] = [
  {
    ...READ,
    from: ["jpg", "png", "webp", "tiff", "gif", "avif"],
    to: "txt",
    options: ["ocr", "ocr_language"],
    costMs: 1_800,
  },
  {
    ...BY_LANGUAGE,
    from: ["pdf"],
    to: "txt",
    fidelity: "content_only",
    options: [...OPEN, "ocr", "ocr_language"],
    costMs: 2_000,
    first: true,
  },
  {
    ...BY_LANGUAGE,
    from: ["pdf"],
    to: "pdf",
    fidelity: "lossless",
    options: [...OPEN, "split", "dpi", "ocr", "ocr_language"],
    costMs: 2_000,
    merges: true,
    first: true,
  },
  {
    ...BY_LANGUAGE,
    from: ["jpg", "png"],
    to: "pdf",
    fidelity: "lossless",
    options: ALBUM,
    costMs: 2_000,
    merges: true,
  },
  {
    ...BY_LANGUAGE,
    from: ["webp", "gif", "tiff", "avif", "heic"],
    to: "pdf",
    fidelity: "lossy",
    options: [...ALBUM, "quality", "lossless"],
    costMs: 2_000,
    merges: true,
  },
  // First, so that a drawing of an office does not go by way of a printed page.
  {
    from: ["pdf"],
    to: "svg",
    engine: "poppler",
    fidelity: "lossless",
    options: OPEN,
    costMs: 500,
    first: true,
    last: true,
  },
  {
    from: ["pdf"],
    to: "eps",
    engine: "poppler",
    fidelity: "lossless",
    options: OPEN,
    costMs: 500,
    first: true,
    last: true,
  },
];
