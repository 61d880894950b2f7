import type { XmlElement } from "../io/xml.ts";
import { colourOf } from "./colours.ts";
import type { Style } from "./cue.ts";

/** The style of an element and of what is in it, and where it is shown. */
export interface Look extends Style {
  readonly place?: number;
  readonly column?: number;
  readonly row?: number;
}

/** The styles and regions of the head, by their names. */
export type Looks = ReadonlyMap<string, XmlElement>;

/** @returns all elements of the document's head that have a name */
export const looksOf = (root: XmlElement): Looks => {
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

/** Styles that refer to styles, one level each. */
const REFERENCES_MAX = 5;

/** @returns how the element looks, by its region, its styles and its own attributes, on top of what its parent has */
export const lookOf = (element: XmlElement, outer: Look, looks: Looks, level = 0): Look => {
  const { attributes } = element;
  const references = ["region", "style"].flatMap((name) => (attributes.get(name) ?? "").split(/\s+/).filter(Boolean));
  let look = outer;
  for (const reference of level < REFERENCES_MAX ? references : []) {
    const named = looks.get(reference);
    look = named === undefined ? look : lookOf(named, look, looks, level + 1);
  }
  // A region may hold its styles as elements.
  for (const child of /(?:^|:)region$/.test(element.name) ? element.children : []) {
    look = typeof child === "string" ? look : lookOf(child, look, looks, level + 1);
  }
  return placed({ ...look, ...own(attributes) });
};

const placed = (look: Look): Look =>
  look.column === undefined && look.row === undefined
    ? look
    : { ...look, place: 3 * (look.row ?? 0) + (look.column ?? 1) + 1 };

const COLUMNS: Readonly<Record<string, number>> = { left: 0, start: 0, center: 1, right: 2, end: 2 };
const ROWS: Readonly<Record<string, number>> = { before: 2, center: 1, after: 0 };

const own = (attributes: ReadonlyMap<string, string>): Look => {
  let look: Look = {};
  for (const [key, value] of attributes) {
    look = { ...look, ...ATTRIBUTES.get(key.slice(key.indexOf(":") + 1))?.(value) };
  }
  return look;
};

const ATTRIBUTES: ReadonlyMap<string, (value: string) => Look> = new Map<string, (value: string) => Look>([
  ["fontWeight", (value) => ({ bold: value === "bold" })],
  ["fontStyle", (value) => ({ italic: value === "italic" || value === "oblique" })],
  ["textDecoration", (value) => ({ underline: /\bunderline\b/.test(value) && !/noUnderline/.test(value) })],
  [
    "color",
    (value) => {
      const colour = colourOf(value);
      // White is what text has anyway.
      return colour === undefined || colour === "#ffffff" ? {} : { colour };
    },
  ],
  ["textAlign", (value) => (Object.hasOwn(COLUMNS, value) ? { column: COLUMNS[value] ?? 1 } : {})],
  ["displayAlign", (value) => (Object.hasOwn(ROWS, value) ? { row: ROWS[value] ?? 0 } : {})],
]);
