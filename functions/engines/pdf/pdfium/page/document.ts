import { open } from "node:fs/promises";
import { DOCUMENT_PAGES_MAX } from "../../../../domain/conversions/conversion-limits.ts";
import { JobError, type JobErrorCode } from "../../../../domain/errors.ts";
import type { ScanReader } from "../../ocr/scan-reader.ts";
import { loadPdfium, type Pdfium, withMemory } from "./module.ts";

/** An open PDF. */
export interface PdfDocument {
  readonly pdfium: Pdfium;
  /** PDFium's document handle. */
  readonly handle: number;
  /** The environment that draws form fields. */
  readonly form: number;
  readonly pages: number;
  /** Whether the cross-reference table was damaged and PDFium rebuilt it. */
  readonly repaired: boolean;
  /** Reads scanned pages. @default they stay without text */
  readonly scans?: ScanReader;
}

/** An open page. Lengths are points (1/72 inch) on the page as displayed: rotated, from the upper left corner. */
export interface PdfPage {
  readonly document: PdfDocument;
  readonly handle: number;
  /** From 1. */
  readonly number: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Opens a PDF and closes it after `use`.
 *
 * @throws JobError `password_required`, `source_corrupt`, `unsupported_feature`, `too_many_pages`
 */
export const withDocument = async <T>(
  path: string,
  password: string | undefined,
  use: (document: PdfDocument) => Promise<T>,
): Promise<T> => {
  const pdfium = await loadPdfium();
  const { place, size } = await readInto(pdfium, path);
  try {
    const handle = load(pdfium, { place, size }, password);
    try {
      return await withForm(pdfium, handle, (form) => use(described(pdfium, handle, form)));
    } finally {
      pdfium.call.FPDF_CloseDocument(handle);
    }
  } finally {
    pdfium.free(place);
  }
};

/** Opens a page and closes it after `use`. @returns undefined if the page is not readable */
export const withPage = async <T>(
  document: PdfDocument,
  number: number,
  use: (page: PdfPage) => T | Promise<T>,
): Promise<T | undefined> => {
  const { call } = document.pdfium;
  const handle = call.FPDF_LoadPage(document.handle, number - 1);
  if (handle === 0) {
    return undefined;
  }
  call.FORM_OnAfterLoadPage(handle, document.form);
  try {
    const [width, height] = [call.FPDF_GetPageWidthF(handle), call.FPDF_GetPageHeightF(handle)];
    return await use({ document, handle, number, width, height });
  } finally {
    call.FORM_OnBeforeClosePage(handle, document.form);
    call.FPDF_ClosePage(handle);
  }
};

const CHUNK_BYTES = 4_194_304;

/** Reads the bytes directly into PDFium's memory: a second copy would double memory use. */
const readInto = async (pdfium: Pdfium, path: string): Promise<{ place: number; size: number }> => {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const place = pdfium.allocate(size);
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size));
    for (let at = 0; at < size; ) {
      const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, size - at), at);
      if (bytesRead === 0) {
        break;
      }
      pdfium.bytes().set(chunk.subarray(0, bytesRead), place + at);
      at += bytesRead;
    }
    return { place, size };
  } finally {
    await file.close();
  }
};

/** Return values of FPDF_GetLastError (fpdfview.h). */
const MEANINGS: Readonly<Record<number, readonly [JobErrorCode, string]>> = {
  4: ["password_required", "The PDF is encrypted and requires a password."],
  5: ["unsupported_feature", "The PDF uses an unsupported encryption method."],
};

const load = (pdfium: Pdfium, { place, size }: { place: number; size: number }, password = ""): number => {
  const bytes = Buffer.from(`${password}\0`, "utf8");
  const handle = withMemory(pdfium, bytes.length, (secret) => {
    pdfium.bytes().set(bytes, secret);
    return pdfium.call.FPDF_LoadMemDocument(place, size, secret);
  });
  if (handle === 0) {
    const [code, detail] = MEANINGS[pdfium.call.FPDF_GetLastError()] ?? ["source_corrupt", "The PDF is damaged."];
    throw new JobError(code, code === "password_required" && password !== "" ? "Wrong PDF password." : detail);
  }
  return handle;
};

/** Size of FPDF_FORMFILLINFO in bytes: 140 in version 2. None of its callbacks are needed for drawing. */
const FORM_BYTES = 256;
const FORM_VERSION = 2;

const withForm = async <T>(pdfium: Pdfium, document: number, use: (form: number) => Promise<T>): Promise<T> => {
  const place = pdfium.allocate(FORM_BYTES);
  pdfium.view().setUint32(place, FORM_VERSION, true);
  const form = pdfium.call.FPDFDOC_InitFormFillEnvironment(document, place);
  try {
    return await use(form);
  } finally {
    pdfium.call.FPDFDOC_ExitFormFillEnvironment(form);
    pdfium.free(place);
  }
};

const described = (pdfium: Pdfium, handle: number, form: number): PdfDocument => {
  const pages = pdfium.call.FPDF_GetPageCount(handle);
  if (pages > DOCUMENT_PAGES_MAX) {
    throw new JobError("too_many_pages", `The PDF has ${pages} pages; at most ${DOCUMENT_PAGES_MAX} are allowed.`);
  }
  if (pages === 0) {
    throw new JobError("source_corrupt", "The PDF has no readable pages.");
  }
  const repaired = pdfium.call.FPDF_DocumentHasValidCrossReferenceTable(handle) === 0;
  return { pdfium, handle, form, pages, repaired };
};
