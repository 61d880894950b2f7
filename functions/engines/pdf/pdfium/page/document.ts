import { open as openFile } from "node:fs/promises";
import { DOCUMENT_PAGES_MAX } from "../../../../domain/conversions/conversion-limits.ts";
import { JobError, type JobErrorCode } from "../../../../domain/errors.ts";
import type { ScanReader } from "../../ocr/scan-reader.ts";
import { loadPdfium, type Pdfium, withMemory } from "./module.ts";

/** An open PDF. */
export interface PdfDocument {
  readonly pdfium: Pdfium;
  readonly open: OpenDocument;
  readonly pages: number;
  /** Whether the cross-reference table was damaged and PDFium rebuilt it. */
  readonly repaired: boolean;
  /** Reads scanned pages. @default they stay without text */
  readonly scans?: ScanReader;
}

/** PDFium's handles of a document. They change when it is opened again. */
export interface OpenDocument {
  handle: number;
  /** The environment that draws form fields. */
  form: number;
  /** Pages loaded since it was opened, and pages that are in use. */
  loaded: number;
  inUse: number;
  /** Pages whose annotations were flattened, and those of them that have their annotations again. */
  readonly flattened: Set<number>;
  unflattened: Set<number>;
  /** Closes and opens it, which frees the objects, fonts and pictures of all pages so far. */
  readonly reopen: () => void;
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
  const settings = pdfium.allocate(FORM_BYTES);
  pdfium.view().setUint32(settings, FORM_VERSION, true);
  const start = () => {
    const handle = load(pdfium, { place, size }, password);
    return { handle, form: pdfium.call.FPDFDOC_InitFormFillEnvironment(handle, settings) };
  };
  const close = ({ handle, form }: OpenDocument): void => {
    pdfium.call.FPDFDOC_ExitFormFillEnvironment(form);
    pdfium.call.FPDF_CloseDocument(handle);
  };
  try {
    const reopen = (): void => {
      const next = start();
      close(open);
      Object.assign(open, next, { loaded: 0, unflattened: new Set(open.flattened) });
    };
    const sets = { flattened: new Set<number>(), unflattened: new Set<number>() };
    const open: OpenDocument = { ...start(), ...sets, loaded: 0, inUse: 0, reopen };
    try {
      return await use(described(pdfium, open));
    } finally {
      close(open);
    }
  } finally {
    pdfium.free(settings);
    pdfium.free(place);
  }
};

/** Pages after which a document is opened again, because PDFium keeps what it has read of all pages: up to 100 KB each. */
const LOADED_MAX = 64;

/** Opens a page and closes it after `use`. @returns undefined if the page is not readable */
export const withPage = async <T>(
  document: PdfDocument,
  number: number,
  use: (page: PdfPage) => T | Promise<T>,
): Promise<T | undefined> => {
  const { open, pdfium } = document;
  const { call } = pdfium;
  // A damaged file takes long to open.
  if (open.loaded >= LOADED_MAX && open.inUse === 0 && !document.repaired) {
    open.reopen();
  }
  let handle = openPage(document, number);
  if (handle !== 0 && open.unflattened.delete(number)) {
    call.FPDFPage_Flatten(handle, FOR_DISPLAY);
    closePage(document, handle);
    handle = openPage(document, number);
  }
  if (handle === 0) {
    return undefined;
  }
  open.inUse += 1;
  try {
    const [width, height] = [call.FPDF_GetPageWidthF(handle), call.FPDF_GetPageHeightF(handle)];
    return await use({ document, handle, number, width, height });
  } finally {
    closePage(document, handle);
    open.inUse -= 1;
  }
};

/** What flattened annotations are for (fpdf_flatten.h). */
export const FOR_DISPLAY = 0;

const openPage = ({ open, pdfium: { call } }: PdfDocument, number: number): number => {
  const handle = call.FPDF_LoadPage(open.handle, number - 1);
  if (handle !== 0) {
    open.loaded += 1;
    call.FORM_OnAfterLoadPage(handle, open.form);
  }
  return handle;
};

const closePage = ({ open, pdfium: { call } }: PdfDocument, handle: number): void => {
  call.FORM_OnBeforeClosePage(handle, open.form);
  call.FPDF_ClosePage(handle);
};

const CHUNK_BYTES = 4_194_304;

/** Reads the bytes directly into PDFium's memory: a second copy would double memory use. */
const readInto = async (pdfium: Pdfium, path: string): Promise<{ place: number; size: number }> => {
  const file = await openFile(path);
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

const described = (pdfium: Pdfium, open: OpenDocument): PdfDocument => {
  const pages = pdfium.call.FPDF_GetPageCount(open.handle);
  if (pages > DOCUMENT_PAGES_MAX) {
    throw new JobError("too_many_pages", `The PDF has ${pages} pages; at most ${DOCUMENT_PAGES_MAX} are allowed.`);
  }
  if (pages === 0) {
    throw new JobError("source_corrupt", "The PDF has no readable pages.");
  }
  const repaired = pdfium.call.FPDF_DocumentHasValidCrossReferenceTable(open.handle) === 0;
  return { pdfium, open, pages, repaired };
};
