import { createHash } from "node:crypto";
import { BOOK_CHAPTERS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import { bytesOfDataUri, pictureHeader, pictureMediaType } from "../../pictures/files/header.ts";
import type { CleanTree } from "../html/clean.ts";
import {
  attributeOf,
  elementsBelow,
  type HtmlElement,
  type HtmlNode,
  isElement,
  nodesBelow,
  textBelow,
} from "../html/tree.ts";
import { chaptersOf } from "./chapters.ts";

/** The content of the book to write. */
export interface Book {
  readonly title: string;
  readonly lang: string;
  readonly rightToLeft: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  readonly style: string;
  readonly chapters: readonly Chapter[];
  readonly pictures: readonly Picture[];
  readonly contents: readonly Entry[];
}

export interface Chapter {
  /** File name in the book, without directory. */
  readonly file: string;
  readonly title: string;
  readonly nodes: readonly HtmlNode[];
}

export interface Picture {
  /** File name in the book, without directory. */
  readonly file: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
  readonly isCover: boolean;
}

/** An entry of the contents: a heading and its location. */
export interface Entry {
  readonly level: number;
  readonly title: string;
  readonly href: string;
}

/**
 * @param tree a clean document, which is changed: pictures become files, and links point to the chapters
 * @returns the book, and warnings about what was left out
 */
export const bookOf = (tree: CleanTree): { book: Book; warnings: readonly Warning[] } => {
  const { pictures, dropped } = takePictures(tree.body);
  const parts = chaptersOf(tree.body);
  if (parts.length > BOOK_CHAPTERS_MAX) {
    throw new JobError("too_many_pages", `The book has ${parts.length} chapters; the limit is ${BOOK_CHAPTERS_MAX}.`);
  }
  const files = parts.map((_, index) => `chapter-${String(index + 1).padStart(4, "0")}.xhtml`);
  resolveTargets(parts, files);
  const title = tree.title || wordsOf(elementsBelow(tree.body, "h1")[0]) || "Untitled";
  const contents = parts.flatMap((nodes, index) =>
    entriesOf(nodes, files[index] ?? "", labelOf(nodes) ?? (parts.length === 1 ? title : `${index + 1}`)),
  );
  const book: Book = {
    title,
    lang: tree.lang || "und",
    rightToLeft: tree.dir === "rtl",
    metadata: tree.metadata,
    style: tree.style,
    chapters: parts.map((nodes, index) => ({
      file: files[index] ?? "",
      title: contents.find(({ href }) => href.startsWith(files[index] ?? ""))?.title ?? title,
      nodes,
    })),
    pictures,
    contents,
  };
  const detail = `Pictures in formats that e-books do not support were left out: ${dropped}.`;
  return { book, warnings: dropped === 0 ? [] : [{ code: "pictures_dropped", detail }] };
};

const wordsOf = (element: HtmlElement | undefined): string =>
  element === undefined ? "" : textBelow(element).replace(/\s+/g, " ").trim().slice(0, 300);

/** Extracts the pictures into files, each once no matter how often it is shown. */
const takePictures = (body: HtmlElement): { pictures: Picture[]; dropped: number } => {
  const pictures = new Map<string, Picture>();
  const cover = coverOf(body);
  let dropped = 0;
  for (const image of elementsBelow(body, "img")) {
    const source = attributeOf(image, "src") ?? "";
    const key = createHash("sha256").update(source).digest("hex");
    const bytes = bytesOfDataUri(source);
    const kind = pictureHeader(bytes)?.kind;
    const known = pictures.get(key);
    if (known === undefined && (kind === undefined || kind === "bmp")) {
      dropped += 1;
      image.attrs = image.attrs.filter(({ name }) => name !== "src");
      continue;
    }
    const picture = known ?? {
      file: `picture-${String(pictures.size + 1).padStart(4, "0")}.${kind}`,
      mediaType: pictureMediaType(kind ?? "png"),
      bytes,
      isCover: image === cover,
    };
    pictures.set(key, picture);
    image.attrs = image.attrs.map((attribute) =>
      attribute.name === "src" ? { ...attribute, value: `../pictures/${picture.file}` } : attribute,
    );
  }
  return { pictures: [...pictures.values()], dropped };
};

/** @returns the picture before all text, if any, which is used as the cover */
const coverOf = (body: HtmlElement): HtmlElement | undefined => {
  for (const node of nodesBelow(body)) {
    if ("value" in node && node.value.trim() !== "") {
      return undefined;
    }
    if (isElement(node) && node.tagName === "img") {
      return node;
    }
  }
  return undefined;
};

/** Gives headings an ID, makes all IDs unique, and updates links to the file that now contains their target. */
const resolveTargets = (parts: readonly (readonly HtmlNode[])[], files: readonly string[]): void => {
  const targets = new Map<string, string>();
  const elements = parts.map((nodes) =>
    nodes.filter(isElement).flatMap((node) => [node, ...[...nodesBelow(node)].filter(isElement)]),
  );
  for (const [index, all] of elements.entries()) {
    for (const [position, element] of all.entries()) {
      const named = attributeOf(element, "id") ?? (element.tagName === "a" ? attributeOf(element, "name") : undefined);
      const id = named ?? (/^h[1-3]$/.test(element.tagName) ? `heading-${index + 1}-${position + 1}` : undefined);
      const free = id !== undefined && !targets.has(id) && /^\S+$/.test(id);
      element.attrs = element.attrs.filter(({ name }) => name !== "id" && name !== "name");
      if (free) {
        targets.set(id, `${files[index]}#${encodeURIComponent(id)}`);
        element.attrs.push({ name: "id", value: id });
      }
    }
  }
  for (const link of elements.flat().filter(({ tagName }) => tagName === "a")) {
    link.attrs = link.attrs.flatMap(({ name, value }) => {
      const target =
        name === "href" && !/^[a-z][a-z0-9+.-]*:/i.test(value) ? targets.get(decoded(value.slice(1))) : value;
      return target === undefined ? [] : [{ name, value: target }];
    });
  }
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Chapters of books that we have read keep their labels from the contents. */
const labelOf = (nodes: readonly HtmlNode[]): string | undefined =>
  nodes
    .filter(isElement)
    .map((node) => attributeOf(node, "aria-label"))
    .find(Boolean);

/** @returns the headings of a chapter; if it has none, its beginning under the given name */
const entriesOf = (nodes: readonly HtmlNode[], file: string, name: string): Entry[] => {
  const headings = nodes
    .filter(isElement)
    .flatMap((node) => [node, ...[...nodesBelow(node)].filter(isElement)])
    .filter((element) => /^h[1-3]$/.test(element.tagName) && wordsOf(element) !== "");
  const entries = headings.map((heading, index) => ({
    level: Number(heading.tagName.slice(1)),
    title: wordsOf(heading),
    href: index === 0 ? file : `${file}#${encodeURIComponent(attributeOf(heading, "id") ?? "")}`,
  }));
  return entries.length > 0 ? entries : [{ level: 1, title: name, href: file }];
};
