import { EncryptedPDFError, ParseSpeeds, PDFDict, PDFDocument, PDFName, type PDFPage } from "@cantoo/pdf-lib";
import { DOCUMENT_PAGES_MAX, PDF_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import { readInput } from "../../core/input.ts";

/**
 * Opens a PDF and removes its encryption.
 *
 * @throws JobError `source_corrupt`, `password_required`, `too_many_pages`, `output_too_large`
 */
export const openBook = async (path: string, password?: string): Promise<PDFDocument> => {
  const document = await load(withoutRest(await readInput(path, { max: PDF_BYTES_MAX, name: "PDF" })), password);
  const pages = countPages(document);
  if (pages > DOCUMENT_PAGES_MAX) {
    throw new JobError("too_many_pages", `The PDF has ${pages} pages; at most ${DOCUMENT_PAGES_MAX} are allowed.`);
  }
  return document;
};

/**
 * Bytes after the last end-of-file marker are not part of the PDF; pdf-lib would search for an object at each of them.
 */
const withoutRest = (bytes: Buffer): Buffer => {
  const end = bytes.lastIndexOf("%%EOF");
  return end === -1 ? bytes : bytes.subarray(0, end + "%%EOF\n".length);
};

const load = async (bytes: Buffer, password: string | undefined): Promise<PDFDocument> => {
  const options = { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest, password: password ?? "" };
  try {
    return await quietly(() => PDFDocument.load(bytes, options));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof EncryptedPDFError || /password/i.test(message)) {
      const what =
        password === undefined ? "is encrypted and requires a password" : "is encrypted with a different password";
      throw new JobError("password_required", `The PDF ${what}.`, { cause: error });
    }
    if (/encryption|unsupported.*(?:algorithm|filter)/i.test(message)) {
      throw new JobError("unsupported_feature", "The PDF uses an unsupported encryption method.", {
        cause: error,
      });
    }
    throw new JobError("source_corrupt", "The PDF could not be read.", { cause: error });
  }
};

/** pdf-lib logs every object that it cannot read to the console. */
const quietly = async <T>(run: () => Promise<T>): Promise<T> => {
  const { warn, log } = console;
  console.warn = () => {};
  console.log = () => {};
  try {
    return await run();
  } finally {
    console.warn = warn;
    console.log = log;
  }
};

const countPages = (document: PDFDocument): number => {
  try {
    return document.getPageCount();
  } catch (cause) {
    throw new JobError("source_corrupt", "The PDF has no page tree.", { cause });
  }
};

/** Document-level content other than pages (ISO 32000-1, 7.7.2), and its name in the warning when it is lost. */
const BESIDE_PAGES = [
  ["Outlines", "bookmarks_dropped", "The bookmarks"],
  ["AcroForm", "form_fields_dropped", "Form fields are no longer fillable; their content stays visible. They"],
  ["OCProperties", "layers_dropped", "The layers"],
  ["StructTreeRoot", "tags_dropped", "The accessibility tags"],
] as const;

/** @returns a warning for everything that is lost when only the pages of a document are copied */
export const lossesOf = (document: PDFDocument): Warning[] =>
  BESIDE_PAGES.filter(([name]) => document.catalog.has(PDFName.of(name))).map(([, code, what]) => ({
    code,
    detail: `${what} were lost because the pages were copied into a new document.`,
  }));

/** Appends copies of pages, by number from 0, to a document. */
export const addPages = async (
  target: PDFDocument,
  source: PDFDocument,
  numbers: readonly number[],
): Promise<PDFPage[]> => {
  try {
    cutLinks(source, numbers);
    const copies = await target.copyPages(source, [...numbers]);
    return copies.map((page) => target.addPage(page));
  } catch (cause) {
    throw new JobError("source_corrupt", "A page of the PDF could not be read.", { cause });
  }
};

/** Annotation entries that refer to another page, which is copied with the annotation. */
const LEADS = ["Dest", "A", "AA", "Parent", "Popup", "IRT"].map((name) => PDFName.of(name));

/**
 * Removes links to pages that are not copied: a copied link would bring its page along, invisible but readable in the
 * file. Web links stay.
 */
const cutLinks = (source: PDFDocument, numbers: readonly number[]): void => {
  const refs = source.getPages().map(({ ref }) => ref);
  const taken = new Set(numbers.map((number) => refs[number]));
  const all = taken.size === refs.length;
  for (const number of all ? [] : new Set(numbers)) {
    const annotations = source.getPage(number).node.Annots();
    for (let index = 0; index < (annotations?.size() ?? 0); index += 1) {
      const annotation = annotations?.lookup(index);
      if (annotation instanceof PDFDict) {
        cutLeads(annotation);
      }
    }
  }
};

const URI = PDFName.of("URI");

const cutLeads = (annotation: PDFDict): void => {
  for (const name of LEADS) {
    const value = annotation.lookup(name);
    const toWeb = value instanceof PDFDict && value.lookup(PDFName.of("S")) === URI;
    if (!toWeb) {
      annotation.delete(name);
    }
  }
};
