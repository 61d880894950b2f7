import type { XmlElement } from "../../data/text/xml.ts";
import { dataUriOf } from "../../pictures/files/header.ts";
import { escapeText } from "../html/tree.ts";

/** The content of a FictionBook, as HTML that still needs cleaning. */
export interface Fb2Book {
  readonly html: string;
  readonly title: string;
  readonly lang: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  /** Pictures as `data:` URIs, by reference. */
  readonly pictures: ReadonlyMap<string, string>;
}

/** @returns the parts of the book; its chapters are sections */
export const bookOf = (root: XmlElement): Fb2Book => {
  const info = first(first(root, "description"), "title-info");
  const authors = all(info, "author").map((author) =>
    ["first-name", "middle-name", "last-name", "nickname"]
      .map((name) => words(first(author, name)))
      .filter(Boolean)
      .join(" "),
  );
  const fields = {
    author: authors.filter(Boolean).join(", "),
    description: words(first(info, "annotation")),
    date: words(first(info, "date")),
  };
  const cover = all(first(info, "coverpage"), "image").map((image) => htmlOf(image, 1));
  const bodies = all(root, "body").flatMap((body) => chapters(body));
  return {
    html: [...(cover.length === 0 ? [] : [`<section class="cover">${cover[0]}</section>`]), ...bodies].join("\n"),
    title: words(first(info, "book-title")),
    lang: words(first(info, "lang")) || undefined,
    metadata: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== "")),
    pictures: new Map(
      all(root, "binary").flatMap((binary) => {
        const uri = dataUriOf(Buffer.from(words(binary), "base64"));
        return uri === undefined ? [] : [[`#${binary.attributes.get("id") ?? ""}`, uri] as const];
      }),
    ),
  };
};

const local = ({ name }: XmlElement): string => name.slice(name.indexOf(":") + 1);

const all = (parent: XmlElement | undefined, name: string): XmlElement[] =>
  (parent?.children ?? []).flatMap((child) => (typeof child !== "string" && local(child) === name ? [child] : []));

const first = (parent: XmlElement | undefined, name: string): XmlElement | undefined => all(parent, name)[0];

const words = (element: XmlElement | undefined): string =>
  (element?.children ?? [])
    .map((child) => (typeof child === "string" ? child : words(child)))
    .join("")
    .replace(/\s+/g, " ")
    .trim();

/** Content before the sections of a body, such as titles and epigraphs, becomes a separate chapter. */
const chapters = (body: XmlElement): string[] => {
  const isSection = (child: XmlElement | string): boolean => typeof child !== "string" && local(child) === "section";
  const before = body.children.filter((child) => !isSection(child));
  const sections = body.children.flatMap((child) => (typeof child !== "string" && isSection(child) ? [child] : []));
  const opening = before
    .map((child) => content(child, 1))
    .join("")
    .trim();
  return [
    ...(opening === "" ? [] : [`<section class="chapter">${opening}</section>`]),
    ...sections.map(
      (section) =>
        `<section class="chapter"${idOf(section)}>${inside(section, body.attributes.has("name") ? 2 : 1)}</section>`,
    ),
  ];
};

const idOf = ({ attributes }: XmlElement): string => {
  const id = attributes.get("id");
  return id === undefined ? "" : ` id="${escapeText(id)}"`;
};

/** A reference, whatever prefix the book uses for XLink. */
const referenceOf = ({ attributes }: XmlElement): string =>
  [...attributes].find(([name]) => name === "href" || name.endsWith(":href"))?.[1] ?? "";

const content = (child: XmlElement | string, level: number): string =>
  typeof child === "string" ? escapeText(child) : htmlOf(child, level);

const inside = ({ children }: XmlElement, level: number): string =>
  children.map((child) => content(child, level)).join("");

/** Elements with a direct HTML equivalent. */
const SAME: ReadonlyMap<string, string> = new Map([
  ["p", "p"],
  ["strong", "strong"],
  ["emphasis", "em"],
  ["strikethrough", "s"],
  ["sub", "sub"],
  ["sup", "sup"],
  ["code", "code"],
  ["style", "span"],
  ["cite", "blockquote"],
  ["epigraph", "blockquote"],
  ["annotation", "blockquote"],
  ["poem", "blockquote"],
  ["stanza", "p"],
  ["tr", "tr"],
  ["table", "table"],
]);

type Writer = (element: XmlElement, level: number) => string;

const heading = (element: XmlElement, level: number): string => {
  const lines = all(element, "p").map((line) => inside(line, level));
  const rank = Math.min(6, level);
  return `<h${rank}${idOf(element)}>${(lines.length === 0 ? [inside(element, level)] : lines).join("<br>")}</h${rank}>\n`;
};

const cell = (element: XmlElement, level: number): string => {
  const spans = ["colspan", "rowspan", "align"].map((name) => {
    const value = element.attributes.get(name);
    return value === undefined ? "" : ` ${name}="${escapeText(value)}"`;
  });
  return `<${local(element)}${spans.join("")}>${inside(element, level)}</${local(element)}>`;
};

const WRITERS: Readonly<Record<string, Writer>> = {
  section: (element, level) => `<section${idOf(element)}>${inside(element, level + 1)}</section>\n`,
  title: heading,
  subtitle: (element, level) => `<p${idOf(element)}><strong>${inside(element, level)}</strong></p>\n`,
  "text-author": (element, level) => `<p><em>${inside(element, level)}</em></p>\n`,
  v: (element, level) => `${inside(element, level)}<br>\n`,
  "empty-line": () => "<p>\u00a0</p>\n",
  a: (element, level) => `<a href="${escapeText(referenceOf(element))}">${inside(element, level)}</a>`,
  image: (element) =>
    `<img src="${escapeText(referenceOf(element))}" alt="${escapeText(element.attributes.get("alt") ?? "")}">`,
  td: cell,
  th: cell,
};

const htmlOf: Writer = (element, level) => {
  const name = local(element);
  const same = SAME.get(name);
  if (same !== undefined) {
    return `<${same}${idOf(element)}>${inside(element, level)}</${same}>${/^(?:p|table)$/.test(same) ? "\n" : ""}`;
  }
  // An element may have the name of an Object.prototype property.
  const write = Object.hasOwn(WRITERS, name) ? WRITERS[name] : undefined;
  return write?.(element, level) ?? inside(element, level);
};
