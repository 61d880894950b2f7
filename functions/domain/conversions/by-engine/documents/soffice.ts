import type { FormatId } from "../../../formats/formats.ts";
import type { ConversionRow } from "../../conversion.ts";
import type { OptionName } from "../../options.ts";

const PDF = ["pages", "password", "quality", "pdf_a"] as const satisfies readonly OptionName[];

const TEXTS = ["docx", "doc", "odt", "rtf", "fodt", "pages", "wpd"] as const satisfies readonly FormatId[];
/** Without Numbers: LibreOffice reads its grid but not its cells, which SheetJS reads. */
const SHEETS = ["xlsx", "xls", "xlsb", "ods", "fods"] as const satisfies readonly FormatId[];
const SLIDES = ["pptx", "ppt", "odp", "key"] as const satisfies readonly FormatId[];
const DRAWINGS = ["odg", "vsdx"] as const satisfies readonly FormatId[];
/** Single-page drawings with little text. */
const FIGURES = ["emf", "wmf", "dxf"] as const satisfies readonly FormatId[];

/** First steps only: a document that was converted to one of these formats on the way has a shorter route. */
const BY_OFFICE = { fidelity: "lossy", first: true } as const;

/** Preferred: a route through HTML supports more page options, but its document looks different from the original. */
const intoPdf: readonly ConversionRow[] = [
  { ...BY_OFFICE, from: TEXTS, to: "pdf", options: PDF, costMs: 100, preferred: true },
  { ...BY_OFFICE, from: SHEETS, to: "pdf", options: [...PDF, "sheet", "sheet_fit"], costMs: 100, preferred: true },
  { ...BY_OFFICE, from: SLIDES, to: "pdf", options: PDF, costMs: 100, preferred: true },
  { ...BY_OFFICE, from: DRAWINGS, to: "pdf", options: ["pages", "quality", "pdf_a"], costMs: 50, preferred: true },
  { ...BY_OFFICE, from: FIGURES, to: "pdf", options: ["quality", "pdf_a"], costMs: 50, preferred: true, last: true },
];

/** @returns rows from every source to each target except itself */
const among = (
  sources: readonly FormatId[],
  targets: readonly FormatId[],
  row: Pick<ConversionRow, "options" | "costMs" | "last">,
): ConversionRow[] => targets.map((to) => ({ ...BY_OFFICE, from: sources.filter((from) => from !== to), to, ...row }));

/**
 * Only LibreOffice opens encrypted documents. Others read the result, so that a password is accepted for all targets of
 * the format.
 */
const decrypted: readonly ConversionRow[] = [
  { from: ["docx"] as const, to: "docx" as const, options: ["password"] as const },
  { from: ["xlsx", "xls", "xlsb", "ods"] as const, to: "xlsx" as const, options: ["password", "sheet"] as const },
].map((row) => ({ ...row, fidelity: "lossless", costMs: 150, first: true, prepares: true, optIn: ["password"] }));

/** Conversions of LibreOffice. */
export const sofficeConversions: readonly ConversionRow[] = [
  ...intoPdf,
  ...among(TEXTS, ["docx", "doc", "odt", "rtf"], { options: ["password"], costMs: 100 }),
  // DOCX has a route that keeps its tables in rows.
  ...among(
    TEXTS.filter((from) => from !== "docx"),
    ["txt"],
    { options: ["password"], costMs: 60, last: true },
  ),
  ...among(SHEETS, ["xlsx", "xls", "ods"], { options: ["password", "sheet"], costMs: 150 }),
  ...decrypted,
  ...among(SLIDES, ["pptx", "ppt", "odp"], { options: ["password"], costMs: 150 }),
  // Images of drawings are rendered from the PDF, which has all pages; images of figures from the SVG.
  ...among(DRAWINGS, ["svg"], { options: [], costMs: 50, last: true }),
  ...among(FIGURES, ["svg"], { options: [], costMs: 50 }),
];
