import { readFile, stat } from "node:fs/promises";
import { EncryptedPDFError, ParseSpeeds, PDFDict, PDFDocument, PDFName, type PDFPage } from "@cantoo/pdf-lib";
import { DOCUMENT_PAGES_MAX, PDF_BYTES_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import type { Warning } from "../../domain/jobs.ts";

/**
 * Opens a PDF and takes its encryption off.
 *
 * @throws JobError `source_corrupt`, `password_required`, `too_many_pages`, `output_too_large`
 */
export const openBook = async (path: string, password?: string): Promise<PDFDocument> => {
  const { size } = await stat(path);
  if (size > PDF_BYTES_MAX) {
    throw new JobError("output_too_large", `The PDF has ${size} bytes; at most ${PDF_BYTES_MAX} can be rewritten.`);
  }
  const document = await load(withoutRest(await readFile(path)), password);
  const pages = countPages(document);
  if (pages > DOCUMENT_PAGES_MAX) {
    throw new JobError("too_many_pages", `The PDF has ${pages} pages; at most ${DOCUMENT_PAGES_MAX} are allowed.`);
  }
  return document;
};

/** What stands behind the last mark of an end is no PDF; pdf-lib would look for an object at each of its bytes. */
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
      const what = password === undefined ? "is encrypted" : "is encrypted with another password";
      throw new JobError("password_required", `The PDF ${what}.`, { cause: error });
    }
    if (/encryption|unsupported.*(?:algorithm|filter)/i.test(message)) {
      throw new JobError("unsupported_feature", "The PDF is encrypted in a way that is not known here.", {
        cause: error,
      });
    }
    throw new JobError("source_corrupt", "The PDF could not be read.", { cause: error });
  }
};

/** pdf-lib writes of every object that it cannot read to the console. */
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
    throw new JobError("source_corrupt", "The PDF has no list of pages.", { cause });
  }
};

/** What a document holds beside its pages (ISO 32000-1, 7.7.2), and what is said when it stays behind. */
const BESIDE_PAGES = [
  ["Outlines", "bookmarks_dropped", "The bookmarks"],
  ["AcroForm", "form_fields_dropped", "The form's fields can no longer be filled in; what they show stays. They"],
  ["OCProperties", "layers_dropped", "The layers, which can be shown and hidden,"],
  ["StructTreeRoot", "tags_dropped", "The tags, which tell a screen reader what is a heading and a list,"],
] as const;

/** @returns a warning for each thing that is lost when only the pages of a document are taken */
export const leftBehind = (document: PDFDocument): Warning[] =>
  BESIDE_PAGES.filter(([name]) => document.catalog.has(PDFName.of(name))).map(([, code, what]) => ({
    code,
    detail: `${what} are not in the result, because its pages were put together anew.`,
  }));

/** Puts copies of pages, by number from 0, at the end of a document. */
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

/** Entries of an annotation that lead to another page, and take it along when the annotation is copied. */
const LEADS = ["Dest", "A", "AA", "Parent", "Popup", "IRT"].map((name) => PDFName.of(name));

/**
 * Takes links to pages that stay behind off the pages that are taken: a copy would bring those pages along, unseen but
 * readable in the file. Links to the web stay.
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
