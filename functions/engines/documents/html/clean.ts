import { HTML_DEPTH_MAX, HTML_PICTURES_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import type { Warning } from "../../../domain/warning.ts";
import { bytesOfDataUri } from "../../pictures/files/header.ts";
import { addDirections } from "./direction.ts";
import { drawingOf, pictureInside } from "./drawing.ts";
import { metadataOf, shortAttribute, titleOf } from "./head.ts";
import { countMedia, countScripts, countSheet, type LeftOut, newLeftOut } from "./left-out.ts";
import {
  ATTRIBUTE_CHARACTERS_MAX,
  DROPPED_ELEMENTS,
  ELEMENT_ATTRIBUTES,
  FORMULA_ELEMENTS,
  KEPT_ATTRIBUTES,
  KEPT_ELEMENTS,
  linkOf,
  pictureSource,
} from "./rules.ts";
import { cleanDeclarations, cleanSheet, reachesOut } from "./style.ts";
import {
  appendChild,
  appendText,
  attributeOf,
  elementsBelow,
  type HtmlDocument,
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
  isElement,
  isHtml,
  isText,
  newElement,
  parseHtml,
  textBelow,
} from "./tree.ts";

export interface TreeRules {
  /** @returns a picture as a `data:` URI for the reference in an `img` (`cid:…`, a path); undefined when not found */
  readonly pictures?: ((source: string) => string | undefined) | undefined;
  /**
   * Unresolved picture references to keep: none, relative references, or all. Only a target that does not load pictures
   * automatically may keep all.
   * @default "none"
   */
  readonly references?: "none" | "relative" | "all";
  /** Whether to add right-to-left directions to blocks if the source cannot express them. @default false */
  readonly directions?: boolean;
}

/** A safe document, as a tree. */
export interface CleanTree {
  readonly title: string;
  readonly lang: string | undefined;
  readonly dir: string | undefined;
  /** Author, description and other metadata, by the names of the HTML `meta` elements. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly style: string;
  readonly body: HtmlElement;
  readonly warnings: readonly Warning[];
}

/**
 * @returns the document with only the elements and attributes in the rules, nested at most {@link HTML_DEPTH_MAX}
 * elements deep
 */
export const cleanTree = (document: HtmlDocument, rules: TreeRules = {}): CleanTree => {
  const root = document.childNodes.find(isElement);
  const body = root?.childNodes.filter(isElement).find(({ tagName }) => tagName === "body");
  const state: State = { rules, pictureBytes: 0, leftOut: newLeftOut() };
  const target = newElement("body", body === undefined ? {} : plainAttributes(body, state));
  for (const node of root?.childNodes ?? []) {
    // Content after the end of the body belongs to the body. A frameset has nothing to keep.
    if (!isElement(node) || node.tagName !== "head") {
      cleanInto(node === body ? body.childNodes : [node], target, state);
    }
  }
  if (rules.directions === true) {
    addDirections(target);
  }
  const sheets = elementsBelow(document, "style").filter(isHtml).map(textBelow).join("\n");
  countStyles(document, sheets, state);
  countScripts(document, state.leftOut);
  return {
    title: titleOf(document),
    lang: root && shortAttribute(root, "lang"),
    dir: root && shortAttribute(root, "dir"),
    metadata: metadataOf(document),
    style: cleanSheet(sheets),
    body: target,
    warnings: state.leftOut.warnings(),
  };
};

interface State {
  readonly rules: TreeRules;
  pictureBytes: number;
  readonly leftOut: LeftOut;
}

interface Frame {
  readonly nodes: readonly HtmlNode[];
  readonly target: HtmlElement;
  readonly depth: number;
  next: number;
}

/** Copies the allowed content, without recursion: elements may be nested thousands of levels deep. */
const cleanInto = (nodes: readonly HtmlNode[], target: HtmlElement, state: State): void => {
  const stack: Frame[] = [{ nodes, target, depth: 1, next: 0 }];
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const node = frame.nodes[frame.next];
    frame.next += 1;
    if (node === undefined) {
      stack.pop();
    } else if (isText(node)) {
      appendText(frame.target, node.value);
    } else if (isElement(node)) {
      const copy = frame.depth < HTML_DEPTH_MAX ? copyOf(node, frame.target, state) : "content";
      if (copy !== "nothing") {
        const deeper =
          copy === "content" ? { ...frame, target: flowOf(frame) } : { target: copy, depth: frame.depth + 1 };
        stack.push({ nodes: node.childNodes, target: deeper.target, depth: deeper.depth, next: 0 });
      }
    }
  }
};

/** When elements are flattened, their text must not end up between table rows, where readers ignore it. */
const flowOf = ({ target, depth }: Frame): HtmlElement => {
  let place: HtmlParent | null = target;
  while (depth >= HTML_DEPTH_MAX && place !== null && isElement(place) && BETWEEN.has(place.tagName)) {
    place = place.parentNode;
  }
  return place !== null && isElement(place) ? place : target;
};

const BETWEEN = new Set(["table", "tbody", "thead", "tfoot", "tr", "colgroup", "ul", "ol", "dl"]);

/** @returns the copy that receives the element's content; or that only its content is kept, or nothing */
const copyOf = (node: HtmlElement, target: HtmlElement, state: State): HtmlElement | "content" | "nothing" => {
  const { tagName } = node;
  if (tagName === "svg" && !isHtml(node)) {
    appendDrawing(node, target, state);
    return "nothing";
  }
  if (DROPPED_ELEMENTS.has(tagName) || (!isHtml(node) && tagName.startsWith("annotation"))) {
    countMedia(node, state.leftOut);
    return "nothing";
  }
  if (tagName === "img" || tagName === "image") {
    appendPicture(node, target, state);
    return "nothing";
  }
  if (tagName === "input") {
    appendCheckbox(node, target);
    return "nothing";
  }
  const stays = isHtml(node)
    ? KEPT_ELEMENTS.has(tagName) && target.namespaceURI === node.namespaceURI
    : isFormula(node, target);
  if (!stays) {
    return "content";
  }
  const copy = { ...newElement(tagName, plainAttributes(node, state)), namespaceURI: node.namespaceURI };
  appendChild(target, copy);
  return copy;
};

/**
 * Formulas may contain only formula elements, so that no switch between namespaces hides anything from a second parser.
 */
const isFormula = (node: HtmlElement, target: HtmlElement): boolean =>
  FORMULA_ELEMENTS.has(node.tagName) && (node.tagName === "math") === isHtml(target);

const plainAttributes = (node: HtmlElement, state: State): Record<string, string> => {
  const own = ELEMENT_ATTRIBUTES[node.tagName];
  const kept = node.attrs.filter(
    ({ name, value, namespace }) =>
      namespace === undefined &&
      value.length <= ATTRIBUTE_CHARACTERS_MAX &&
      (KEPT_ATTRIBUTES.has(name) || own?.has(name)),
  );
  const style = attributeOf(node, "style") ?? "";
  if (reachesOut(style)) {
    state.leftOut.add("remote_content_dropped");
  }
  const [declarations, href] = [
    cleanDeclarations(style.slice(0, ATTRIBUTE_CHARACTERS_MAX)),
    node.tagName === "a" ? linkOf(attributeOf(node, "href") ?? "") : undefined,
  ];
  return {
    ...(href ? { href } : {}),
    ...Object.fromEntries(kept.map(({ name, value }) => [name, value])),
    ...(declarations === "" ? {} : { style: declarations }),
  };
};

const appendPicture = (node: HtmlElement, target: HtmlElement, state: State): void => {
  const named = attributeOf(node, "src") ?? "";
  const source = plainPicture(pictureSource(named) === "data" ? named : (state.rules.pictures?.(named) ?? named));
  const kind = pictureSource(source);
  const { references = "none" } = state.rules;
  const stays =
    kind === "data"
      ? state.pictureBytes + source.length <= HTML_PICTURES_BYTES_MAX
      : references === "all"
        ? kind !== "other"
        : references === "relative" && kind === "relative" && named !== "";
  if (!stays) {
    state.leftOut.add(kind === "remote" ? "remote_content_dropped" : "pictures_dropped");
    appendWords(attributeOf(node, "alt") ?? "", kind === "remote" ? linkOf(source) : undefined, target);
    return;
  }
  state.pictureBytes += source.length;
  appendChild(target, newElement("img", { src: source, ...plainAttributes(node, state) }));
};

/**
 * Cleans an SVG picture like an inline drawing. Invalid drawings are removed because they have no type that can be
 * shown.
 */
const plainPicture = (source: string): string => {
  if (!/^data:image\/svg/i.test(source)) {
    return source;
  }
  const [svg] = elementsBelow(parseHtml(bytesOfDataUri(source).toString("utf8")), "svg");
  return svg === undefined ? "data:" : drawingOf(svg);
};

/**
 * Replaces a picture with its alternative text, linked to the picture's URL unless the text is already in a link.
 */
const appendWords = (words: string, href: string | undefined, target: HtmlElement): void => {
  const linked = href !== undefined && words.trim() !== "" && !isInLink(target);
  const place = linked ? newElement("a", { href }) : target;
  appendText(place, words);
  if (place !== target) {
    appendChild(target, place);
  }
};

const isInLink = (target: HtmlElement): boolean => {
  for (let node: HtmlParent | null = target; node !== null && isElement(node); node = node.parentNode) {
    if (node.tagName === "a") {
      return true;
    }
  }
  return false;
};

/** Task lists have checkboxes; all other inputs are removed. */
const appendCheckbox = (node: HtmlElement, target: HtmlElement): void => {
  if (attributeOf(node, "type")?.toLowerCase() === "checkbox") {
    const checked = attributeOf(node, "checked") === undefined ? {} : { checked: "" };
    appendChild(target, newElement("input", { type: "checkbox", disabled: "", ...checked }));
  }
};

const appendDrawing = (node: HtmlElement, target: HtmlElement, state: State): void => {
  const source = pictureInside(node);
  const image = newElement("img", {
    src: source ?? drawingOf(node),
    alt: attributeOf(node, "aria-label") ?? elementsBelow(node, "title").map(textBelow)[0]?.trim() ?? "",
  });
  // Book covers are a picture in a page-sized drawing. The page's size does not apply to the picture.
  const side = (name: string) => /^\d{1,5}(?:px)?$/.exec(attributeOf(node, name) ?? "")?.[0].replace("px", "");
  const [width, height] = source === undefined ? [side("width"), side("height")] : [];
  image.attrs.push(...Object.entries({ width, height }).flatMap(([name, value]) => (value ? [{ name, value }] : [])));
  appendPicture(image, target, state);
};

const countStyles = (document: HtmlDocument, sheets: string, state: State): void => {
  if (reachesOut(sheets)) {
    state.leftOut.add("remote_content_dropped");
  }
  for (const link of elementsBelow(document, "link")) {
    countSheet(link, state.leftOut);
  }
};
