import type { Metadata } from "sharp";
import { readExif } from "../describe/exif.ts";
import { readIptc } from "../describe/iptc.ts";
import { readXmp } from "../describe/xmp.ts";

/** Who made an image, and who has its rights. */
export interface Rights {
  readonly author?: string;
  readonly copyright?: string;
}

/** @returns the author and the copyright of an image from XMP, IPTC or EXIF, in this order: EXIF is often ASCII only */
export const rightsOf = ({ exif, xmp, iptc }: Pick<Metadata, "exif" | "xmp" | "iptc">): Rights => {
  const tags = exif && readExif(exif)?.image;
  const properties = xmp === undefined ? {} : readXmp(xmp);
  const datasets = iptc === undefined ? {} : readIptc(iptc);
  const author = textOf(properties["dc:creator"]) ?? textOf(datasets.Byline) ?? textOf(tags?.Artist);
  const copyright = textOf(properties["dc:rights"]) ?? textOf(datasets.CopyrightNotice) ?? textOf(tags?.Copyright);
  return { ...(author !== undefined && { author }), ...(copyright !== undefined && { copyright }) };
};

const textOf = (value: unknown): string | undefined => {
  const text = Array.isArray(value) ? value.join(", ") : value;
  return typeof text === "string" && text !== "" ? text : undefined;
};

/** @returns the tags of EXIF */
export const rightsTags = ({ author, copyright }: Rights): Record<string, string> => ({
  ...(author !== undefined && { Artist: author }),
  ...(copyright !== undefined && { Copyright: copyright }),
});

/** @returns the properties as XMP, which formats without EXIF have, too */
export const rightsXmp = ({ author, copyright }: Rights): string => {
  const creator = author && `<dc:creator><rdf:Seq><rdf:li>${escaped(author)}</rdf:li></rdf:Seq></dc:creator>`;
  const rights =
    copyright &&
    `<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">${escaped(copyright)}</rdf:li></rdf:Alt></dc:rights>`;
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">${creator ?? ""}${rights ?? ""}</rdf:Description></rdf:RDF></x:xmpmeta>`;
};

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
