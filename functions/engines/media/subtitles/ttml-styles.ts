import type { XmlElement } from "../../data/text/xml.ts";
import { colorOf } from "./colors.ts";
import type { Style } from "./cue.ts";

/** The style of an element and its content, and its position. */
export interface ElementStyle extends Style {
  readonly place?: number;
  readonly column?: number;
  readonly row?: number;
}

/** The styles and regions of the head, by ID. */
export type NamedStyles = ReadonlyMap<string, XmlElement>;

/** @returns all elements of the document's head that have an ID */
export const namedStylesOf = (root: XmlElement): NamedStyles => {
  const named = new Map<string, XmlElement>();
  const gather = (element: XmlElement): void => {
    const id = element.attributes.get("xml:id") ?? element.attributes.get("id");
    if (id !== undefined) {
      named.set(id, element);
    }
    for (const child of element.children) {
      if (typeof child !== "string") {
        gather(child);
      }
    }
  };
  for (const child of root.children) {
    if (typeof child !== "string" && /(?:^|:)head$/.test(child.name)) {
      gather(child);
    }
  }
  return named;
};

/** Maximum levels of styles that refer to styles. */
const REFERENCES_MAX = 5;

/** @returns the style of an element from its region, its styles and its attributes, applied to its parent's style */
export const elementStyleOf = (
  element: XmlElement,
  outer: ElementStyle,
  namedStyles: NamedStyles,
  level = 0,
): ElementStyle => {
  const { attributes } = element;
  const references = ["region", "style"].flatMap((name) => (attributes.get(name) ?? "").split(/\s+/).filter(Boolean));
  let style = outer;
  for (const reference of level < REFERENCES_MAX ? references : []) {
    const named = namedStyles.get(reference);
    style = named === undefined ? style : elementStyleOf(named, style, namedStyles, level + 1);
  }
  // A region may contain its styles as elements.
  for (const child of /(?:^|:)region$/.test(element.name) ? element.children : []) {
    style = typeof child === "string" ? style : elementStyleOf(child, style, namedStyles, level + 1);
  }
  return placed({ ...style, ...own(attributes) });
};

const placed = (style: ElementStyle): ElementStyle =>
  style.column === undefined && style.row === undefined
    ? style
    : { ...style, place: 3 * (style.row ?? 0) + (style.column ?? 1) + 1 };

const COLUMNS: Readonly<Record<string, number>> = { left: 0, start: 0, center: 1, right: 2, end: 2 };
const ROWS: Readonly<Record<string, number>> = { before: 2, center: 1, after: 0 };

const own = (attributes: ReadonlyMap<string, string>): ElementStyle => {
  let style: ElementStyle = {};
  for (const [key, value] of attributes) {
    style = { ...style, ...ATTRIBUTES.get(key.slice(key.indexOf(":") + 1))?.(value) };
  }
  return style;
};

const ATTRIBUTES: ReadonlyMap<string, (value: string) => ElementStyle> = new Map<
  string,
  (value: string) => ElementStyle
>([
  ["fontWeight", (value) => ({ bold: value === "bold" })],
  ["fontStyle", (value) => ({ italic: value === "italic" || value === "oblique" })],
  ["textDecoration", (value) => ({ underline: /\bunderline\b/.test(value) && !/noUnderline/.test(value) })],
  [
    "color",
    (value) => {
      const color = colorOf(value);
      // White is the default text color.
      return color === undefined || color === "#ffffff" ? {} : { color };
    },
  ],
  ["textAlign", (value) => (Object.hasOwn(COLUMNS, value) ? { column: COLUMNS[value] ?? 1 } : {})],
  ["displayAlign", (value) => (Object.hasOwn(ROWS, value) ? { row: ROWS[value] ?? 0 } : {})],
]);
