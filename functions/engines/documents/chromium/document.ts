import { serialize } from "parse5";
import { BROWSER_PIXELS_MAX, PICTURE_PIXELS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { bytesOfDataUri, type PictureHeader, pictureHeader, pictureMediaType } from "../../pictures/files/header.ts";
import { countMedia, countScripts, countSheet, type LeftOut, newLeftOut } from "../html/left-out.ts";
import { linkOf, pictureSource } from "../html/rules.ts";
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
} from "../html/tree.ts";
import { bodyOf, chapterGroups } from "./groups.ts";
import { DOCUMENT_URL, type PrintedPart, type ReadyDocument, type ServedFile } from "./ready.ts";
import { hasStyling } from "./styling.ts";

/**
 * Removes everything that runs, loads, navigates or embeds other documents, and preserves the styling. A browser
 * without network, files or scripts then renders the rest.
 *
 * @throws JobError as the parser does
 */
export const readyDocument = (html: string): ReadyDocument => {
  const document = parseHtml(html);
  const state: State = {
    pictures: new Map(),
    pixels: 0,
    files: new Map(),
    leftOut: newLeftOut(),
    base: baseOf(document),
  };
  // A list, so that removing elements does not disturb the iteration.
  const elements = [...nodesBelow(document)].filter(isElement);
  const styled = hasStyling(elements);
  countScripts(document, state.leftOut);
  for (const element of elements) {
    treat(element, state);
  }
  keepQuirks(document);
  const ready = {
    html: (before: string, after: string) => withSheets(document, before, after),
    files: state.files,
    styled,
    pages: elements.some((element) => element.tagName === "style" && textBelow(element).includes("@page")),
    longWords: elements.some((element) => CELL.test(element.tagName) && element.childNodes.some(isLong)),
    elements: elements.length,
    cells: elements.filter(({ tagName }) => CELL.test(tagName)).length,
    columns: Math.max(0, ...elements.filter(({ tagName }) => tagName === "tr").map(columnsOf)),
    leftOut: state.leftOut,
  };
  return { ...ready, groups: () => groupsOf(document, ready) };
};

const CELL = /^t[dh]$/;

/** Word length, in characters, at which a word is broken instead of scaling the page down. */
const LONG_WORD = /\S{40}/;

const isLong = (node: HtmlNode): boolean => isText(node) && LONG_WORD.test(node.value);

interface State {
  /** Pictures by `data:` URI, so that a repeated picture is served only once. */
  readonly pictures: Map<string, ServedPicture>;
  /** Total pixels of the pictures that need decoding. */
  pixels: number;
  readonly files: Map<string, ServedFile>;
  readonly leftOut: LeftOut;
  /** Base URL of relative links. */
  readonly base: string;
}

const GONE =
  /^(?:script|iframe|frame|object|embed|applet|audio|video|source|track|link|base|template|portal|fencedframe)$/i;

const treat = (element: HtmlElement, state: State): void => {
  const { tagName } = element;
  if (GONE.test(tagName) || (tagName === "meta" && attributeOf(element, "http-equiv") !== undefined)) {
    countMedia(element, state.leftOut);
    if (tagName === "link") {
      countSheet(element, state.leftOut);
    }
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

/** Maximum nesting depth of a formula. Layout time is cubic in the depth (100 levels take 0.1 s, 500 take 15 s). */
const FORMULA_DEPTH_MAX = 100;

const isDeep = (formula: HtmlElement): boolean => {
  let level: HtmlElement[] = [formula];
  for (let depth = 0; depth < FORMULA_DEPTH_MAX && level.length > 0; depth += 1) {
    level = level.flatMap(({ childNodes }) => childNodes.filter(isElement));
  }
  return level.length > 0;
};

/** Attributes that run or load something, or that defer loading until the element is visible. */
const UNWANTED = /^(?:on.*|srcset|sizes|loading|lazyload|ping|action|formaction|srcdoc|crossorigin|manifest|target)$/i;

/** Pictures in styles and drawings, as `data:` URIs. */
const PICTURE_WITHIN = /data:image\/[\w+.-]{1,40};base64,[a-z0-9+/=]+/gi;

/** Removes pictures in styles and drawings that are too large to decode. */
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
    state.leftOut.add("pictures_dropped");
  }
  return large;
};

