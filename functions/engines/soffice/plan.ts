import { DOCUMENT_PAGES_MAX } from "../../domain/conversion-limits.ts";
import { extensionOf, type FormatId } from "../../domain/formats.ts";
import type { Options } from "../../domain/options.ts";
import type { EngineTask } from "../engine.ts";

/** What LibreOffice takes a document for. */
export type Kind = "text" | "sheets" | "slides" | "drawing";

/** What the sidecar is asked to do; `documents.py` reads it. */
export interface OfficeTask {
  readonly input: string;
  readonly output: string;
  /** Of the source: some kinds are told by it alone. */
  readonly extension: string;
  /** Names of filters that write the target, by the kinds of documents that may become it. */
  readonly filters: Partial<Record<Kind, string>>;
  readonly filterOptions?: string;
  readonly filterData?: Readonly<Record<string, string | number | boolean>>;
  readonly password?: string;
  readonly sheet?: string | number;
  /** Pages are counted, and more than these are refused. */
  readonly pagesMax?: number;
  /** Text is drawn in it: fonts that are not there are told. */
  readonly tellsFonts?: boolean;
  /** The page becomes as large as what is drawn on it: the source has none. */
  readonly fitsDrawing?: boolean;
  /** A document in which nothing can be read is refused: it is one of a newer kind, of which LibreOffice sees no text. */
  readonly refusesEmpty?: boolean;
}

/** The names that LibreOffice gives to what it writes; those that it calls by a name of Word's are the ones that Word writes. */
const FILTERS: Partial<Record<FormatId, OfficeTask["filters"]>> = {
  pdf: {
    text: "writer_pdf_Export",
    sheets: "calc_pdf_Export",
    slides: "impress_pdf_Export",
    drawing: "draw_pdf_Export",
  },
  docx: { text: "MS Word 2007 XML" },
  doc: { text: "MS Word 97" },
  odt: { text: "writer8" },
  rtf: { text: "Rich Text Format" },
  txt: { text: "Text (encoded)" },
  xlsx: { sheets: "Calc MS Excel 2007 XML" },
  xls: { sheets: "MS Excel 97" },
  ods: { sheets: "calc8" },
  pptx: { slides: "Impress MS PowerPoint 2007 XML" },
  ppt: { slides: "MS PowerPoint 97" },
  odp: { slides: "impress8" },
  odg: { drawing: "draw8" },
  svg: { drawing: "draw_svg_Export" },
};

const PDF_VERSIONS = { "1b": 1, "2b": 2, "3b": 3 } as const;

/** Drawings without a page, and documents of Apple. */
const PAGELESS: readonly FormatId[] = ["emf", "wmf", "dxf"];
const SHUT: readonly FormatId[] = ["pages", "key"];

/** @returns what the sidecar is to do */
export const planOffice = ({ input, output, from, to, options }: EngineTask): OfficeTask => {
  const { password, sheet } = options;
  return {
    input,
    output,
    extension: extensionOf(from),
    filters: FILTERS[to] ?? {},
    ...(to === "txt" && { filterOptions: "UTF8,LF" }),
    ...(to === "pdf" && { pagesMax: DOCUMENT_PAGES_MAX, filterData: pdfData(options) }),
    ...(password !== undefined && { password }),
    ...(sheet !== undefined && { sheet }),
    ...((to === "pdf" || to === "svg") && { tellsFonts: true }),
    ...(PAGELESS.includes(from) && { fitsDrawing: true }),
    ...(SHUT.includes(from) && { refusesEmpty: true }),
  };
};

const pdfData = ({ pages, quality, pdf_a }: Options) => ({
  ...(pages !== undefined && { PageRange: pages.replace(/\s+/g, "") }),
  ...(quality !== undefined && { Quality: quality, UseLosslessCompression: false }),
  ...(pdf_a !== undefined && { SelectPdfVersion: PDF_VERSIONS[pdf_a] }),
});
