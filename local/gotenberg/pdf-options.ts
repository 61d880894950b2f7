import { notOffered } from "./errors.ts";
import { invalid, json, required, text } from "./values.ts";

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
