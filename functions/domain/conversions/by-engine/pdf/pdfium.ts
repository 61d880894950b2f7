import type { ConversionRow } from "../../conversion.ts";
import type { OptionRules } from "../../option-rules.ts";
import type { OptionName } from "../../options.ts";
import { CSV_RULES } from "../data/csv-rules.ts";
import { QUALITY, WHITE, withQuality } from "../pictures/qualities.ts";

const OPEN = ["pages", "password"] as const satisfies readonly OptionName[];
/** Options of everything that reads the text of pages. */
const READ = [...OPEN, "ocr", "ocr_language"] as const satisfies readonly OptionName[];
const DRAW = [...OPEN, "dpi", "width", "height", "background"] as const satisfies readonly OptionName[];

/** Default resolution of rendered pages. */
export const PAGE_DPI = 150;

const DRAWN: OptionRules = {
  dpi: {
    default: PAGE_DPI,
    unused: ({ width, height }) =>
      width === undefined && height === undefined ? undefined : "`width` or `height` is set",
  },
  background: { default: WHITE },
};

/** Sheets of a PDF by default. */
export const TABLES = "each";

const OCR: OptionRules = { ocr: { default: "auto" } };
const READING = { fidelity: "content_only", options: READ, rules: OCR, helper: "tesseract" } as const;

/**
 * Conversions of PDF: rendered pages and reflowed text. HTML is the hub to other documents. Tables, slides and plain
 * text are only extracted from original PDFs, because other formats have a shorter route to them.
 */
export const pdfiumConversions: readonly ConversionRow[] = [
  { from: ["pdf"], to: "png", fidelity: "lossless", options: DRAW, rules: DRAWN, costMs: 300, last: true },
  {
    from: ["pdf"],
    to: "jpg",
    fidelity: "lossy",
    options: [...DRAW, "quality"],
    rules: { ...DRAWN, ...withQuality(QUALITY.jpg) },
    costMs: 300,
    last: true,
  },
  {
    from: ["pdf"],
    to: "webp",
    fidelity: "lossy",
    options: [...DRAW, "quality", "lossless"],
    rules: { ...DRAWN, ...withQuality(QUALITY.webp) },
    costMs: 1_500,
    last: true,
  },
  {
    from: ["pdf"],
    to: "avif",
    fidelity: "lossy",
    options: [...DRAW, "quality", "lossless"],
    rules: { ...DRAWN, ...withQuality(QUALITY.avif) },
    costMs: 4_000,
    last: true,
  },
  { from: ["pdf"], to: "tiff", fidelity: "lossless", options: DRAW, rules: DRAWN, costMs: 330, last: true },
  {
    from: ["pdf"],
    to: "txt",
    ...READING,
    costMs: 150,
    first: true,
  },
  { from: ["pdf"], to: "html", ...READING, options: [...READ, "layout"], costMs: 200 },
  {
    from: ["pdf"],
    to: "docx",
    ...READING,
    fidelity: "lossy",
    options: [...READ, "layout"],
    costMs: 400,
    last: true,
  },
  {
    from: ["pdf"],
    to: "xlsx",
    ...READING,
    options: [...READ, "tables"],
    costMs: 250,
    first: true,
    last: true,
  },
  {
    from: ["pdf"],
    to: "csv",
    ...READING,
    options: [...READ, "tables", "delimiter"],
    rules: { ...OCR, ...CSV_RULES },
    costMs: 200,
    first: true,
    last: true,
  },
  {
    from: ["pdf"],
    to: "pptx",
    ...READING,
    costMs: 500,
    first: true,
    last: true,
  },
];
