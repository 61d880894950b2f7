import { HTML_DEPTH_MAX, HTML_PICTURES_BYTES_MAX } from "../../domain/conversion-limits.ts";
import type { Warning } from "../../domain/jobs.ts";
import { addDirections } from "./html-direction.ts";
import { drawingOf, pictureInside } from "./html-drawing.ts";
import { metadataOf, shortAttribute, titleOf } from "./html-head.ts";
import {
  ATTRIBUTE_CHARACTERS_MAX,
  DROPPED_ELEMENTS,
  ELEMENT_ATTRIBUTES,
  FORMULA_ELEMENTS,
  KEPT_ATTRIBUTES,
  KEPT_ELEMENTS,
  linkOf,
  MEDIA_ELEMENTS,
  pictureSource,
} from "./html-rules.ts";
import { cleanDeclarations, cleanSheet, reachesOut } from "./html-style.ts";
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
} from "./html-tree.ts";
import { bytesOfDataUri } from "./picture-header.ts";

export interface TreeRules {
  /** @returns a picture as a `data:` URI for what an `img` refers to (`cid:…`, a path); undefined when there is none */
  readonly pictures?: ((source: string) => string | undefined) | undefined;
  /**
   * Pictures that stay as references where nothing resolves them: none, those beside the document, or all. Only a
   * target that shows them to nobody unasked may have all.
   * @default "none"
   */
  readonly references?: "none" | "relative" | "all";
  /** Whether blocks say that they are written from right to left, where the source has no word for it. @default false */
  readonly directions?: boolean;
}

/** A document that is safe, as a tree. */
export interface CleanTree {
  readonly title: string;
  readonly lang: string | undefined;
  readonly dir: string | undefined;
  /** Author, description and the like, by the names of HTML's `meta`. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly style: string;
  readonly body: HtmlElement;
  readonly warnings: readonly Warning[];
}

/** @returns the document with only what is in the rules; it is nested {@link HTML_DEPTH_MAX} elements deep at most */
export const cleanTree = (document: HtmlDocument, rules: TreeRules = {}): CleanTree => {
  const root = document.childNodes.find(isElement);
  const body = root?.childNodes.filter(isElement).find(({ tagName }) => tagName === "body");
  const state: State = { rules, pictureBytes: 0, counts: new Map() };
  const target = newElement("body", body === undefined ? {} : plainAttributes(body, state));
  for (const node of root?.childNodes ?? []) {
    // What stands behind the body's end belongs to it; a frameset has nothing that stays.
    if (!isElement(node) || node.tagName !== "head") {
      cleanInto(node === body ? body.childNodes : [node], target, state);
    }
  }
  if (rules.directions === true) {
    addDirections(target);
  }
  const sheets = elementsBelow(document, "style").filter(isHtml).map(textBelow).join("\n");
  countStyles(document, sheets, state);
  return {
    title: titleOf(document),
    lang: root && shortAttribute(root, "lang"),
    dir: root && shortAttribute(root, "dir"),
    metadata: metadataOf(document),
    style: cleanSheet(sheets),
    body: target,
    warnings: warningsOf(state.counts),
  };
};

interface State {
  readonly rules: TreeRules;
  pictureBytes: number;
  /** How often something was left out, by the code of its warning. */
  readonly counts: Map<WarningCode, number>;
}

const count = ({ counts }: State, code: WarningCode): void => {
  counts.set(code, (counts.get(code) ?? 0) + 1);
};

interface Frame {
  readonly nodes: readonly HtmlNode[];
  readonly target: HtmlElement;
  readonly depth: number;
  next: number;
}

/** Copies what stays, without recursion: elements may be nested thousands deep. */
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

/** Where elements are laid flat, their words must not stand between the rows of a table, where no reader looks for them. */
const flowOf = ({ target, depth }: Frame): HtmlElement => {
  let place: HtmlParent | null = target;
  while (depth >= HTML_DEPTH_MAX && place !== null && isElement(place) && BETWEEN.has(place.tagName)) {
    place = place.parentNode;
  }
  return place !== null && isElement(place) ? place : target;
};

const BETWEEN = new Set(["table", "tbody", "thead", "tfoot", "tr", "colgroup", "ul", "ol", "dl"]);

/** @returns the copy that takes the element's content; or that only its content stays, or nothing of it */
const copyOf = (node: HtmlElement, target: HtmlElement, state: State): HtmlElement | "content" | "nothing" => {
  const { tagName } = node;
  if (tagName === "svg" && !isHtml(node)) {
    appendDrawing(node, target, state);
    return "nothing";
  }
  if (DROPPED_ELEMENTS.has(tagName) || (!isHtml(node) && tagName.startsWith("annotation"))) {
    if (MEDIA_ELEMENTS.has(tagName)) {
      count(state, "media_dropped");
    }
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

/** Formulas hold formulas only, so that no change between the kinds of markup hides anything from a second parser. */
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
    count(state, "remote_content_dropped");
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
    count(state, kind === "remote" ? "remote_content_dropped" : "pictures_dropped");
    appendWords(attributeOf(node, "alt") ?? "", kind === "remote" ? linkOf(source) : undefined, target);
    return;
  }
  state.pictureBytes += source.length;
  appendChild(target, newElement("img", { src: source, ...plainAttributes(node, state) }));
};

/** A drawing is made plain like one that stands in the document; what is none goes, as it has no kind that is shown. */
const plainPicture = (source: string): string => {
  if (!/^data:image\/svg/i.test(source)) {
    return source;
  }
  const [svg] = elementsBelow(parseHtml(bytesOfDataUri(source).toString("utf8")), "svg");
  return svg === undefined ? "data:" : drawingOf(svg);
};

/** Puts the words for a picture in its place, with a link to where it lies, unless they stand in a link already. */
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

/** Lists of tasks have boxes that are ticked or not; all other input goes. */
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
  // Covers of books are a picture in a drawing as large as the page; the page's size is no word about the picture's.
  const side = (name: string) => /^\d{1,5}(?:px)?$/.exec(attributeOf(node, name) ?? "")?.[0].replace("px", "");
  const [width, height] = source === undefined ? [side("width"), side("height")] : [];
  image.attrs.push(...Object.entries({ width, height }).flatMap(([name, value]) => (value ? [{ name, value }] : [])));
  appendPicture(image, target, state);
};

const countStyles = (document: HtmlDocument, sheets: string, state: State): void => {
  if (reachesOut(sheets)) {
    count(state, "remote_content_dropped");
  }
  for (const link of elementsBelow(document, "link")) {
    if (/\bstylesheet\b/i.test(attributeOf(link, "rel") ?? "")) {
      const remote = pictureSource(attributeOf(link, "href") ?? "") === "remote";
      count(state, remote ? "remote_content_dropped" : "styles_dropped");
    }
  }
};

/** What was left out, by the code of the warning; the number stands before it. */
const LEFT_OUT = {
  remote_content_dropped: "Pictures or styles on the network were left out, because nothing is fetched",
  pictures_dropped: "Pictures were left out that are not in the file, of an unknown kind, or too large in all",
  media_dropped: "Frames, objects, films or sounds were left out",
  styles_dropped: "Style sheets beside the document were left out",
} as const;

type WarningCode = keyof typeof LEFT_OUT;

/** @returns the warning that so many things were left out */
export const leftOut = (code: WarningCode, number: number): Warning => ({
  code,
  detail: `${LEFT_OUT[code]}: ${number}.`,
});

const warningsOf = (counts: State["counts"]): Warning[] => [...counts].map(([code, number]) => leftOut(code, number));
