import { type Pdfium, withMemory } from "../page/module.ts";

/** A mark around content: `BDC` in the content stream. Objects within the same mark share its handle. */
export interface ContentMark {
  readonly handle: number;
  /** Text that replaces the letters of all objects within the mark (`ActualText`). */
  readonly text?: string | undefined;
  readonly artifact: boolean;
}

/** Reads the marks of objects. */
export interface MarkReader {
  /** @returns the text that replaces the letters of an object, and whether the object is an artifact */
  marksOf(object: number): { readonly replaced?: ContentMark | undefined; readonly artifact: boolean };
}

const TEXT_BYTES_MAX = 8_192;
const MARKS_MAX = 16;
const KEY = Buffer.from("ActualText\0");
const ARTIFACT = "Artifact";

/** Runs `use` with a reader, which is valid until then. */
export const withMarks = <T>(pdfium: Pdfium, use: (reader: MarkReader) => T): T =>
  withMemory(pdfium, TEXT_BYTES_MAX + KEY.length + 4, (scratch) => {
    pdfium.bytes().set(KEY, scratch + TEXT_BYTES_MAX + 4);
    const known = new Map<number, ContentMark>();
    const read = (handle: number): ContentMark => {
      const mark = known.get(handle) ?? markAt(pdfium, handle, scratch);
      known.set(handle, mark);
      return mark;
    };
    const marksOf: MarkReader["marksOf"] = (object) => {
      const count = Math.min(pdfium.call.FPDFPageObj_CountMarks(object), MARKS_MAX);
      const marks = Array.from({ length: count }, (_, index) => read(pdfium.call.FPDFPageObj_GetMark(object, index)));
      return {
        replaced: marks.findLast(({ text }) => text !== undefined),
        artifact: marks.some(({ artifact }) => artifact),
      };
    };
    return use({ marksOf });
  });

const markAt = (pdfium: Pdfium, handle: number, scratch: number): ContentMark => {
  const { call } = pdfium;
  const length = scratch + TEXT_BYTES_MAX;
  const taken = (): Uint8Array =>
    pdfium.bytes().subarray(scratch, scratch + Math.min(pdfium.view().getUint32(length, true), TEXT_BYTES_MAX));
  const named = call.FPDFPageObjMark_GetName(handle, scratch, TEXT_BYTES_MAX, length) === 1;
  const artifact = named && Buffer.from(taken()).toString("utf16le").replace("\0", "") === ARTIFACT;
  // The function for strings decodes the bytes as UTF-8, which they are not.
  const found = call.FPDFPageObjMark_GetParamBlobValue(handle, length + 4, scratch, TEXT_BYTES_MAX, length) === 1;
  return { handle, artifact, text: found ? decoded(taken()) : undefined };
};

/** @returns the characters of a PDF text string (ISO 32000-2, 7.9.2.2) */
const decoded = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    const even = Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)));
    return even.swap16().toString("utf16le");
  }
  const utf8 = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return utf8 ? Buffer.from(bytes.subarray(3)).toString("utf8") : Buffer.from(bytes).toString("latin1");
};
