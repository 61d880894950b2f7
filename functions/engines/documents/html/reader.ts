import { TEXT_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { readInput } from "../../core/input.ts";
import { decodeText, encodingOf } from "../../data/text/text.ts";
import { withoutDefaultStyle } from "./default-style.ts";

/**
 * Reads HTML in any encoding. The encoding is detected in this order: a byte order mark or the zero bytes of UTF-16;
 * valid UTF-8 beyond ASCII, whatever the document declares, because declarations are often wrong; then the document's
 * declaration.
 *
 * @param encoding the encoding that the client requested, if any
 * @returns the HTML without the style that we give documents without one
 * @throws JobError `output_too_large` over {@link TEXT_BYTES_MAX} bytes; `source_corrupt` when the bytes are not in the
 * requested encoding
 */
export const readHtml = async (path: string, encoding?: string): Promise<string> => {
  return withoutDefaultStyle(decodeHtml(await readInput(path, { max: TEXT_BYTES_MAX, name: "HTML" }), encoding));
};

/** @returns the text of HTML in memory, decoded as in {@link readHtml} */
export const decodeHtml = (bytes: Uint8Array, encoding?: string): string => {
  if (encoding !== undefined) {
    return decodeText(bytes, encoding).text;
  }
  const found = encodingOf(bytes);
  const own =
    found.startsWith("utf-16") || (found === "utf-8" && bytes.some((byte) => byte > 0x7f))
      ? undefined
      : declared(bytes);
  return own === undefined ? decodeText(bytes).text : new TextDecoder(own).decode(bytes);
};

/** The number of bytes in which a document may declare its encoding (HTML Standard, "prescan a byte stream"). */
const PRESCAN_BYTES = 4_096;

/** @returns the encoding that the document declares, if it is known */
const declared = (bytes: Uint8Array): string | undefined => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, PRESCAN_BYTES)).toString("latin1");
  const name =
    /<meta\b[^>]{0,300}?\bcharset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{2,40})/i.exec(head)?.[1] ??
    /^\s*<\?xml[^>]{0,200}\bencoding\s{0,9}=\s{0,9}["']([\w.:-]{2,40})/.exec(head)?.[1];
  try {
    const known = name === undefined ? undefined : new TextDecoder(name).encoding;
    // A declaration in ASCII cannot be UTF-16; the standard treats it as UTF-8.
    return known?.startsWith("utf-16") ? "utf-8" : known;
  } catch {
    return undefined;
  }
};
