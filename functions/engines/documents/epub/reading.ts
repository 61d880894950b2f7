import { serialize } from "parse5";
import { HTML_PICTURES_BYTES_MAX, TEXT_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { ZipDocument } from "../../archives/zip/reader.ts";
import { dataUriOf } from "../../pictures/files/header.ts";
import { cleanTree } from "../html/clean.ts";
import { type CleanHtml, documentOf } from "../html/html.ts";
import { newLeftOut } from "../html/left-out.ts";
import { decodeHtml } from "../html/reader.ts";
import { cleanSheet, reachesOut } from "../html/style.ts";
import { attributeOf, elementsBelow, escapeText, type HtmlDocument, newElement, parseHtml } from "../html/tree.ts";
import { prefixIds } from "./ids.ts";
import { type BookPackage, readPackage, resolvePath } from "./package.ts";

/** @returns the entire book as one document: chapters are sections, and links between them are updated */
export const htmlOfBook = async (zip: ZipDocument): Promise<CleanHtml> => {
  const book = await readPackage(zip);
  const pictures = pictureShelf(zip);
  const styles = new Map<string, string>();
  const warnings = new Map<string, Warning>();
  const numbers = new Map(book.chapters.map((path, index) => [path, index + 1]));
  const sections: string[] = [];
  let characters = 0;
  for (const [index, path] of book.chapters.entries()) {
    const document = parseHtml(decodeHtml((await zip.read(path)) ?? Buffer.alloc(0)));
    await pictures.load(path, document);
    await loadStyles(zip, { path, document, styles, warnings });
    const tree = cleanTree(document, { pictures: (source) => pictures.find(resolvePath(path, source)) });
    prefixIds(tree.body, { number: index + 1, chapter: (reference) => numbers.get(resolvePath(path, reference)) });
    for (const warning of tree.warnings.filter(({ code }) => code !== "styles_dropped")) {
      warnings.set(warning.code, warning);
    }
    styles.set(`${path}#style`, tree.style);
    const words = wordsOf({ ...tree, "aria-label": book.labels.get(path) }, book);
    const section = `<section class="chapter" id="c${index + 1}"${words}>\n${serialize(tree.body).trim()}\n</section>`;
    characters += section.length;
    if (characters > TEXT_BYTES_MAX) {
      throw new JobError("output_too_large", `The book exceeds the HTML limit of ${TEXT_BYTES_MAX} bytes.`);
    }
    sections.push(section);
  }
  const cover = await pictures.cover(book.cover);
  const body = newElement("body");
  const { title, lang, metadata } = book;
  const style = [...new Set(styles.values())].filter((sheet) => sheet !== "").join("\n");
  const html = documentOf({ title, lang, dir: undefined, metadata, style, body }, [...cover, ...sections].join("\n"));
  return { html, warnings: [...warnings.values()] };
};

type Words = Readonly<Record<"lang" | "dir" | "aria-label", string | undefined>>;

const wordsOf = ({ lang, dir, "aria-label": label }: Words, book: BookPackage): string =>
  Object.entries({ lang: lang === book.lang ? undefined : lang, dir, "aria-label": label })
    .map(([name, value]) => (value ? ` ${name}="${escapeText(value)}"` : ""))
    .join("");

/**
 * The pictures of a book, each read once. When the limit is reached, the remaining ones are left out, and cleaning
 * reports them.
 */
const pictureShelf = (zip: ZipDocument) => {
  const read = new Map<string, string | undefined>();
  let bytes = 0;
  const take = async (path: string): Promise<void> => {
    if (!read.has(path) && bytes < HTML_PICTURES_BYTES_MAX) {
      read.set(path, dataUriOf((await zip.read(path)) ?? Buffer.alloc(0)));
    }
  };
  const find = (path: string): string | undefined => {
    const uri = read.get(path);
    bytes += uri?.length ?? 0;
    return bytes > HTML_PICTURES_BYTES_MAX ? undefined : uri;
  };
  return {
    find,
    load: async (path: string, document: HtmlDocument): Promise<void> => {
      for (const element of elementsBelow(document, "img", "image")) {
        const source = ["src", "href", "xlink:href"].map((name) => attributeOf(element, name)).find(Boolean);
        await take(resolvePath(path, source ?? ""));
      }
    },
    /** The cover picture comes first, unless a chapter shows it. */
    cover: async (path: string | undefined): Promise<string[]> => {
      if (path === undefined || read.has(path)) {
        return [];
      }
      await take(path);
      const uri = find(path);
      return uri === undefined ? [] : [`<section class="cover"><img src="${uri}" alt=""></section>`];
    },
  };
};

interface StyledChapter {
  readonly path: string;
  readonly document: HtmlDocument;
  /** Clean style sheets by path. */
  readonly styles: Map<string, string>;
  readonly warnings: Map<string, Warning>;
}

const loadStyles = async (zip: ZipDocument, { path, document, styles, warnings }: StyledChapter): Promise<void> => {
  for (const link of elementsBelow(document, "link")) {
    const place = resolvePath(path, attributeOf(link, "href") ?? "");
    const rel = (attributeOf(link, "rel") ?? "").toLowerCase().split(/\s+/);
    // An alternate style sheet, such as a night edition, applies only when the reader selects it.
    if (rel.includes("stylesheet") && !rel.includes("alternate") && !styles.has(place)) {
      const sheet = (await zip.read(place))?.toString("utf8") ?? "";
      styles.set(place, cleanSheet(sheet));
      if (reachesOut(sheet)) {
        const leftOut = newLeftOut();
        leftOut.add("remote_content_dropped");
        for (const warning of leftOut.warnings()) {
          warnings.set(warning.code, warning);
        }
      }
    }
  }
};
