import { BOOK_CHAPTERS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import type { ZipDocument } from "../../archives/zip/reader.ts";
import { readXml, type XmlElement } from "../../data/text/xml.ts";
import { decodeHtml } from "../html/reader.ts";
import { attributeOf, elementsBelow, parseHtml, textBelow } from "../html/tree.ts";

/** The content of a book's package document (EPUB 3.3, 5), with paths in the zip. */
export interface BookPackage {
  readonly title: string;
  readonly lang: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  /** Paths of the chapters in reading order. */
  readonly chapters: readonly string[];
  /** Labels of the chapters in the contents, by path. */
  readonly labels: ReadonlyMap<string, string>;
  /** Path of the cover picture. */
  readonly cover: string | undefined;
}

const DEPTH_MAX = 100;

/** @throws JobError `source_corrupt`, or `unsupported_feature` for a book with DRM */
export const readPackage = async (zip: ZipDocument): Promise<BookPackage> => {
  const container = await xmlOf(zip, "META-INF/container.xml");
  const rootfile = within(container, "rootfile").find((element) => element.attributes.has("full-path"));
  const path = decodedPath(rootfile?.attributes.get("full-path") ?? "");
  const document = await xmlOf(zip, path);
  const items = new Map(within(document, "item").map((item) => [item.attributes.get("id") ?? "", item]));
  const pathOf = (item: XmlElement | undefined): string | undefined =>
    item === undefined ? undefined : resolvePath(path, item.attributes.get("href") ?? "");
  const chapters = within(document, "itemref").flatMap((reference) => {
    const place = pathOf(items.get(reference.attributes.get("idref") ?? ""));
    return place !== undefined && zip.has(place) ? [place] : [];
  });
  if (chapters.length === 0) {
    throw new JobError("source_corrupt", "The book has no chapters.");
  }
  if (chapters.length > BOOK_CHAPTERS_MAX) {
    throw new JobError(
      "too_many_pages",
      `The book has ${chapters.length} chapters; the limit is ${BOOK_CHAPTERS_MAX}.`,
    );
  }
  await checkLocks(zip, new Set(chapters));
  const labels = await labelsOf(zip, contentsPathOf(items, pathOf));
  return { ...metadataOf(document), chapters, labels, cover: pathOf(coverOf(document, items)) };
};

const xmlOf = async (zip: ZipDocument, path: string): Promise<XmlElement> => {
  const bytes = await zip.read(path);
  if (bytes === undefined) {
    throw new JobError("source_corrupt", `The book is missing ${path === "" ? "its package document" : path}.`);
  }
  return readXml(decodeHtml(bytes).trim(), { depthMax: DEPTH_MAX }).root;
};

/** @returns the elements with a local name in an element, in document order */
const within = (root: XmlElement, name: string): XmlElement[] =>
  root.children.flatMap((child) =>
    typeof child === "string"
      ? []
      : [...(child.name === name || child.name.endsWith(`:${name}`) ? [child] : []), ...within(child, name)],
  );

const textOf = ({ children }: XmlElement): string =>
  children
    .map((child) => (typeof child === "string" ? child : textOf(child)))
    .join("")
    .replace(/\s+/g, " ")
    .trim();

const metadataOf = (document: XmlElement) => {
  const field = (name: string): string =>
    within(document, "metadata")
      .flatMap((metadata) => within(metadata, name))
      .map(textOf)
      .filter((text) => text !== "")
      .join(name === "creator" ? ", " : "\n")
      .split("\n", 1)[0] ?? "";
  const fields = { author: field("creator"), description: field("description"), date: field("date") };
  const metadata = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
  return { title: field("title"), lang: field("language").replace(/^und$/, "") || undefined, metadata };
};

/** EPUB 3 marks the item; EPUB 2 names it in the metadata. */
const coverOf = (document: XmlElement, items: ReadonlyMap<string, XmlElement>): XmlElement | undefined => {
  const marked = [...items.values()].find(({ attributes }) =>
    /\bcover-image\b/.test(attributes.get("properties") ?? ""),
  );
  const named = within(document, "meta").find(({ attributes }) => attributes.get("name") === "cover");
  const item = marked ?? items.get(named?.attributes.get("content") ?? "");
  return item?.attributes.get("media-type")?.startsWith("image/") ? item : undefined;
};

type PathOf = (item: XmlElement | undefined) => string | undefined;

/** EPUB 3 has a contents page, EPUB 2 an NCX file; most books have both. */
const contentsPathOf = (items: ReadonlyMap<string, XmlElement>, pathOf: PathOf): string | undefined => {
  const all = [...items.values()];
  const page = all.find(({ attributes }) => /\bnav\b/.test(attributes.get("properties") ?? ""));
  return pathOf(page ?? all.find(({ attributes }) => attributes.get("media-type") === "application/x-dtbncx+xml"));
};

/** @returns the first contents entry for each file; empty if the contents cannot be read */
const labelsOf = async (zip: ZipDocument, path: string | undefined): Promise<ReadonlyMap<string, string>> => {
  const labels = new Map<string, string>();
  const bytes = path === undefined ? undefined : await zip.read(path);
  if (path === undefined || bytes === undefined) {
    return labels;
  }
  const lines = path.endsWith(".ncx") ? pointsOf(decodeHtml(bytes)) : linksOf(decodeHtml(bytes));
  for (const { label, reference } of lines) {
    const place = resolvePath(path, reference);
    if (label !== "" && !labels.has(place)) {
      labels.set(place, label.slice(0, 300));
    }
  }
  return labels;
};

interface ContentsLine {
  readonly label: string;
  readonly reference: string;
}

/** Parsed as HTML, which tolerates errors: damaged contents cost only their labels. */
const linksOf = (page: string): ContentsLine[] =>
  elementsBelow(parseHtml(page), "nav")
    .flatMap((nav) => elementsBelow(nav, "a"))
    .map((link) => ({
      label: textBelow(link).replace(/\s+/g, " ").trim(),
      reference: attributeOf(link, "href") ?? "",
    }));

const pointsOf = (ncx: string): ContentsLine[] =>
  elementsBelow(parseHtml(ncx), "navpoint").map((point) => ({
    label: elementsBelow(point, "text").map(textBelow)[0]?.replace(/\s+/g, " ").trim() ?? "",
    reference: elementsBelow(point, "content").map((content) => attributeOf(content, "src") ?? "")[0] ?? "",
  }));

/** Obfuscated fonts are not DRM. They are left out like all fonts (EPUB 3.3, 4.3.5 and Adobe's method). */
const FONT_ALGORITHM = /^http:\/\/(?:www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/;

const checkLocks = async (zip: ZipDocument, chapters: ReadonlySet<string>): Promise<void> => {
  if (!zip.has("META-INF/encryption.xml")) {
    return;
  }
  const locks = within(await xmlOf(zip, "META-INF/encryption.xml"), "EncryptedData").filter((data) => {
    const algorithm = within(data, "EncryptionMethod")[0]?.attributes.get("Algorithm") ?? "";
    return !FONT_ALGORITHM.test(algorithm);
  });
  const locked = locks.flatMap((data) =>
    within(data, "CipherReference").map(({ attributes }) => attributes.get("URI") ?? ""),
  );
  if (locked.some((uri) => chapters.has(decodedPath(uri)))) {
    throw new JobError(
      "unsupported_feature",
      "The book is protected by DRM and can be opened only in the store's apps.",
    );
  }
};

/** @returns the path in the zip that a member's reference points to, without its fragment */
export const resolvePath = (from: string, reference: string): string => {
  const parts = from.split("/").slice(0, -1);
  const [path = ""] = reference.split(/[?#]/, 1);
  for (const part of decodedPath(path).split("/")) {
    if (part === "..") {
      parts.pop();
    } else if (part !== "." && part !== "") {
      parts.push(part);
    }
  }
  return parts.join("/");
};

const decodedPath = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};
