import { attributeOf, type HtmlElement } from "../io/html-tree.ts";
import { type Format, fragmentOf, type State } from "./state.ts";

const UNDERLINE = { underline: {} };

/** How elements make words look. */
const LOOKS: Readonly<Record<string, Format>> = {
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

/** @returns how words within the element look: by its name, its style, and where it leads */
export const formatOf = (element: HtmlElement, outer: Format, state: State): Format => {
  const style = attributeOf(element, "style") ?? "";
  return { ...outer, ...LOOKS[element.tagName], ...(style === "" ? {} : styled(style)), ...linkOf(element, state) };
};

const styled = (style: string): Format => {
  const value = (name: string): string =>
    new RegExp(`(?:^|;)\\s*${name}:\\s*([^;]+)`, "i").exec(style)?.[1]?.trim() ?? "";
  const decoration = value("text-decoration");
  const color = colourOf(value("color"));
  return {
    ...(/^(?:bold|[6-9]00)/.test(value("font-weight")) && { bold: true }),
    ...(/^(?:normal|[1-5]00)/.test(value("font-weight")) && { bold: false }),
    ...(/^(?:italic|oblique)/.test(value("font-style")) && { italics: true }),
    ...(decoration.includes("underline") && UNDERLINE),
    ...(decoration.includes("line-through") && { strike: true }),
    ...(color !== undefined && { color }),
  };
};

/** @returns the colour as six hexadecimal digits; names of colours are left to the reader's defaults */
const colourOf = (value: string): string | undefined => {
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
  // An address must be one to Word: it calls a document damaged that has another thing there.
  const link =
    bookmark === undefined
      ? /^[a-z]/i.test(href)
        ? href.replace(/\s/g, encodeURIComponent)
        : undefined
      : `#${bookmark}`;
  return link === undefined ? {} : { link, style: "Hyperlink" };
};
