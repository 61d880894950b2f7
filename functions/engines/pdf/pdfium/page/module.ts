import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PDFiumModule } from "@hyzyla/pdfium";
import { JobError } from "../../../../domain/errors.ts";

/** PDFium's functions as WebAssembly exports: they take and return numbers, and pointers are numbers too. */

const NAMES = [
  "FPDF_InitLibrary",
  "FPDF_LoadMemDocument",
  "FPDF_CloseDocument",
  "FPDF_GetLastError",
  "FPDF_GetPageCount",
  "FPDF_DocumentHasValidCrossReferenceTable",
  "FPDF_LoadPage",
  "FPDF_ClosePage",
  "FPDF_GetPageWidthF",
  "FPDF_GetPageHeightF",
  "FPDF_GetPageBoundingBox",
  "FPDF_GetMetaText",
  "FPDFCatalog_IsTagged",
  "FPDF_StructTree_GetForPage",
  "FPDF_StructTree_Close",
  "FPDF_StructTree_CountChildren",
  "FPDF_StructTree_GetChildAtIndex",
  "FPDF_StructElement_GetType",
  "FPDF_StructElement_GetLang",
  "FPDF_StructElement_CountChildren",
  "FPDF_StructElement_GetChildAtIndex",
  "FPDF_StructElement_GetChildMarkedContentID",
  "FPDF_RenderPageBitmap",
  "FPDF_FFLDraw",
  "FPDFBitmap_CreateEx",
  "FPDFBitmap_FillRect",
  "FPDFBitmap_Destroy",
  "FPDFBitmap_GetBuffer",
  "FPDFBitmap_GetWidth",
  "FPDFBitmap_GetHeight",
  "FPDFBitmap_GetStride",
  "FPDFBitmap_GetFormat",
  "FPDFDOC_InitFormFillEnvironment",
  "FPDFDOC_ExitFormFillEnvironment",
  "FORM_OnAfterLoadPage",
  "FORM_OnBeforeClosePage",
  "FPDFPage_GetRotation",
  "FPDFPage_GetAnnotCount",
  "FPDFPage_GetAnnot",
  "FPDFPage_CloseAnnot",
  "FPDFPage_Flatten",
  "FPDFAnnot_GetSubtype",
  "FPDFAnnot_GetRect",
  "FPDFAnnot_GetFormFieldType",
  "FPDFAnnot_IsChecked",
  "FPDFPage_CountObjects",
  "FPDFPage_GetObject",
  "FPDFPageObj_GetType",
  "FPDFPageObj_GetMatrix",
  "FPDFPageObj_SetMatrix",
  "FPDFPageObj_SetIsActive",
  "FPDFPageObj_HasTransparency",
  "FPDFPageObj_GetBounds",
  "FPDFPageObj_GetFillColor",
  "FPDFPageObj_GetStrokeColor",
  "FPDFPageObj_GetStrokeWidth",
  "FPDFPageObj_GetClipPath",
  "FPDFPageObj_CountMarks",
  "FPDFPageObj_GetMark",
  "FPDFPageObj_GetMarkedContentID",
  "FPDFPageObjMark_GetName",
  "FPDFPageObjMark_GetParamBlobValue",
  "FPDFClipPath_CountPaths",
  "FPDFClipPath_CountPathSegments",
  "FPDFClipPath_GetPathSegment",
  "FPDFPath_CountSegments",
  "FPDFPath_GetPathSegment",
  "FPDFPath_GetDrawMode",
  "FPDFPathSegment_GetPoint",
  "FPDFPathSegment_GetType",
  "FPDFPathSegment_GetClose",
  "FPDFFormObj_CountObjects",
  "FPDFFormObj_GetObject",
  "FPDFImageObj_GetRenderedBitmap",
  "FPDFImageObj_GetImagePixelSize",
  "FPDFImageObj_GetImageMetadata",
  "FPDFImageObj_GetImageDataRaw",
  "FPDFImageObj_GetImageFilterCount",
  "FPDFImageObj_GetImageFilter",
  "FPDFText_LoadPage",
  "FPDFText_ClosePage",
  "FPDFText_CountChars",
  "FPDFText_GetUnicode",
  "FPDFText_IsGenerated",
  "FPDFText_HasUnicodeMapError",
  "FPDFText_IsHyphen",
  "FPDFText_GetTextObject",
  "FPDFText_GetLooseCharBox",
  "FPDFText_GetCharOrigin",
  "FPDFText_GetCharAngle",
  "FPDFText_GetFontSize",
  "FPDFText_GetFontInfo",
  "FPDFText_GetFillColor",
  "FPDFText_GetMatrix",
  "FPDFTextObj_GetFont",
  "FPDFTextObj_GetFontSize",
  "FPDFTextObj_GetTextRenderMode",
  "FPDFFont_GetBaseFontName",
  "FPDFFont_GetFlags",
  "FPDFLink_Enumerate",
  "FPDFLink_GetAnnotRect",
  "FPDFLink_GetAction",
  "FPDFAction_GetType",
  "FPDFAction_GetURIPath",
] as const;

