import { serialize } from "parse5";
import { HTML_PICTURES_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import type { Warning } from "../../../domain/warning.ts";
import { dataUriOf } from "../../pictures/files/header.ts";
import { cleanTree } from "../html/clean.ts";
import { type CleanHtml, documentOf } from "../html/html.ts";
import { cleanSheet } from "../html/style.ts";
import { elementsBelow, escapeText, type HtmlElement, newElement, parseHtml, textBelow } from "../html/tree.ts";
import { type Header, headerOf } from "./header.ts";
import { kindleBook } from "./kindle.ts";
import { type BookPart, mobipocketParts } from "./mobipocket.ts";
import { corrupt, type Records, recordsOf } from "./records.ts";
import { textOfBook } from "./text.ts";

/** @returns the entire book as one document; its chapters are sections */
export const htmlOfBook = (bytes: Buffer): CleanHtml => {
  const records = recordsOf(bytes);
  const header = headerOf(records);
  const text = textOfBook(records, header);
  if (text.length === 0) {
    throw corrupt("no text found");
  }
  const { parts, sheets } =
    header.skeletons === undefined && header.flows === undefined
      ? { parts: mobipocketParts(text, records, header), sheets: [] }
      : kindleBook(text, records, header);
  const pictures = pictureShelf(records, header);
  const warnings = new Map<string, Warning>();
  const sections = parts.flatMap((part) => {
    const tree = cleanTree(parseHtml(part.html), { pictures: pictures.find, directions: true });
    for (const warning of tree.warnings.filter(({ code }) => code !== "styles_dropped")) {
      warnings.set(warning.code, warning);
    }
    return isEmpty(tree.body) ? [] : [sectionOf(part, tree.body)];
  });
  const { title, lang, metadata } = header;
  const style = sheets.map(cleanSheet).join("\n").trim();
  const content = [...pictures.cover(), ...sections].join("\n");
  const html = documentOf({ title, lang, dir: undefined, metadata, style, body: newElement("body") }, content);
  return { html, warnings: [...warnings.values()] };
};

const isEmpty = (body: HtmlElement): boolean =>
  textBelow(body).trim() === "" && elementsBelow(body, "img", "hr").length === 0;

const sectionOf = ({ label }: BookPart, body: HtmlElement): string => {
  const name = label === undefined ? "" : ` aria-label="${escapeText(label)}"`;
  return `<section class="chapter"${name}>\n${serialize(body).trim()}\n</section>`;
};

/** The pictures of a book, by their number in the text, starting at one. */
const pictureShelf = (records: Records, { firstPicture, cover }: Header) => {
  const found = new Map<string, string | undefined>();
  let bytes = 0;
  const find = (source: string): string | undefined => {
    const number = /^picture:(\d{1,6})$/.exec(source)?.[1];
    if (number === undefined) {
      return undefined;
    }
    const uri = found.has(source) ? found.get(source) : dataUriOf(records.at(firstPicture + Number(number) - 1));
    found.set(source, uri);
    bytes += uri?.length ?? 0;
    return bytes > HTML_PICTURES_BYTES_MAX ? undefined : uri;
  };
  return {
    find,
    /** The cover picture comes first, unless a chapter shows it. */
    cover: (): string[] => {
      const source = `picture:${(cover ?? -1) + 1}`;
      const uri = cover === undefined || found.has(source) ? undefined : find(source);
      return uri === undefined ? [] : [`<section class="cover"><img src="${uri}" alt=""></section>`];
    },
  };
};
