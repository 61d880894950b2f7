import type { InformationOption } from "./information-names.ts";

/** The XMP property of each part of the information (ISO 32000-2, 14.3.3), and its value as RDF. */
const PROPERTIES: Readonly<Record<InformationOption, readonly { readonly name: string; readonly rdf: Rdf }[]>> = {
  title: [{ name: "dc:title", rdf: (text) => language(text) }],
  author: [{ name: "dc:creator", rdf: (text) => list("Seq", [text]) }],
  subject: [{ name: "dc:description", rdf: (text) => language(text) }],
  keywords: [
    { name: "pdf:Keywords", rdf: (text) => escaped(text) },
    {
      name: "dc:subject",
      rdf: (text) =>
        list(
          "Bag",
          text
            .split(",")
            .map((word) => word.trim())
            .filter(Boolean),
        ),
    },
  ],
};

type Rdf = (text: string) => string;

const language: Rdf = (text) => `<rdf:Alt><rdf:li xml:lang="x-default">${escaped(text)}</rdf:li></rdf:Alt>`;

const list = (kind: "Bag" | "Seq", texts: readonly string[]): string =>
  `<rdf:${kind}>${texts.map((text) => `<rdf:li>${escaped(text)}</rdf:li>`).join("")}</rdf:${kind}>`;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const END = "</rdf:RDF>";

/**
 * @param packet an XMP packet
 * @param values new values of properties; an empty one removes the property
 * @returns the packet with these values. Everything else stays, such as the identification of PDF/A. A packet that is not
 * RDF is replaced by one with the values alone
 */
export const withProperties = (packet: string, values: ReadonlyMap<InformationOption, string>): string => {
  const properties = [...values].flatMap(([option, value]) =>
    PROPERTIES[option].map((property) => ({ ...property, value })),
  );
  const base = packet.includes(END) ? packet : EMPTY;
  const rest = properties.reduce((text, { name }) => without(text, name), base);
  const added = properties
    .filter(({ value }) => value !== "")
    .map(({ name, rdf, value }) => `<${name}>${rdf(value)}</${name}>`)
    .join("");
  const at = rest.lastIndexOf(END);
  return added === "" ? rest : `${rest.slice(0, at)}${DESCRIPTION}${added}</rdf:Description>${rest.slice(at)}`;
};

const DESCRIPTION =
  '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">';

const EMPTY = `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${END}</x:xmpmeta><?xpacket end="w"?>`;

/** What programs wrote for themselves: the history of a file, pictures of its pages, its fonts, inks and ingredients. */
const OF_PROGRAMS: readonly string[] = [
  ...["xmpMM", "xapMM"].flatMap((prefix) =>
    ["History", "Pantry", "Ingredients", "DerivedFrom", "Manifest"].map((property) => `${prefix}:${property}`),
  ),
  ...["xmp:Thumbnails", "xap:Thumbnails", "xmp:PageInfo", "photoshop:DocumentAncestors", "photoshop:TextLayers"],
  ...["Fonts", "PlateNames", "SwatchGroups"].map((property) => `xmpTPg:${property}`),
];

/** @returns the packet without what only programs that edit the file need, and without its padding */
export const withoutHistory = (packet: string): string =>
  OF_PROGRAMS.reduce(without, packet)
    .replaceAll(/^[ \t]+/gm, "")
    .replaceAll(/[\r\n]{2,}/g, "\n");

/** @returns the packet without a property, which is an element or an attribute */
const without = (packet: string, name: string): string =>
  packet
    .replaceAll(new RegExp(`<${name}(?:\\s[^>]*)?/>`, "g"), "")
    .replaceAll(new RegExp(`<${name}(?:\\s[^>]*)?>[\\s\\S]*?</${name}\\s*>`, "g"), "")
    .replaceAll(new RegExp(`\\s${name}\\s*=\\s*(?:"[^"]*"|'[^']*')`, "g"), "");
