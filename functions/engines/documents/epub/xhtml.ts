import {
  escapeText,
  type HtmlElement,
  type HtmlNode,
  isElement,
  isHtml,
  isText,
  withoutControls,
} from "../html/tree.ts";

/** Elements that are obsolete in HTML and their replacements; EPUB 3 allows no others. */
const TODAY: Readonly<Record<string, string>> = {
  acronym: "abbr",
  big: "span",
  center: "div",
  dir: "ul",
  font: "span",
  menu: "ul",
  rb: "span",
  rtc: "span",
  strike: "s",
  tt: "code",
};

/** Attributes that are obsolete in HTML and their CSS equivalents; those without one are removed. */
const STYLES: Readonly<Record<string, ((value: string) => string) | undefined>> = {
  align: (value) => (/^(?:left|right|center|justify)$/i.test(value) ? `text-align: ${value.toLowerCase()}` : ""),
  bgcolor: (value) => (/^#[0-9a-f]{6}$|^[a-z]{1,20}$/i.test(value) ? `background-color: ${value}` : ""),
  color: (value) => (/^#[0-9a-f]{6}$|^[a-z]{1,20}$/i.test(value) ? `color: ${value}` : ""),
  valign: (value) => (/^(?:top|middle|bottom|baseline)$/i.test(value) ? `vertical-align: ${value.toLowerCase()}` : ""),
};
const GONE = new Set(["border", "cellpadding", "cellspacing", "face", "size", "name", ...Object.keys(STYLES)]);

const VOID = /^(?:br|col|hr|img|input|wbr)$/;

/** @returns nodes of a clean tree as XML; the tree is at most {@link HTML_DEPTH_MAX} elements deep */
export const xhtmlOf = (nodes: readonly HtmlNode[]): string =>
  nodes
    .map((node) => {
      if (isText(node)) {
        return escapeText(withoutControls(node.value));
      }
      return isElement(node) ? elementText(node) : "";
    })
    .join("");

const elementText = (element: HtmlElement): string => {
  if (element.tagName === "img" && !element.attrs.some(({ name }) => name === "src")) {
    return escapeText(element.attrs.find(({ name }) => name === "alt")?.value ?? "");
  }
  const name = TODAY[element.tagName] ?? element.tagName;
  const space = element.tagName === "math" && !isHtml(element) ? ' xmlns="http://www.w3.org/1998/Math/MathML"' : "";
  const open = `<${name}${space}${attributesOf(element)}`;
  return VOID.test(name) ? `${open}/>` : `${open}>${xhtmlOf(element.childNodes)}</${name}>`;
};

const attributesOf = (element: HtmlElement): string => {
  const styles = element.attrs.map(({ name, value }) => (name === "style" ? value : (STYLES[name]?.(value) ?? "")));
  const style = styles.filter((each) => each !== "").join("; ");
  const kept = element.attrs.filter(
    ({ name, value }) => !isGone(element.tagName, name) && !(name === "lang" && value === ""),
  );
  return [
    ...kept.map(({ name, value }) => [name, name === "checked" || name === "disabled" ? name : value]),
    ...kept.filter(({ name }) => name === "lang").map(({ value }) => ["xml:lang", value]),
    ...(element.tagName === "img" && !kept.some(({ name }) => name === "alt") ? [["alt", ""]] : []),
    ...(style === "" ? [] : [["style", style]]),
  ]
    .map(([name = "", value = ""]) => ` ${name}="${escapeText(withoutControls(value))}"`)
    .join("");
};

/** Widths are kept only on pictures. Numbering types are kept; bullet types are not. */
const isGone = (tagName: string, name: string): boolean =>
  name === "style" ||
  GONE.has(name) ||
  (/^(?:width|height)$/.test(name) && tagName !== "img") ||
  (name === "type" && tagName === "ul") ||
  (name === "scope" && tagName === "td");
