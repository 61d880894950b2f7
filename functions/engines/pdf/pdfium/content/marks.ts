import { type Pdfium, withMemory } from "../page/module.ts";
import type { PageObject } from "../page/objects.ts";

/** What the marks around an object (`BDC` in the content stream) say about it. */
export interface ObjectMarks {
  /** Mark whose text replaces the letters of all objects within it (`ActualText`). */
  readonly replaced?: ContentMark | undefined;
  readonly artifact: boolean;
}

export interface ContentMark {
  readonly text?: string | undefined;
  readonly artifact: boolean;
}

const TEXT_BYTES_MAX = 8_192;
const MARKS_MAX = 16;
const KEY = Buffer.from("ActualText\0");
const ARTIFACT = "Artifact";

/** @returns the marks of each object; objects within the same mark share it */
export const marksOf = (pdfium: Pdfium, objects: readonly PageObject[]): ObjectMarks[] =>
  withMemory(pdfium, TEXT_BYTES_MAX + KEY.length + 4, (scratch) => {
    const { call } = pdfium;
    pdfium.bytes().set(KEY, scratch + TEXT_BYTES_MAX + 4);
    const known = new Map<number, ContentMark>();
    const read = (handle: number): ContentMark => {
      const mark = known.get(handle) ?? markAt(pdfium, handle, scratch);
      known.set(handle, mark);
      return mark;
    };
    return objects.map(({ handle }) => {
      const count = Math.min(call.FPDFPageObj_CountMarks(handle), MARKS_MAX);
      const marks = Array.from({ length: count }, (_, index) => read(call.FPDFPageObj_GetMark(handle, index)));
      return {
        replaced: marks.findLast(({ text }) => text !== undefined),
        artifact: marks.some(({ artifact }) => artifact),
      };
    });
  });

const markAt = (pdfium: Pdfium, handle: number, scratch: number): ContentMark => {
  const { call } = pdfium;
  const length = scratch + TEXT_BYTES_MAX;
  // PDFium writes nothing if the text is longer than the memory.
  const taken = (): Uint8Array | undefined => {
    const bytes = pdfium.view().getUint32(length, true);
    return bytes > TEXT_BYTES_MAX ? undefined : pdfium.bytes().subarray(scratch, scratch + bytes);
  };
  const name = call.FPDFPageObjMark_GetName(handle, scratch, TEXT_BYTES_MAX, length) === 1 ? taken() : undefined;
  const artifact =
    Buffer.from(name ?? [])
      .toString("utf16le")
      .replace("\0", "") === ARTIFACT;
  // The function for strings decodes the bytes as UTF-8, which they are not.
  const found = call.FPDFPageObjMark_GetParamBlobValue(handle, length + 4, scratch, TEXT_BYTES_MAX, length) === 1;
  const text = found ? taken() : undefined;
  return { artifact, text: text === undefined ? undefined : decoded(text) };
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
