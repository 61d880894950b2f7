import { serialize } from "parse5";
import { BROWSER_PIXELS_MAX, PICTURE_PIXELS_MAX } from "../../domain/conversion-limits.ts";
import { linkOf, MEDIA_ELEMENTS, pictureSource } from "../io/html-rules.ts";
import {
  attributeOf,
  elementsBelow,
  type HtmlDocument,
  type HtmlElement,
  type HtmlNode,
  isElement,
  isHtml,
  isText,
  newElement,
  nodesBelow,
  parseHtml,
  textBelow,
} from "../io/html-tree.ts";
import { bytesOfDataUri, type PictureHeader, pictureHeader, pictureMediaType } from "../io/picture-header.ts";
import { hasLooks } from "./looks.ts";
import { ADDRESS, count, type LeftOut, type ReadyDocument, type ServedFile } from "./ready.ts";

/**
 * Takes out what runs, loads, leads away or holds other documents, and leaves the looks: a browser that has no network,
 * no files and no scripts shows the rest.
 *
 * @throws JobError as the parser does
 */
export const readyDocument = (html: string): ReadyDocument => {
  const document = parseHtml(html);
  const state: State = { pictures: new Map(), pixels: 0, files: new Map(), counts: new Map(), base: baseOf(document) };
  // Nothing is taken out of what is gone through.
  const elements = [...nodesBelow(document)].filter(isElement);
  const looks = hasLooks(elements);
  for (const element of elements) {
    treat(element, state);
  }
  keepQuirks(document);
  return {
    html: (before, behind) => withSheets(document, before, behind),
    files: state.files,
    looks,
    pages: elements.some((element) => element.tagName === "style" && textBelow(element).includes("@page")),
    longWords: elements.some((element) => CELL.test(element.tagName) && element.childNodes.some(isLong)),
    elements: elements.length,
    cells: elements.filter(({ tagName }) => CELL.test(tagName)).length,
    columns: Math.max(0, ...elements.filter(({ tagName }) => tagName === "tr").map(columnsOf)),
    counts: state.counts,
  };
};

const CELL = /^t[dh]$/;

/** Letters of a word from which on it is broken rather than the page made smaller. */
const LONG_WORD = /\S{40}/;

const isLong = (node: HtmlNode): boolean => isText(node) && LONG_WORD.test(node.value);

interface State {
  /** The pictures by their `data:` URIs: one that stands there often is served once. */
  readonly pictures: Map<string, ServedPicture>;
  /** Of the pictures that have to be unpacked. */
  pixels: number;
  readonly files: Map<string, ServedFile>;
  readonly counts: Map<LeftOut, number>;
  /** What relative links are meant from. */
  readonly base: string;
}

const GONE =
  /^(?:script|iframe|frame|object|embed|applet|audio|video|source|track|link|base|template|portal|fencedframe)$/i;

const treat = (element: HtmlElement, state: State): void => {
  const { tagName } = element;
  if (GONE.test(tagName) || (tagName === "meta" && attributeOf(element, "http-equiv") !== undefined)) {
    countGone(element, state);
    remove(element);
    return;
  }
  element.attrs = element.attrs.filter(({ name }) => !UNWANTED.test(name));
  checkWithin(element, state);
  if (tagName === "img") {
    treatPicture(element, state);
  } else if (tagName === "a" || tagName === "area") {
    treatLink(element, state);
  } else if (tagName === "math" && isDeep(element)) {
    element.childNodes = [{ nodeName: "#text", parentNode: element, value: textBelow(element) }];
  }
};

/** How deep a formula may be nested: laying it out takes the cube of that (100 deep 0.1 s, 500 deep 15 s). */
const FORMULA_DEPTH_MAX = 100;

const isDeep = (formula: HtmlElement): boolean => {
  let level: HtmlElement[] = [formula];
  for (let depth = 0; depth < FORMULA_DEPTH_MAX && level.length > 0; depth += 1) {
    level = level.flatMap(({ childNodes }) => childNodes.filter(isElement));
  }
  return level.length > 0;
};

/** Attributes that run or load something, or put off loading until somebody looks. */
const UNWANTED = /^(?:on.*|srcset|sizes|loading|lazyload|ping|action|formaction|srcdoc|crossorigin|manifest|target)$/i;

/** Pictures within styles and drawings, as `data:` URIs. */
const PICTURE_WITHIN = /data:image\/[\w+.-]{1,40};base64,[a-z0-9+/=]+/gi;

/** Takes out what stands in styles and drawings and is too large to be unpacked. */
const checkWithin = (element: HtmlElement, state: State): void => {
  const checked = (text: string): string =>
    text.includes("data:image")
      ? text.replace(PICTURE_WITHIN, (uri) => (isTooLarge(uri, state) ? "data:," : uri))
      : text;
  for (const attribute of element.attrs.filter(({ name }) => !(element.tagName === "img" && name === "src"))) {
    attribute.value = checked(attribute.value);
  }
  for (const text of element.tagName === "style" ? element.childNodes.filter(isText) : []) {
    text.value = checked(text.value);
  }
};

const isTooLarge = (uri: string, state: State): boolean => {
  const header = pictureHeader(bytesOfDataUri(uri));
  const large = header !== undefined && !isWithinBudget(header, state);
  if (large) {
    count(state.counts, "pictures_dropped");
  }
  return large;
};