/** A JPEG is embedded in a PDF unchanged; all other pictures are decoded first. */
const isWithinBudget = ({ kind, width, height }: PictureHeader, state: State): boolean => {
  state.pixels += kind === "jpg" ? 0 : width * height;
  return width * height <= PICTURE_PIXELS_MAX && state.pixels <= BROWSER_PIXELS_MAX;
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
    state.leftOut.add(kind === "remote" ? "remote_content_dropped" : "pictures_dropped");
    becomeWords(image);
    return;
  }
  if (picture !== undefined) {
    set(image, "src", picture.url);
    keepProportions(image, picture.proportion);
  }
};

interface ServedPicture {
  readonly url: string;
  readonly proportion: number;
}

/**
 * @returns the picture's URL for the browser; `large` when it exceeds the budget; undefined when its type is
 * unknown
 */
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
  const url = `${DOCUMENT_URL}${state.files.size + 1}`;
  const picture = { url, proportion: width / height };
  state.files.set(url, { mediaType: pictureMediaType(kind), bytes });
  state.pictures.set(source, picture);
  return picture;
};

/** The alternative text is more useful than a broken-picture icon. */
const becomeWords = (image: HtmlElement): void => {
  const words = newElement("span");
  words.childNodes = [{ nodeName: "#text", parentNode: words, value: attributeOf(image, "alt") ?? "" }];
  Object.assign(image, { tagName: "span", nodeName: "span", childNodes: words.childNodes, attrs: [] });
};

/** Tolerance within which the requested dimensions count as the picture's natural proportions. */
const PROPORTION = 0.05;

/** When both dimensions match the natural proportions, only one is kept, so that the picture can shrink to the page. */
const keepProportions = (image: HtmlElement, own: number): void => {
  const [width, height] = ["width", "height"].map((name) => Number(attributeOf(image, name)));
  if (Math.abs((width ?? 0) / (height ?? 0) / own - 1) < PROPORTION) {
    image.attrs = image.attrs.filter(({ name }) => name !== "height");
  }
};

/** Removes links to files next to the document: readers of the result do not have these files. */
const treatLink = (link: HtmlElement, { base }: State): void => {
  const href = linkOf(attributeOf(link, "href") ?? "");
  const full = href === undefined ? null : URL.parse(href, base);
  link.attrs = link.attrs.filter(({ name }) => name !== "href");
  if (href?.startsWith("#") === true) {
    set(link, "href", href);
  } else if (full !== null && !full.href.startsWith(DOCUMENT_URL)) {
    set(link, "href", full.href);
  }
};

const set = (element: HtmlElement, name: string, value: string): void => {
  element.attrs = [...element.attrs.filter((each) => each.name !== name), { name, value }];
};

const baseOf = (document: HtmlDocument): string => {
  const base = elementsBelow(document, "base").map((each) => attributeOf(each, "href") ?? "")[0] ?? "";
  return URL.parse(base)?.protocol.startsWith("http") === true ? base : DOCUMENT_URL;
};

/**
 * Preserves quirks mode for documents with a legacy doctype: serialization would turn every doctype into the modern
 * one.
 */
const keepQuirks = (document: HtmlDocument): void => {
  if (document.mode === "quirks") {
    document.childNodes = document.childNodes.filter(({ nodeName }) => nodeName !== "#documentType");
  }
};

const columnsOf = (row: HtmlElement): number =>
  row.childNodes
    .filter(isElement)
    .reduce((sum, cell) => sum + Math.min(100, Math.max(1, Number(attributeOf(cell, "colspan") ?? 1) || 1)), 0);

/** @returns the parts to print one after the other, each with its chapters as the body */
const groupsOf = (document: HtmlDocument, ready: PrintedPart): readonly PrintedPart[] => {
  const body = bodyOf(document);
  const groups = body === undefined ? [] : chapterGroups(body);
  return groups.length < 2
    ? [ready]
    : groups.map(({ nodes, elements }) => ({
        ...ready,
        elements,
        html: (before, after) => {
          const own = body?.childNodes ?? [];
          Object.assign(body ?? {}, { childNodes: nodes });
          const html = withSheets(document, before, after);
          Object.assign(body ?? {}, { childNodes: own });
          return html;
        },
      }));
};

const withSheets = (document: HtmlDocument, before: string, after: string): string => {
  const head = elementsBelow(document, "head").find(isHtml);
  const sheet = (css: string): HtmlElement => {
    const style = newElement("style");
    style.childNodes = [{ nodeName: "#text", parentNode: style, value: css }];
    return style;
  };
  const own = head?.childNodes ?? [];
  if (head !== undefined) {
    head.childNodes = [sheet(before), ...own, sheet(after)];
  }
  const html = serialize(document);
  if (head !== undefined) {
    head.childNodes = own;
  }
  return html;
};
