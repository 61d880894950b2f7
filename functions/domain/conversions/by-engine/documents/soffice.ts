import type { FormatId } from "../../../formats/formats.ts";
import type { ConversionRow } from "../../conversion.ts";
import type { OptionName } from "../../options.ts";

const PDF = ["pages", "password", "quality", "pdf_a"] as const satisfies readonly OptionName[];

const TEXTS = ["docx", "doc", "odt", "rtf", "fodt", "pages", "wpd"] as const satisfies readonly FormatId[];
/** Not Numbers, of which LibreOffice reads the grid and leaves out the cells; SheetJS reads them. */
const SHEETS = ["xlsx", "xls", "xlsb", "ods", "fods"] as const satisfies readonly FormatId[];
const SLIDES = ["pptx", "ppt", "odp", "key"] as const satisfies readonly FormatId[];
const DRAWINGS = ["odg", "vsdx"] as const satisfies readonly FormatId[];
/** Drawings of one page, without much to read. */
const FIGURES = ["emf", "wmf", "dxf"] as const satisfies readonly FormatId[];

/** First: what only became a document of this kind on its way has a shorter one. */
const BY_OFFICE = { fidelity: "lossy", first: true } as const;

/** Preferred, since a way by HTML honours more options of pages, but draws another document than the office shows. */
const intoPdf: readonly ConversionRow[] = [
  { ...BY_OFFICE, from: TEXTS, to: "pdf", options: PDF, costMs: 100, preferred: true },
  { ...BY_OFFICE, from: SHEETS, to: "pdf", options: [...PDF, "sheet"], costMs: 100, preferred: true },
  { ...BY_OFFICE, from: SLIDES, to: "pdf", options: PDF, costMs: 100, preferred: true },
  { ...BY_OFFICE, from: DRAWINGS, to: "pdf", options: ["pages", "quality", "pdf_a"], costMs: 50, preferred: true },
  { ...BY_OFFICE, from: FIGURES, to: "pdf", options: ["quality", "pdf_a"], costMs: 50, preferred: true, last: true },
];

/** @returns rows from all of them to each of the targets but itself */
const among = (
  sources: readonly FormatId[],
  targets: readonly FormatId[],
  row: Pick<ConversionRow, "options" | "costMs" | "last">,
): ConversionRow[] => targets.map((to) => ({ ...BY_OFFICE, from: sources.filter((from) => from !== to), to, ...row }));

/** What LibreOffice reads and writes. */
export const sofficeConversions: readonly ConversionRow[] = [
  ...intoPdf,
  ...among(TEXTS, ["docx", "doc", "odt", "rtf"], { options: ["password"], costMs: 100 }),
  // DOCX has a way that keeps its tables in rows.
  ...among(
    TEXTS.filter((from) => from !== "docx"),
    ["txt"],
    { options: ["password"], costMs: 60, last: true },
  ),
  ...among(SHEETS, ["xlsx", "xls", "ods"], { options: ["password", "sheet"], costMs: 150 }),
  ...among(SLIDES, ["pptx", "ppt", "odp"], { options: ["password"], costMs: 150 }),
  // Pictures of drawings are drawn from the PDF, which has all pages, and those of figures from the SVG.
  ...among(DRAWINGS, ["svg"], { options: [], costMs: 50, last: true }),
  ...among(FIGURES, ["svg"], { options: [], costMs: 50 }),
];