/** A JPEG goes into a PDF as it is; the pixels of all others are unpacked first. */
const isWithinBudget = ({ kind, width, height }: PictureHeader, state: State): boolean => {
  state.pixels += kind === "jpg" ? 0 : width * height;
  return width * height <= PICTURE_PIXELS_MAX && state.pixels <= BROWSER_PIXELS_MAX;
};

const countGone = (element: HtmlElement, { counts }: State): void => {
  if (MEDIA_ELEMENTS.has(element.tagName)) {
    count(counts, "media_dropped");
  }
  if (element.tagName === "link" && /\bstylesheet\b/i.test(attributeOf(element, "rel") ?? "")) {
    const remote = pictureSource(attributeOf(element, "href") ?? "") === "remote";
    count(counts, remote ? "remote_content_dropped" : "styles_dropped");
  }
};

const remove = (element: HtmlElement): void => {
  const siblings = element.parentNode?.childNodes;
  siblings?.splice(siblings.indexOf(element), 1);
};

const treatPicture = (image: HtmlElement, state: State): void => {
  const source = attributeOf(image, "src") ?? "";
  const kind = pictureSource(source);
  const picture = kind === "data" ? served(source, state) : undefined;
  if (kind === "remote" || kind === "relative" || picture === "large") {
    count(state.counts, kind === "remote" ? "remote_content_dropped" : "pictures_dropped");
    becomeWords(image);
    return;
  }
  if (picture !== undefined) {
    set(image, "src", picture.address);
    keepProportions(image, picture.proportion);
  }
};

interface ServedPicture {
  readonly address: string;
  readonly proportion: number;
}

/** @returns where the browser gets the picture; `large` when it would be too much; undefined when it is none we know */
const served = (source: string, state: State): ServedPicture | "large" | undefined => {
  const known = state.pictures.get(source);
  if (known !== undefined) {
    return known;
  }
  const bytes = bytesOfDataUri(source);
  const header = pictureHeader(bytes);
  if (header === undefined) {
    return undefined;
  }
  const { kind, width, height } = header;
  if (!isWithinBudget(header, state)) {
    return "large";
  }
  const address = `${ADDRESS}${state.files.size + 1}`;
  const picture = { address, proportion: width / height };
  state.files.set(address, { mediaType: pictureMediaType(kind), bytes });
  state.pictures.set(source, picture);
  return picture;
};

/** A sign of a broken picture says less than the words for it. */
const becomeWords = (image: HtmlElement): void => {
  const words = newElement("span");
  words.childNodes = [{ nodeName: "#text", parentNode: words, value: attributeOf(image, "alt") ?? "" }];
  Object.assign(image, { tagName: "span", nodeName: "span", childNodes: words.childNodes, attrs: [] });
};

/** How far the sides that are asked for may be off the picture's own to be meant as these. */
const PROPORTION = 0.05;

/** Both sides given as the picture has them say no more than one, which lets it shrink to the page. */
const keepProportions = (image: HtmlElement, own: number): void => {
  const [width, height] = ["width", "height"].map((name) => Number(attributeOf(image, name)));
  if (Math.abs((width ?? 0) / (height ?? 0) / own - 1) < PROPORTION) {
    image.attrs = image.attrs.filter(({ name }) => name !== "height");
  }
};

/** What a document is linked to beside itself is not there for who reads the result. */
const treatLink = (link: HtmlElement, { base }: State): void => {
  const href = linkOf(attributeOf(link, "href") ?? "");
  const full = href === undefined ? null : URL.parse(href, base);
  link.attrs = link.attrs.filter(({ name }) => name !== "href");
  if (href?.startsWith("#") === true) {
    set(link, "href", href);
  } else if (full !== null && !full.href.startsWith(ADDRESS)) {
    set(link, "href", full.href);
  }
};

const set = (element: HtmlElement, name: string, value: string): void => {
  element.attrs = [...element.attrs.filter((each) => each.name !== name), { name, value }];
};

const baseOf = (document: HtmlDocument): string => {
  const base = elementsBelow(document, "base").map((each) => attributeOf(each, "href") ?? "")[0] ?? "";
  return URL.parse(base)?.protocol.startsWith("http") === true ? base : ADDRESS;
};

/** What has a doctype as old browsers knew it is laid out by old rules; written out, every doctype would be today's. */
const keepQuirks = (document: HtmlDocument): void => {
  if (document.mode === "quirks") {
    document.childNodes = document.childNodes.filter(({ nodeName }) => nodeName !== "#documentType");
  }
};

const columnsOf = (row: HtmlElement): number =>
  row.childNodes
    .filter(isElement)
    .reduce((sum, cell) => sum + Math.min(100, Math.max(1, Number(attributeOf(cell, "colspan") ?? 1) || 1)), 0);

const withSheets = (document: HtmlDocument, before: string, behind: string): string => {
  const head = elementsBelow(document, "head").find(isHtml);
  const sheet = (css: string): HtmlElement => {
    const style = newElement("style");
    style.childNodes = [{ nodeName: "#text", parentNode: style, value: css }];
    return style;
  };
  head?.childNodes.unshift(sheet(before));
  head?.childNodes.push(sheet(behind));
  return serialize(document);
};
