import { attributeOf, type HtmlElement } from "../html/tree.ts";
import { type Format, fragmentOf, type State } from "./state.ts";

const UNDERLINE = { underline: {} };

/** Text formatting by element. */
const FORMATS: Readonly<Record<string, Format>> = {
  b: { bold: true },
  strong: { bold: true },
  th: { bold: true },
  i: { italics: true },
  em: { italics: true },
  cite: { italics: true },
  dfn: { italics: true },
  var: { italics: true },
  address: { italics: true },
  u: UNDERLINE,
  ins: UNDERLINE,
  s: { strike: true },
  del: { strike: true },
  strike: { strike: true },
  sub: { subScript: true },
  sup: { superScript: true },
  mark: { highlight: "yellow" },
  code: { style: "VerbatimChar" },
  kbd: { style: "VerbatimChar" },
  samp: { style: "VerbatimChar" },
  tt: { style: "VerbatimChar" },
};

/** @returns the formatting of text in the element, from its name, style and link target */
export const formatOf = (element: HtmlElement, outer: Format, state: State): Format => {
  const style = attributeOf(element, "style") ?? "";
  return { ...outer, ...FORMATS[element.tagName], ...(style === "" ? {} : styled(style)), ...linkOf(element, state) };
};

const styled = (style: string): Format => {
  const value = (name: string): string =>
    new RegExp(`(?:^|;)\\s*${name}:\\s*([^;]+)`, "i").exec(style)?.[1]?.trim() ?? "";
  const decoration = value("text-decoration");
  const color = colorOf(value("color"));
  return {
    ...(/^(?:bold|[6-9]00)/.test(value("font-weight")) && { bold: true }),
    ...(/^(?:normal|[1-5]00)/.test(value("font-weight")) && { bold: false }),
    ...(/^(?:italic|oblique)/.test(value("font-style")) && { italics: true }),
    ...(decoration.includes("underline") && UNDERLINE),
    ...(decoration.includes("line-through") && { strike: true }),
    ...(color !== undefined && { color }),
  };
};

/** @returns the color as six hexadecimal digits; named colors are left to the reader's defaults */
const colorOf = (value: string): string | undefined => {
  const [, hex = ""] = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(value) ?? [];
  if (hex !== "") {
    return hex.length === 6 ? hex : hex.replace(/./g, "$&$&");
  }
  const [, ...parts] = /^rgb\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*\)$/.exec(value) ?? [];
  return parts.length === 3
    ? parts.map((part) => Math.min(255, Number(part)).toString(16).padStart(2, "0")).join("")
    : undefined;
};

const linkOf = (element: HtmlElement, { bookmarks }: State): Format => {
  const href = element.tagName === "a" ? attributeOf(element, "href") : undefined;
  if (href === undefined) {
    return {};
  }
  const bookmark = href.startsWith("#") ? bookmarks.get(fragmentOf(href)) : undefined;
  // Link targets must be valid URLs: otherwise Word reports the document as damaged.
  const link =
    bookmark === undefined
      ? /^[a-z]/i.test(href)
        ? href.replace(/\s/g, encodeURIComponent)
        : undefined
      : `#${bookmark}`;
  return link === undefined ? {} : { link, style: "Hyperlink" };
};