type Call = (...numbers: readonly number[]) => number;

/** The loaded PDFium module: its functions and their memory. */
export interface Pdfium {
  readonly call: Readonly<Record<(typeof NAMES)[number], Call>>;
  /** The current bytes of its memory. A later call may move the memory, so do not keep a reference. */
  bytes(): Uint8Array;
  /** @returns a numeric view of the current memory */
  view(): DataView;
  /**
   * @returns the address of the given number of zeroed bytes
   * @throws JobError `out_of_memory`
   */
  allocate(bytes: number): number;
  free(place: number): void;
}

/** Loading takes 45 ms, so it is deferred until the first file and done once per process. */
let loading: Promise<Pdfium> | undefined;

/** @returns PDFium, shared by all files of a process */
export const loadPdfium = (): Promise<Pdfium> => {
  loading ??= load();
  return loading;
};

/** On Lambda the package is in a layer that only `NODE_PATH` points to; a CommonJS resolver follows it. */
const wasmPath = (): string => createRequire(import.meta.url).resolve("@hyzyla/pdfium/pdfium.wasm");

/** @returns the version of the package, because PDFium does not report one */
export const pdfiumVersion = async (): Promise<string> => {
  const row: { version?: string } = JSON.parse(await readFile(join(dirname(wasmPath()), "../package.json"), "utf8"));
  return row.version ?? "unknown";
};

const load = async (): Promise<Pdfium> => {
  const wasm = await readFile(wasmPath());
  const module = await PDFiumModule({ wasmBinary: new Uint8Array(wasm).buffer, locateFile: () => "" });
  const { malloc, free } = module.wasmExports;
  let view = new DataView(module.HEAPU8.buffer);
  const pdfium: Pdfium = {
    call: callsOf(module.wasmExports as unknown as Readonly<Record<string, unknown>>),
    bytes: () => module.HEAPU8,
    view: () => {
      view = view.buffer === module.HEAPU8.buffer ? view : new DataView(module.HEAPU8.buffer);
      return view;
    },
    allocate: (bytes) => {
      const place = malloc(Math.max(1, bytes));
      if (place === 0) {
        throw new JobError("out_of_memory", `PDFium could not allocate another ${bytes} bytes.`);
      }
      module.HEAPU8.fill(0, place, place + bytes);
      return place;
    },
    free,
  };
  pdfium.call.FPDF_InitLibrary();
  return pdfium;
};

/**
 * The package declares types for only a few of these functions, so each one is checked. They come from the WebAssembly
 * module itself: the package's wrappers count arguments on every call, which takes as long as reading a letter.
 */
const callsOf = (exported: Readonly<Record<string, unknown>>): Pdfium["call"] => {
  const missing = NAMES.filter((name) => typeof exported[name] !== "function");
  if (missing.length > 0) {
    throw new TypeError(`PDFium functions missing: ${missing.join(", ")}.`);
  }
  return Object.fromEntries(NAMES.map((name) => [name, exported[name]])) as Pdfium["call"];
};

/** @returns the result of `use` with the given number of zeroed bytes, which are freed afterwards */
export const withMemory = <T>(pdfium: Pdfium, bytes: number, use: (place: number) => T): T => {
  const place = pdfium.allocate(bytes);
  try {
    return use(place);
  } finally {
    pdfium.free(place);
  }
};
