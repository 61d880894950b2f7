import { GotenbergError, notOffered } from "./errors.ts";
import type { GotenbergForm } from "./form.ts";
import type { Stage } from "./stages.ts";
import { flag, invalid, json, number, required, text } from "./values.ts";

/** Options of PDF to PDF from the fields of Gotenberg's PDF routes. */

type Fields = ReadonlyMap<string, string>;

type PdfOptions = Readonly<Record<string, unknown>>;

const PDF_A: Readonly<Record<string, string>> = { "PDF/A-1b": "1b", "PDF/A-2b": "2b", "PDF/A-3b": "3b" };

/** @throws GotenbergError 400 for a level that does not exist */
export const pdfLevel = (fields: Fields): string | undefined => {
  const level = text(fields, "pdfa");
  if (level !== undefined && PDF_A[level] === undefined) {
    throw invalid("pdfa", level);
  }
  return level === undefined ? undefined : PDF_A[level];
};

/** Qualities of JPEG from which on images keep a resolution; Gotenberg's default is 80. */
const DEFAULT_QUALITY = 80;
const PRINT_QUALITY_MIN = 75;
const EBOOK_QUALITY_MIN = 40;

/** @returns the level of compression for a quality of JPEG. @throws GotenbergError 400 for a quality outside 1 to 100 */
export const optimizeOptions = (fields: Fields): PdfOptions => {
  const quality = number(fields, "imageQuality") ?? DEFAULT_QUALITY;
  if (!Number.isInteger(quality) || quality < 1 || quality > 100) {
    throw invalid("imageQuality", String(quality));
  }
  const level = quality >= EBOOK_QUALITY_MIN ? "ebook" : "screen";
  return { compress: quality >= PRINT_QUALITY_MIN ? "print" : level };
};

const PROPERTIES: Readonly<Record<string, string>> = {
  Author: "author",
  Keywords: "keywords",
  Subject: "subject",
  Title: "title",
};

/** @throws GotenbergError 400 without an object, 501 for a property that cannot be written */
export const metadataOptions = (fields: Fields): PdfOptions => {
  const source = required(fields, "metadata");
  const values = json(fields, "metadata");
  if (typeof values !== "object" || values === null || Array.isArray(values)) {
    throw invalid("metadata", source);
  }
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const option = PROPERTIES[name];
      if (option === undefined) {
        throw notOffered(`The metadata '${name.slice(0, 100)}'`);
      }
      return [option, Array.isArray(value) ? value.join(", ") : String(value)];
    }),
  );
};

/** Maximum depth of bookmarks. The operation itself limits their number. */
const LEVELS_MAX = 20;

/** @throws GotenbergError 400 for bookmarks without the form of Gotenberg's; 501 for bookmarks by file */
export const bookmarkOptions = (fields: Fields): PdfOptions => {
  const source = required(fields, "bookmarks");
  const list = json(fields, "bookmarks");
  if (!Array.isArray(list)) {
    throw typeof list === "object" ? notOffered("A list of bookmarks for each file") : invalid("bookmarks", source);
  }
  const flat = (items: readonly unknown[], level: number): readonly object[] =>
    items.flatMap((item) => {
      const { title, page, children = [] } = Object(item) as Readonly<Record<string, unknown>>;
      if (typeof title !== "string" || typeof page !== "number" || !Array.isArray(children) || level > LEVELS_MAX) {
        throw invalid("bookmarks", source);
      }
      return [{ title, page, level }, ...flat(children, level + 1)];
    });
  return { bookmarks: flat(list, 1) };
};

const PERMISSIONS: Readonly<Record<string, string>> = {
  allowPrinting: "print",
  allowCopying: "copy",
  allowModifying: "modify",
  allowAnnotating: "annotate",
  allowFillingForms: "fill",
  allowAssembling: "assemble",
};

/** @returns the options of an encryption, if one of its fields is set; what is not forbidden is allowed */
export const encryptionOptions = (fields: Fields): PdfOptions => {
  const names = Object.keys(PERMISSIONS);
  const allowed = names.filter((name) => flag(fields, name) !== false).map((name) => PERMISSIONS[name]);
  return {
    user_password: text(fields, "userPassword"),
    owner_password: text(fields, "ownerPassword"),
    permissions: allowed.length === names.length ? undefined : allowed.join(",") || "none",
  };
};

/** @returns a change for each file to attach */
export const attachStages = ({ assets, fields }: GotenbergForm): Stage[] => {
  if (text(fields, "embedsMetadata") !== undefined && json(fields, "embedsMetadata") !== undefined) {
    throw notOffered("The form field 'embedsMetadata'");
  }
  return assets.embeds.map((file) => ({ options: {}, optionFiles: { attachment_upload_id: file } }));
};

/** The profile is that of the XML. @throws GotenbergError 400 without the XML of an invoice */
export const invoiceStage = ({ assets }: GotenbergForm): Stage => {
  const [file] = assets.facturxXml;
  if (file === undefined) {
    throw new GotenbergError(400, "Invalid form data: form file 'facturxXml' is required.");
  }
  return { options: {}, optionFiles: { facturx_upload_id: file } };
};
