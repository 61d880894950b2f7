import type { FormatId } from "../../../formats/formats.ts";
import type { ConversionRow } from "../../conversion.ts";
import type { OptionName } from "../../options.ts";
import { CSV_RULES } from "../data/csv-rules.ts";

const PDF = ["pages", "password", "quality", "pdf_a"] as const satisfies readonly OptionName[];

const TEXTS = [
  "docx",
  "doc",
  "odt",
  "rtf",
  "fodt",
  "pages",
  "wpd",
  "sxw",
  "wps",
  "wri",
] as const satisfies readonly FormatId[];
/** Without Numbers: LibreOffice reads its grid but not its cells, which SheetJS reads. */
const SHEETS = ["xlsx", "xls", "xlsb", "ods", "fods", "sxc", "wk1", "wb2"] as const satisfies readonly FormatId[];
/** Workbooks that only LibreOffice reads. */
const OLD_SHEETS = ["sxc", "wk1", "wb2", "slk"] as const satisfies readonly FormatId[];
const SLIDES = ["pptx", "ppt", "odp", "key", "sxi"] as const satisfies readonly FormatId[];
const DRAWINGS = ["odg", "vsdx", "vsd", "pub", "cdr"] as const satisfies readonly FormatId[];
/** Single-page drawings with little text. */
const FIGURES = ["emf", "wmf", "dxf"] as const satisfies readonly FormatId[];

/** First steps only: a document that was converted to one of these formats on the way has a shorter route. */
const BY_OFFICE = { fidelity: "lossy", first: true } as const;

/** Preferred: a route through HTML supports more page options, but its document looks different from the original. */
const intoPdf: readonly ConversionRow[] = [
  { ...BY_OFFICE, from: TEXTS, to: "pdf", options: PDF, costMs: 100, preferred: true },
  { ...BY_OFFICE, from: SHEETS, to: "pdf", options: [...PDF, "sheet", "sheet_fit"], costMs: 100, preferred: true },
  {
    ...BY_OFFICE,
    from: ["slk"],
    to: "pdf",
    options: ["encoding", "pages", "quality", "pdf_a", "sheet_fit"],
    costMs: 100,
    preferred: true,
  },
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

/** The cells of old workbooks, as of others (`data/sheets.ts`). */
const oldTables: readonly ConversionRow[] = OLD_SHEETS.flatMap((format): ConversionRow[] => {
  const row = { from: [format], first: true, costMs: 550 } as const;
  const reading = format === "slk" ? (["encoding"] as const) : (["sheet"] as const);
  return [
    { ...row, to: "csv", fidelity: "lossless", options: [...reading, "delimiter", "values"], rules: CSV_RULES },
    { ...row, to: "tsv", fidelity: "lossless", options: [...reading, "values"] },
    { ...row, to: "json", fidelity: "lossless", options: [...reading, "header", "indent", "values"] },
    { ...row, to: "html", fidelity: "content_only", options: reading },
  ];
});

/** @returns rows that write documents and workbooks in the format from which other engines continue */
export const preparedByOffice = (
  workbooks: readonly FormatId[],
  row: Pick<ConversionRow, "fidelity" | "optIn">,
): readonly ConversionRow[] => [
  { ...PREPARED, ...row, from: ["docx"], to: "docx", options: ["password"] },
  { ...PREPARED, ...row, from: workbooks, to: "xlsx", options: ["password", "sheet"] },
];

const PREPARED = { costMs: 150, first: true, prepares: true } as const;

/**
 * Only LibreOffice opens encrypted documents. Others read the result, so that a password is accepted for all targets of
 * the format.
 */
const decrypted = preparedByOffice(["xlsx", "xls", "xlsb", "ods"], { fidelity: "lossless", optIn: ["password"] });

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
  ...among(["slk"], ["xlsx", "xls", "ods"], { options: ["encoding"], costMs: 150 }),
  ...oldTables,
  ...decrypted,
  ...among(SLIDES, ["pptx", "ppt", "odp"], { options: ["password"], costMs: 150 }),
  // Images of drawings are rendered from the PDF, which has all pages; images of figures from the SVG.
  ...among(DRAWINGS, ["svg"], { options: [], costMs: 50, last: true }),
  ...among(FIGURES, ["svg"], { options: [], costMs: 50 }),
];
