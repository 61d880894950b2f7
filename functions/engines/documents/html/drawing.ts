import { pictureSource } from "./rules.ts";
import { cleanDeclarations } from "./style.ts";
import {
  attributeOf,
  elementsBelow,
  escapeText,
  type HtmlElement,
  type HtmlNode,
  isElement,
  isHtml,
  isText,
  withoutControls,
} from "./tree.ts";

/** Inline SVG drawings in HTML. They become pictures, in which browsers run and load nothing. */

/** Shapes and their paint; no animations, links, scripts or embedded HTML. */
const KEPT = new Set(
  (
    "svg g defs symbol use path rect circle ellipse line polyline polygon text tspan textPath title desc switch marker " +
    "linearGradient radialGradient stop pattern clipPath mask image"
  ).split(" "),
);

/** @returns the reference of a drawing whose only content is one picture, as in book covers */
export const pictureInside = (svg: HtmlElement): string | undefined => {
  const shown = elementsBelow(svg, ...[...KEPT].filter((name) => !/^(?:g|defs|title|desc|switch|svg)$/.test(name)));
  const [only] = shown;
  return shown.length === 1 && only?.tagName === "image" ? referenceOf(only) : undefined;
};

const referenceOf = (node: HtmlElement): string | undefined => {
  // The parser returns `xlink:href` as `href` with a prefix; in a malformed document it may still be one name.
  return attributeOf(node, "href") ?? attributeOf(node, "xlink:href");
};

const DEPTH_MAX = 100;

/** @returns the drawing as a `data:` URI, with only plain shapes, text and colors */
export const drawingOf = (svg: HtmlElement): string => {
  const parts: string[] = [];
  const stack: (string | { readonly node: HtmlNode; readonly depth: number })[] = [{ node: svg, depth: 1 }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    if (typeof item === "string") {
      parts.push(item);
    } else if (isText(item.node)) {
      parts.push(escapeText(withoutControls(item.node.value)));
    } else if (isElement(item.node) && KEPT.has(item.node.tagName) && !isHtml(item.node) && item.depth <= DEPTH_MAX) {
      const { node, depth } = item;
      parts.push(`<${node.tagName}${node === svg ? ' xmlns="http://www.w3.org/2000/svg"' : ""}${attributesOf(node)}>`);
      stack.push(`</${node.tagName}>`);
      for (const child of node.childNodes.toReversed()) {
        stack.push({ node: child, depth: depth + 1 });
      }
    }
  }
  return `data:image/svg+xml;base64,${Buffer.from(parts.join("")).toString("base64")}`;
};

const ATTRIBUTE_NAME = /^(?!on|xmlns|href$|style$)[a-z][\w-]{0,60}$/i;

const attributesOf = (node: HtmlElement): string => {
  const reference = referenceOf(node) ?? "";
  const style = cleanDeclarations(attributeOf(node, "style") ?? "");
  const kept = node.attrs.filter(
    ({ name, value, prefix }) => !prefix && ATTRIBUTE_NAME.test(name) && !/url\((?!#)|javascript:|\\/i.test(value),
  );
  const all = [
    ...kept.map(({ name, value }) => [name, withoutControls(value)]),
    ...(isInside(node, reference) ? [["href", reference]] : []),
    ...(style === "" ? [] : [["style", style]]),
  ];
  return all.map(([name = "", value = ""]) => ` ${name}="${escapeText(value)}"`).join("");
};

const isInside = (node: HtmlElement, reference: string): boolean =>
  reference.startsWith("#") || (node.tagName === "image" && pictureSource(reference) === "data");
