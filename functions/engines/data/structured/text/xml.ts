import { TREE_DEPTH_MAX } from "../../../../domain/conversions/conversion-limits.ts";
import { readXml, type XmlElement } from "../../text/xml.ts";
import type { Codec } from "../codec.ts";
import type { Notes } from "../notes.ts";
import type { Tree } from "../tree.ts";
import { writeXml } from "./xml-writer.ts";

/**
 * XML as a tree: an element is an object with attributes as `@name` and text as `#text`. Elements with the same name
 * form a list, and an element with only text is that text. All values are text, as XML has no types; `xsi:nil` is null.
 */
export const xmlCodec: Codec = {
  read: async ({ text, budget, notes }) => {
    const { root, comments } = readXml(await text(), { depthMax: TREE_DEPTH_MAX, spend: budget.spend });
    if (comments > 0) {
      notes.add("comments_dropped", comments);
    }
    return new Map([[root.name, treeOf(root, notes)]]);
  },
  write: writeXml,
};

const treeOf = (element: XmlElement, notes: Notes): Tree => {
  const elements = element.children.filter((child) => typeof child !== "string");
  const texts = element.children.filter((child) => typeof child === "string");
  const kept = elements.length === 0 ? texts : texts.filter((text) => text.trim() !== "");
  const text = kept.join("");
  if (elements.length === 0 && element.attributes.size === 0) {
    return text;
  }
  if (isNil(element)) {
    return null;
  }
  const map = new Map<string, Tree>([...element.attributes].map(([name, value]) => [`@${name}`, value]));
  addElements(map, elements, notes);
  if (kept.length > 0) {
    map.set("#text", text);
  }
  if (kept.length > 0 && elements.length > 0) {
    notes.add("mixed_content_flattened");
  }
  return map;
};

const isNil = ({ attributes, children }: XmlElement): boolean =>
  attributes.size === 1 && children.length === 0 && /^(?:1|true)$/.test(attributes.get("xsi:nil") ?? "");

const addElements = (map: Map<string, Tree>, elements: readonly XmlElement[], notes: Notes): void => {
  const lists = new Map<string, Tree[]>();
  let apart = 0;
  for (const [index, element] of elements.entries()) {
    const tree = treeOf(element, notes);
    const list = lists.get(element.name);
    apart += list !== undefined && elements[index - 1]?.name !== element.name ? 1 : 0;
    lists.set(element.name, list ?? []);
    lists.get(element.name)?.push(tree);
  }
  for (const [name, list] of lists) {
    map.set(name, list.length === 1 ? (list[0] ?? null) : list);
  }
  if (apart > 0) {
    notes.add("order_changed", apart);
  }
};
