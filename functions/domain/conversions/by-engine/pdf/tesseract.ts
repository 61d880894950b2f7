import type { ConversionRow } from "../../conversion.ts";
import type { OptionRules } from "../../option-rules.ts";
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

const IMAGES = ["jpg", "png", "webp", "tiff", "gif", "avif"] as const;

const IN_IMAGES: OptionRules = {
  ocr: {
    default: "auto",
    refused: ({ ocr }) => (ocr === "off" ? "`ocr` cannot be `off`: an image has no other text." : undefined),
  },
};

/** The text of a PDF cannot be replaced. Every option of the conversion turns recognition on. */
const IN_PDF: OptionRules = { ocr: { only: ["auto", "off"] } };

/** Conversions of Tesseract: text in images, and in pages that are images. */
export const tesseractConversions: readonly ConversionRow[] = [
  {
    ...BASE,
    from: IMAGES,
    to: "txt",
    fidelity: "content_only",
    options: TEXT,
    rules: IN_IMAGES,
    costMs: 1_800,
  },
  // Only as first steps: pages are photographed or scanned to these formats.
  {
    ...BASE,
    from: [...IMAGES, "heic"],
    to: "docx",
    fidelity: "content_only",
    options: TEXT,
    rules: IN_IMAGES,
    first: true,
  },
  {
    ...BASE,
    from: [...IMAGES, "heic"],
    to: "xlsx",
    fidelity: "content_only",
    options: [...TEXT, "tables"],
    rules: IN_IMAGES,
    first: true,
  },
  {
    ...WITH_TEXT,
    from: ["pdf"],
    to: "pdf",
    fidelity: "lossless",
    options: [...OPEN, "split", "dpi", ...TEXT],
    rules: {
      ...IN_PDF,
      dpi: { default: SCAN_DPI, unused: ({ ocr }) => (ocr === "off" ? "`ocr` is `off`" : undefined) },
    },
    merges: true,
    first: true,
  },
  {
    ...WITH_TEXT,
    from: ["jpg", "png"],
    to: "pdf",
    fidelity: "lossless",
    options: ALBUM,
    rules: { ...ALBUM_RULES, ...IN_PDF },
    merges: true,
  },
  {
    ...WITH_TEXT,
    from: ["webp", "gif", "tiff", "avif", "heic"],
    to: "pdf",
    fidelity: "lossy",
    options: [...ALBUM, "quality", "lossless"],
    rules: { ...ALBUM_RULES, ...IN_PDF },
    merges: true,
  },
];
