import { SaxesParser } from "saxes";

/** A property of XMP: a text, or the texts of a list. */
type Value = string | readonly string[];

/** Prefixes of declarations and of RDF itself, which are not properties. */
const NOT_PROPERTIES = /^(?:xmlns|rdf|xml|x)(?::|$)/;
const PROPERTIES_MAX = 1_000;
const TEXT_CHARACTERS_MAX = 10_000;

/**
 * Reads the properties of XMP (ISO 16684-1), under the prefixes that the file uses.
 *
 * @returns texts, and arrays for lists. Nested structures are flat: `History/action`. Empty if the XMP is malformed
 */
export const readXmp = (bytes: Buffer): Readonly<Record<string, Value>> => {
  const found = new Map<string, string[]>();
  const lists = new Set<string>();
  const names: string[] = [];
  let text = "";
  const add = (name: string, value: string): void => {
    const known = found.get(name) ?? [];
    if (value !== "" && (known.length > 0 || found.size < PROPERTIES_MAX)) {
      found.set(name, [...known, value.slice(0, TEXT_CHARACTERS_MAX)]);
    }
  };
  const parser = new SaxesParser({ xmlns: false });
  const path = (): string => names.filter((name) => !NOT_PROPERTIES.test(name)).join("/");
  parser.on("opentag", ({ name, attributes }) => {
    names.push(name);
    text = "";
    if (name === "rdf:Bag" || name === "rdf:Seq") {
      lists.add(path());
    }
    for (const [key, value] of Object.entries(attributes).filter(([key]) => !NOT_PROPERTIES.test(key))) {
      add([path(), key].filter(Boolean).join("/"), value);
    }
  });
  parser.on("text", (part) => {
    text += part.slice(0, TEXT_CHARACTERS_MAX);
  });
  parser.on("closetag", () => {
    const name = path();
    if (name !== "") {
      add(name, text.trim());
    }
    text = "";
    names.pop();
  });
  parser.on("error", (error) => {
    throw error;
  });
  try {
    parser.write(xmlOf(bytes)).close();
  } catch {
    return {};
  }
  return Object.fromEntries([...found].map(([name, values]) => [name, lists.has(name) ? values : (values[0] ?? "")]));
};

/** Without the instruction around the packet, and the padding in it. */
const xmlOf = (bytes: Buffer): string => {
  const text = bytes.toString("utf8").replaceAll(/<\?xpacket[\s\S]*?\?>/g, "");
  return text
    .replace(/^\ufeff/, "")
    .replace(/\0+$/, "")
    .trim();
};
