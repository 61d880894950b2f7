import { readFile, stat } from "node:fs/promises";
import { TEXT_BYTES_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { decodeText, encodingOf } from "./text.ts";

/**
 * Reads HTML in whatever encoding. A byte order mark tells it, or zeros as UTF-16 has them; bytes that are UTF-8 beyond
 * ASCII are that, whatever the document says of itself, which is often wrong; then the document's own word counts.
 *
 * @param encoding the encoding where the client has named one
 * @throws JobError `output_too_large` over {@link TEXT_BYTES_MAX} bytes; `source_corrupt` when the bytes are not in the
 * encoding that was named
 */
export const readHtml = async (path: string, encoding?: string): Promise<string> => {
  const { size } = await stat(path);
  if (size > TEXT_BYTES_MAX) {
    throw new JobError("output_too_large", `The HTML has ${size} bytes; at most ${TEXT_BYTES_MAX} are allowed here.`);
  }
  return decodeHtml(await readFile(path), encoding);
};

/** @returns the text of HTML that lies in memory, as {@link readHtml} finds it */
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

/** Bytes in which a document may tell its encoding (HTML Standard, "prescan a byte stream"). */
const PRESCAN_BYTES = 4_096;

/** @returns the encoding that the document says it has, when there is such a one */
const declared = (bytes: Uint8Array): string | undefined => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, PRESCAN_BYTES)).toString("latin1");
  const name =
    /<meta\b[^>]{0,300}?\bcharset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{2,40})/i.exec(head)?.[1] ??
    /^\s*<\?xml[^>]{0,200}\bencoding\s{0,9}=\s{0,9}["']([\w.:-]{2,40})/.exec(head)?.[1];
  try {
    const known = name === undefined ? undefined : new TextDecoder(name).encoding;
    // What says so in ASCII cannot be UTF-16; the standard reads it as UTF-8.
    return known?.startsWith("utf-16") ? "utf-8" : known;
  } catch {
    return undefined;
  }
};
