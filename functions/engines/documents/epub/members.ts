import { createHash } from "node:crypto";
import type { ZipMember } from "../../archives/zip/writer.ts";
import { elementsBelow, escapeText, isElement } from "../html/tree.ts";
import type { Book, Chapter, Entry } from "./book.ts";
import { xhtmlOf } from "./xhtml.ts";

/** @returns the files of a book, in the order required by EPUB (EPUB 3.3, 4.2): `mimetype` first, uncompressed */
export const membersOf = (book: Book): ZipMember[] => {
  const chapters = book.chapters.map((chapter) => ({ path: `EPUB/text/${chapter.file}`, bytes: page(book, chapter) }));
  const identifier = identifierOf(chapters.map(({ bytes }) => bytes));
  return [
    { path: "mimetype", bytes: "application/epub+zip", stored: true },
    { path: "META-INF/container.xml", bytes: CONTAINER },
    { path: "EPUB/package.opf", bytes: packageDocument(book, identifier) },
    { path: "EPUB/text/contents.xhtml", bytes: contentsPage(book) },
    { path: "EPUB/contents.ncx", bytes: ncx(book, identifier) },
    { path: "EPUB/style.css", bytes: `${STYLE}${book.style}\n` },
    ...chapters,
    ...book.pictures.map(({ file, bytes }) => ({ path: `EPUB/pictures/${file}`, bytes })),
  ];
};

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

const CONTAINER = `${DECLARATION}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`;

const STYLE = `img { max-width: 100%; height: auto; }
table { border-collapse: collapse; }
td, th { border: 1px solid #999; padding: 0.2em 0.5em; text-align: start; }
pre { white-space: pre-wrap; }
`;

/** The identifier is derived from the text, in UUID format, so the same text is the same book. */
const identifierOf = (texts: readonly string[]): string => {
  const hash = createHash("sha256");
  for (const text of texts) {
    hash.update(text);
  }
  return `urn:uuid:${hash.digest("hex").replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5")}`;
};

const frame = ({ lang, rightToLeft }: Book, title: string, body: string): string =>
  `${DECLARATION}<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${escapeText(lang)}" xml:lang="${escapeText(lang)}"${rightToLeft ? ' dir="rtl"' : ""}>
<head><meta charset="utf-8"/><title>${escapeText(title)}</title><link rel="stylesheet" type="text/css" href="../style.css"/></head>
<body>
${body}
</body>
</html>
`;

const page = (book: Book, { title, nodes }: Chapter): string => frame(book, title, xhtmlOf(nodes).trim());

const contentsPage = (book: Book): string =>
  frame(
    book,
    book.title,
    `<nav epub:type="toc" id="toc"><h1>${escapeText(book.title)}</h1>\n${nested(book.contents, LIST)}</nav>`,
  );

/** The markup of a contents entry. */
interface Shape {
  readonly open: string;
  readonly close: string;
  readonly entry: (entry: Entry, number: number) => string;
  readonly end: string;
}

const LIST: Shape = {
  open: "<ol>\n",
  close: "</ol>\n",
  entry: ({ title, href }) => `<li><a href="${escapeText(href)}">${escapeText(title)}</a>\n`,
  end: "</li>\n",
};

const POINTS: Shape = {
  open: "",
  close: "",
  entry: ({ title, href }, number) =>
    `<navPoint id="point-${number}" playOrder="${number}"><navLabel><text>${escapeText(title)}</text></navLabel><content src="text/${escapeText(href)}"/>\n`,
  end: "</navPoint>\n",
};

/** Entries are nested in the nearest preceding entry of a higher level; skipped levels do not count. */
const nested = (entries: readonly Entry[], { open, close, entry, end }: Shape): string => {
  const levels: number[] = [];
  let text = open;
  for (const [index, each] of entries.entries()) {
    if (index > 0 && each.level > (levels.at(-1) ?? 0)) {
      text += open;
    } else {
      while (levels.length > 0 && each.level <= (levels.at(-1) ?? 0)) {
        levels.pop();
        text += levels.length > 0 && each.level <= (levels.at(-1) ?? 0) ? `${end}${close}` : end;
      }
    }
    levels.push(each.level);
    text += entry(each, index + 1);
  }
  return `${text}${levels.map(() => `${end}${close}`).join("")}`;
};

const ncx = ({ title, contents }: Book, identifier: string): string =>
  `${DECLARATION}<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1">
<head><meta name="dtb:uid" content="${identifier}"/></head>
<docTitle><text>${escapeText(title)}</text></docTitle>
<navMap>
${nested(contents, POINTS)}</navMap>
</ncx>
`;

const element = (name: string, text: string | undefined): string =>
  text ? `<${name}>${escapeText(text)}</${name}>\n` : "";

const packageDocument = (book: Book, identifier: string): string => {
  const { title, lang, metadata, chapters, pictures, rightToLeft } = book;
  const cover = pictures.findIndex(({ isCover }) => isCover);
  const modified = `${new Date().toISOString().slice(0, 19)}Z`;
  return `${DECLARATION}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="book-id" xml:lang="${escapeText(lang)}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="book-id">${identifier}</dc:identifier>
${element("dc:title", title)}${element("dc:language", lang)}${element("dc:creator", metadata.author)}${element("dc:description", metadata.description)}${element("dc:date", metadata.date)}<meta property="dcterms:modified">${modified}</meta>
${cover === -1 ? "" : `<meta name="cover" content="picture-${cover + 1}"/>\n`}</metadata>
<manifest>
<item id="contents" href="text/contents.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="ncx" href="contents.ncx" media-type="application/x-dtbncx+xml"/>
<item id="style" href="style.css" media-type="text/css"/>
${chapters.map(({ file, nodes }, index) => `<item id="chapter-${index + 1}" href="text/${file}" media-type="application/xhtml+xml"${hasFormula(nodes) ? ' properties="mathml"' : ""}/>`).join("\n")}
${pictures.map(({ file, mediaType }, index) => `<item id="picture-${index + 1}" href="pictures/${file}" media-type="${mediaType}"${index === cover ? ' properties="cover-image"' : ""}/>`).join("\n")}
</manifest>
<spine toc="ncx"${rightToLeft ? ' page-progression-direction="rtl"' : ""}>
${chapters.map((_, index) => `<itemref idref="chapter-${index + 1}"/>`).join("\n")}
</spine>
</package>
`;
};

const hasFormula = (nodes: Chapter["nodes"]): boolean =>
  nodes.some((node) => isElement(node) && (node.tagName === "math" || elementsBelow(node, "math").length > 0));
