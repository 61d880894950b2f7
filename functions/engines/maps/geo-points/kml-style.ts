import { childrenOf, type Element, textIn } from "./xml.ts";

/** Reads KML styles as properties of the simplestyle specification 1.1, which map viewers draw. */
export interface Styles {
  /** @returns the style of a placemark: a shared style and the style in the placemark, which takes precedence */
  readonly of: (placemark: Element) => Readonly<Record<string, string | number>>;
  /** Counts icons, labels and balloons, which GeoJSON has no properties for. */
  readonly dropped: number;
}

/** Shared styles of a document; folders cannot have any (OGC 12-007r2, 9.2). */
export const stylesIn = (root: Element): Styles => {
  const shared = new Map<string, Element>();
  collect(root, shared);
  return {
    of: (placemark) => {
      const [own] = [...childrenOf(placemark, "Style"), ...childrenOf(placemark, "StyleMap")];
      const named = shared.get(textIn(placemark, "styleUrl")?.replace(/^#/, "") ?? "");
      return { ...propertiesOf(normal(named, shared)), ...propertiesOf(normal(own, shared)) };
    },
    dropped: [...shared.values()].filter((style) => style.children.some(({ name }) => OTHERS.has(name))).length,
  };
};

const OTHERS = new Set(["IconStyle", "LabelStyle", "BalloonStyle", "ListStyle"]);
const DEPTH_MAX = 20;

const collect = (element: Element, shared: Map<string, Element>, depth = 0): void => {
  for (const child of depth > DEPTH_MAX ? [] : element.children) {
    const { id } = child.attributes;
    if ((child.name === "Style" || child.name === "StyleMap") && id !== undefined) {
      shared.set(id, child);
    } else if (child.name === "Document") {
      collect(child, shared, depth + 1);
    }
  }
};

/** A style map has a normal style and a highlighted one. */
const normal = (style: Element | undefined, shared: ReadonlyMap<string, Element>): Element | undefined => {
  if (style?.name !== "StyleMap") {
    return style;
  }
  const pair = childrenOf(style, "Pair").find((each) => textIn(each, "key") === "normal");
  const own = pair && childrenOf(pair, "Style")[0];
  const named = pair && shared.get(textIn(pair, "styleUrl")?.replace(/^#/, "") ?? "");
  return own ?? (named?.name === "Style" ? named : undefined);
};

const propertiesOf = (style: Element | undefined): Record<string, string | number> => {
  const [line] = style === undefined ? [] : childrenOf(style, "LineStyle");
  const [area] = style === undefined ? [] : childrenOf(style, "PolyStyle");
  const width = Number(line === undefined ? Number.NaN : textIn(line, "width"));
  const isFilled = area !== undefined && textIn(area, "fill") !== "0";
  const hidden = { "fill-opacity": 0 };
  return {
    ...(line && colorOf(line, "stroke")),
    ...(Number.isFinite(width) && { "stroke-width": width }),
    ...(isFilled ? colorOf(area, "fill") : area && hidden),
  };
};

/** Colors are `aabbggrr` in hexadecimal digits. */
const COLOR = /^#?([\da-f]{2})([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i;

const colorOf = (style: Element, name: "stroke" | "fill"): Record<string, string | number> => {
  const [, alpha = "", blue, green, red] = COLOR.exec(textIn(style, "color") ?? "") ?? [];
  const opacity = Math.round((Number.parseInt(alpha, 16) / 255) * 100) / 100;
  return red === undefined ? {} : { [name]: `#${red}${green}${blue}`.toLowerCase(), [`${name}-opacity`]: opacity };
};
