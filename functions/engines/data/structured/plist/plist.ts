import { TREE_DEPTH_MAX } from "../../../../domain/conversions/conversion-limits.ts";
import { readXml, type XmlElement } from "../../text/xml.ts";
import { type Codec, corrupt, type Source } from "../codec.ts";
import { momentOf } from "../moments.ts";
import { integerOf, numberOf } from "../numbers.ts";
import { newMap, type Tree } from "../tree.ts";
import { isBinaryPlist, readBinaryPlist } from "./binary.ts";
import { writePlist } from "./writer.ts";

/** Apple property lists: reads XML and binary, writes XML. */
export const plistCodec: Codec = {
  read: async (source) => {
    const bytes = await source.bytes();
    if (isBinaryPlist(bytes)) {
      return readBinaryPlist(bytes, source);
    }
    const { root, comments } = readXml(await source.text(), { depthMax: TREE_DEPTH_MAX, spend: source.budget.spend });
    const [content, ...more] = elementsOf(root);
    if (root.name !== "plist" || content === undefined || more.length > 0) {
      throw corrupt("Not a property list: the plist element must hold one value.");
    }
    if (comments > 0) {
      source.notes.add("comments_dropped", comments);
    }
    return contentOf(content, source);
  },
  write: writePlist,
};

const elementsOf = ({ children }: XmlElement): XmlElement[] => children.filter((child) => typeof child !== "string");

const textOf = ({ children }: XmlElement): string => children.filter((child) => typeof child === "string").join("");

const contentOf = (element: XmlElement, source: Source): Tree => {
  const value = Object.hasOwn(VALUES, element.name) ? VALUES[element.name]?.(element, source) : undefined;
  if (value === undefined) {
    throw corrupt(`The property list has a ${element.name} that is invalid: ${textOf(element).slice(0, 50)}`);
  }
  return value;
};

const VALUES: Readonly<Record<string, (element: XmlElement, source: Source) => Tree | undefined>> = {
  true: () => true,
  false: () => false,
  string: textOf,
  integer: (element) => {
    const text = textOf(element).trim();
    return /^[+-]?(?:0x[\da-f]+|\d+)$/i.test(text) ? integer(text) : undefined;
  },
  real: (element) => real(textOf(element).trim()),
  date: (element) => momentOf(textOf(element).trim()),
  data: (element) => {
    const text = textOf(element).replace(/\s/g, "");
    return /^[A-Za-z\d+/]*={0,2}$/.test(text) ? Buffer.from(text, "base64") : undefined;
  },
  array: (element, source) => elementsOf(element).map((child) => contentOf(child, source)),
  dict: (element, source) => dictionary(element, source),
};

const integer = (text: string): Tree => {
  const digits = BigInt(text.replace(/^[+-]/, ""));
  return integerOf(text.startsWith("-") ? -digits : digits);
};

const real = (text: string): Tree | undefined => {
  if (/^[+-]?(?:inf(?:inity)?|nan)$/i.test(text)) {
    return /nan/i.test(text) ? Number.NaN : text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (/^-?\d+$/.test(text)) {
    return { kind: "decimal", text: `${BigInt(text)}.0` };
  }
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? numberOf(text) : undefined;
};

const dictionary = (element: XmlElement, source: Source): Tree => {
  const { map, add } = newMap(source.notes);
  const children = elementsOf(element);
  for (let index = 0; index < children.length; index += 2) {
    const [key, value] = [children[index], children[index + 1]];
    if (key?.name !== "key" || value === undefined) {
      throw corrupt("The property list has a dict whose keys and values do not alternate.");
    }
    add(textOf(key), contentOf(value, source));
  }
  return map;
};
