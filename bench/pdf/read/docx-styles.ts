import type { Look, StyledWord } from "../result.ts";
import { childOf, childrenOf, type Node, xmlOf } from "./xml.ts";

export interface Styles {
  runOf(paragraph: Node, run: Node): Look;
  alignOf(paragraph: Node): StyledWord["align"];
}

const SIZE_DEFAULT = 10;
const STYLES_DEEP_MAX = 10;

/** Resolves properties: of the run, its style, the paragraph's style and the styles that these are based on. */
export const stylesOf = (source: string | undefined): Styles => {
  const root = childOf(xmlOf(source ?? "<styles/>"), "styles");
  const byId = new Map(childrenOf(root, "style").map((style) => [style.attributes.styleId ?? "", style]));
  const base = childrenOf(root, "style").find(
    ({ attributes }) => attributes.type === "paragraph" && ["1", "true"].includes(attributes.default ?? ""),
  );
  const chainOf = (id: string | undefined): Node[] => {
    const chain: Node[] = [];
    for (let style = byId.get(id ?? ""); style !== undefined && chain.length < STYLES_DEEP_MAX; ) {
      chain.push(style);
      style = byId.get(childOf(style, "basedOn")?.attributes.val ?? "");
    }
    return chain;
  };
  const paragraphChain = (paragraph: Node): Node[] => {
    const id = childOf(paragraph, "pPr", "pStyle")?.attributes.val;
    return id === undefined && base !== undefined ? [base] : chainOf(id);
  };
  const defaults = childOf(root, "docDefaults");
  return {
    runOf: (paragraph, run) => {
      const own = childOf(run, "rPr");
      const styles = [...chainOf(childOf(own, "rStyle")?.attributes.val), ...paragraphChain(paragraph)];
      const sources = [own, ...styles.map((style) => childOf(style, "rPr")), childOf(defaults, "rPrDefault", "rPr")];
      const first = (name: string) =>
        sources.map((properties) => childOf(properties, name)).find((node) => node !== undefined);
      const complex = isOn(first("rtl")) || isOn(first("cs"));
      const size = Number((complex ? (first("szCs") ?? first("sz")) : first("sz"))?.attributes.val ?? SIZE_DEFAULT * 2);
      return {
        bold: isOn(complex ? (first("bCs") ?? first("b")) : first("b")),
        italic: isOn(complex ? (first("iCs") ?? first("i")) : first("i")),
        color: colorOf(first("color")),
        size: size / 2,
      };
    },
    alignOf: (paragraph) => {
      const sources = [
        childOf(paragraph, "pPr"),
        ...paragraphChain(paragraph).map((style) => childOf(style, "pPr")),
        childOf(defaults, "pPrDefault", "pPr"),
      ];
      const value = sources
        .map((properties) => childOf(properties, "jc")?.attributes.val)
        .find((jc) => jc !== undefined);
      return ALIGNMENTS[value ?? "start"] ?? "start";
    },
  };
};

const isOn = (node: Node | undefined): boolean =>
  node !== undefined && !["0", "false", "off"].includes(node.attributes.val ?? "1");

const colorOf = (node: Node | undefined): string => {
  const value = (node?.attributes.val ?? "auto").toLowerCase();
  return value === "auto" ? "000000" : value;
};

/** In a paragraph that reads from right to left, `left` is the start as well. */
const ALIGNMENTS: Readonly<Record<string, StyledWord["align"]>> = {
  left: "start",
  start: "start",
  center: "center",
  right: "end",
  end: "end",
  both: "justify",
  distribute: "justify",
};
