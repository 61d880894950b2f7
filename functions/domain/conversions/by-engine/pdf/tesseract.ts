import type { ConversionRow } from "../../conversion.ts";
import type { OptionName } from "../../options.ts";
import { ALBUM_RULES } from "./pdflib.ts";

const OPEN = ["pages", "password"] as const satisfies readonly OptionName[];
const TEXT = ["ocr", "ocr_language"] as const satisfies readonly OptionName[];
const ALBUM = ["page_size", "page_orientation", "page_margin", "dpi", ...TEXT] as const satisfies readonly OptionName[];

/** Default resolution at which scanned pages are recognized. */
export const SCAN_DPI = 300;

const BASE = { preferred: true, last: true, costMs: 2_000 } as const;

/**
 * Opt-in: few users need the text of scans. Their jobs go to a lane with the program; all others stay where a PDF takes
 * milliseconds.
 */
const WITH_TEXT = { ...BASE, optIn: TEXT } as const;

/** Conversions of Tesseract: text in images, and in pages that are images. */
export const tesseractConversions: readonly ConversionRow[] = [
  {
    ...BASE,
    from: ["jpg", "png", "webp", "tiff", "gif", "avif"],
    to: "txt",
    fidelity: "content_only",
    options: TEXT,
    rules: {
      ocr: {
        default: true,
        refused: ({ ocr }) => (ocr === false ? "`ocr` must be `true`: an image has no other text." : undefined),
      },
    },
    costMs: 1_800,
  },
  { ...WITH_TEXT, from: ["pdf"], to: "txt", fidelity: "content_only", options: [...OPEN, ...TEXT], first: true },
  {
    ...WITH_TEXT,
    from: ["pdf"],
    to: "pdf",
    fidelity: "lossless",
    options: [...OPEN, "split", "dpi", ...TEXT],
    rules: { dpi: { default: SCAN_DPI, unused: ({ ocr }) => (ocr === false ? "`ocr` is false" : undefined) } },
    merges: true,
    first: true,
  },
  {
    ...WITH_TEXT,
    from: ["jpg", "png"],
    to: "pdf",
    fidelity: "lossless",
    options: ALBUM,
    rules: ALBUM_RULES,
    merges: true,
  },
  {
    ...WITH_TEXT,
    from: ["webp", "gif", "tiff", "avif", "heic"],
    to: "pdf",
    fidelity: "lossy",
    options: [...ALBUM, "quality", "lossless"],
    rules: ALBUM_RULES,
    merges: true,
  },
];
