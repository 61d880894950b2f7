import { type Format, type FormatId, formats, type Magic } from "./formats.ts";

/**
 * Tells a format from the first bytes of a file. A name proves nothing: a text that is called `.png` is a text.
 *
 * @param head the first `DETECTION_BYTES` of the file, or all of it
 * @returns the format, or undefined when the table has none with these bytes
 */
export const detectFormat = (head: Uint8Array): FormatId | undefined => {
  if (isCameraRaw(head)) {
    return undefined;
  }
  const brands = isoBrands(head);
  const text = decodeText(head);
  const root = text === undefined ? undefined : xmlRoot(text);
  const found = formats.find(
    (format: Format) =>
      format.magic?.some((all) => all.every((magic) => matches(head, magic))) ||
      (brands[0] !== undefined && format.brands?.includes(brands[0])) ||
      (root !== undefined && format.xmlRoot === root),
  );
  const minor = formats.find((format: Format) => format.brands?.some((brand) => brands.includes(brand)));
  const plain = formats.find((format: Format) => format.plainText);
  return found?.id ?? minor?.id ?? (text === undefined ? undefined : plain?.id);
};

const matches = (head: Uint8Array, { offset, hex }: Magic): boolean =>
  hex.split(" ").every((byte, index) => byte === "??" || head[offset + index] === Number.parseInt(byte, 16));

/**
 * @returns the brands of an ISO base media file, major first (ISO/IEC 14496-12, 4.3). `mif1` says only that the file
 * holds pictures, in AVIF as in HEIC, so it gives way to what stands behind it.
 */
const isoBrands = (head: Uint8Array): string[] => {
  const view = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (view.length < 16 || view.toString("latin1", 4, 8) !== "ftyp") {
    return [];
  }
  const end = Math.min(view.readUInt32BE(0), view.length - 3);
  const brands = [view.toString("latin1", 8, 12)];
  for (let offset = 16; offset < end; offset += 4) {
    brands.push(view.toString("latin1", offset, offset + 4));
  }
  const generic = (brand: string) => brand === "mif1" || brand === "msf1";
  return [...brands.filter((brand) => !generic(brand)), ...brands.filter(generic)];
};

const NEW_SUBFILE_TYPE = 254;
const DNG_VERSION = 50_706;
const IFD_ENTRIES_MAX = 200;

/**
 * Camera raw files (DNG, NEF, CR2, ARW, …) have the signature of TIFF, but their first picture is a thumbnail: read as
 * TIFF, that is all that would come out.
 *
 * @returns whether the first directory is that of a thumbnail or of a DNG (TIFF 6.0, section 8; DNG 1.7), or the bytes
 * have the mark of a CR2
 */
const isCameraRaw = (head: Uint8Array): boolean => {
  const view = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const order = view.toString("latin1", 0, 4);
  if (view.length < 10 || (order !== "II*\0" && order !== "MM\0*")) {
    return false;
  }
  const short = (at: number) => (order === "II*\0" ? view.readUInt16LE(at) : view.readUInt16BE(at));
  const long = (at: number) => (order === "II*\0" ? view.readUInt32LE(at) : view.readUInt32BE(at));
  const directory = long(4);
  const entries = directory + 2 > view.length ? 0 : Math.min(short(directory), IFD_ENTRIES_MAX);
  const marked = Array.from({ length: entries }, (_, index) => directory + 2 + index * 12).some((entry) => {
    const tag = entry + 12 > view.length ? 0 : short(entry);
    return tag === DNG_VERSION || (tag === NEW_SUBFILE_TYPE && (long(entry + 8) & 1) === 1);
  });
  return marked || view.toString("latin1", 8, 10) === "CR";
};

/** @returns the text of the bytes, or undefined when they are no text. UTF-8, and UTF-16 with a byte order mark. */
const decodeText = (head: Uint8Array): string | undefined => {
  const encoding =
    head[0] === 0xff && head[1] === 0xfe ? "utf-16le" : head[0] === 0xfe && head[1] === 0xff ? "utf-16be" : "utf-8";
  try {
    // As a stream, so that a character cut in two at the end of the head is no error.
    const text = new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what tells bytes from text
    return text === "" || /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
};

/** @returns the local name of the root element, after the declaration, comments, instructions and the document type */
const xmlRoot = (text: string): string | undefined => {
  let rest = text.trimStart();
  while (/^<[?!]/.test(rest)) {
    const [open, close] = rest.startsWith("<!--")
      ? ["<!--", "-->"]
      : rest.startsWith("<?")
        ? ["<?", "?>"]
        : ["<!", ">"];
    const end = endOf(rest, open, close);
    if (end === undefined) {
      return undefined;
    }
    rest = rest.slice(end).trimStart();
  }
  return /^<(?:[\w.-]+:)?([\w.-]+)[\s/>]/.exec(rest)?.[1];
};

/** @returns where a construct that opens the text ends. A document type may hold declarations in brackets. */
const endOf = (text: string, open: string, close: string): number | undefined => {
  const subset = open === "<!" ? /^<![^>[]*\[/.exec(text) : null;
  const bracket = subset === null ? 0 : text.indexOf("]", subset[0].length);
  const end = bracket === -1 ? -1 : text.indexOf(close, Math.max(bracket, open.length));
  return end === -1 ? undefined : end + close.length;
};
