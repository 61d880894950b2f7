import { DOCUMENT_PAGES_MAX, PRINTED_AREA_CELLS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import type { Options } from "../../../domain/conversions/options.ts";
import { extensionOf, type FormatId, formatOf } from "../../../domain/formats/formats.ts";
import type { EngineTask } from "../../core/engine.ts";

/** The document types of LibreOffice. */
export type Kind = "text" | "sheets" | "slides" | "drawing";

/** A task for the sidecar; read by `documents.py`. */
export interface OfficeTask {
  readonly input: string;
  readonly output: string;
  /** The extension of the source: some formats are detected by it alone. */
  readonly extension: string;
  /** The export filters for the target, by the types of documents that can be converted to it. */
  readonly filters: Partial<Record<Kind, string>>;
  readonly filterOptions?: string;
  readonly filterData?: Readonly<Record<string, string | number | boolean>>;
  readonly password?: string;
  readonly sheet?: string | number;
  /** How sheets fit the page. @default one page wide, unless the workbook has a print setup */
  readonly sheetFit?: Options["sheet_fit"];
  /** Maximum number of pages; documents with more are rejected. */
  readonly pagesMax?: number;
  /** Maximum number of cells of the used area of a sheet. */
  readonly areaCellsMax?: number;
  /** The source is a text document. */
  readonly isText?: boolean;
  /** All formulas are computed. */
  readonly computes?: boolean;
  /** The target shows text, so missing fonts are reported. */
  readonly reportsFonts?: boolean;
  /** The page is resized to the drawing because the source has no page size. */
  readonly fitsDrawing?: boolean;
  /**
   * Documents without readable content are rejected: they are in a newer version of the format, whose text LibreOffice
   * ignores.
   */
  readonly refusesEmpty?: boolean;
}

/**
 * LibreOffice's names of the export filters. For Word's formats, these are the filters for the versions that Word
 * writes.
 */
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

/** Drawings without a page, and Apple documents. */
const PAGELESS: readonly FormatId[] = ["emf", "wmf", "dxf"];
const SHUT: readonly FormatId[] = ["pages", "key"];

/** What the options of a job do not say. */
export interface PlanHow {
  /** All formulas are computed, instead of those whose values have changed. */
  readonly computes?: boolean;
}

/** @returns the task for the sidecar */
export const planOffice = (
  { input, output, from, to, options }: EngineTask,
  { computes }: PlanHow = {},
): OfficeTask => {
  const { password, sheet, sheet_fit } = options;
  return {
    input,
    output,
    extension: extensionOf(from),
    filters: FILTERS[to] ?? {},
    ...(to === "txt" && { filterOptions: "UTF8,LF" }),
    ...(to === "pdf" && {
      pagesMax: DOCUMENT_PAGES_MAX,
      areaCellsMax: PRINTED_AREA_CELLS_MAX,
      filterData: pdfData(options),
    }),
    ...(password !== undefined && { password }),
    ...(sheet !== undefined && { sheet }),
    ...(sheet_fit !== undefined && { sheetFit: sheet_fit }),
    ...((to === "pdf" || to === "svg") && { reportsFonts: true }),
    ...(formatOf(from).family === "document" && { isText: true }),
    ...(computes === true && { computes }),
    ...(PAGELESS.includes(from) && { fitsDrawing: true }),
    ...(SHUT.includes(from) && { refusesEmpty: true }),
  };
};

const pdfData = ({ pages, quality, pdf_a }: Options) => ({
  ...(pages !== undefined && { PageRange: pages.replace(/\s+/g, "") }),
  ...(quality !== undefined && { Quality: quality, UseLosslessCompression: false }),
  ...(pdf_a !== undefined && { SelectPdfVersion: PDF_VERSIONS[pdf_a] }),
});
