import { u16 } from "./fields.ts";

/** The names of a font, by their number in the name table. */
interface Names {
  readonly texts: readonly (readonly [id: number, text: string])[];
  readonly style: { readonly isBold: boolean; readonly isItalic: boolean };
}

const CHARACTERS_MAX = 1_000;

/** @param properties of a BDF font, whose X11 name has the family, the weight and the slant */
export const namesOf = (properties: ReadonlyMap<string, string>): Names => {
  const [, , named = "", weightPart = "", slantPart = ""] = (properties.get("FONT") ?? "").split("-");
  const property = (name: string, other: string): string => (properties.get(name) ?? other).slice(0, CHARACTERS_MAX);
  const family = property("FAMILY_NAME", named || (properties.get("FONT") ?? "")) || "Bitmap";
  const isBold = /bold|black|heavy/i.test(property("WEIGHT_NAME", weightPart));
  const isItalic = /^r?[io]$/i.test(property("SLANT", slantPart));
  const style = [isBold ? "Bold" : "", isItalic ? "Italic" : ""].filter(Boolean).join(" ") || "Regular";
  const full = style === "Regular" ? family : `${family} ${style}`;
  const postScript = `${family}-${style}`.replaceAll(/[^\w-]+/g, "").slice(0, 63);
  const texts: Names["texts"] = [
    [0, property("COPYRIGHT", "")],
    [1, family],
    [2, style],
    [3, full],
    [4, full],
    [5, "Version 1.0"],
    [6, postScript],
  ];
  return { texts: texts.filter(([, text]) => text !== ""), style: { isBold, isItalic } };
};

const RECORD_BYTES = 12;

/** @returns the names in English, in UTF-16 for Windows, which all programs read */
export const nameTable = ({ texts }: Names): Buffer => {
  const coded = texts.map(([id, text]) => ({ id, bytes: Buffer.from(text, "utf16le").swap16() }));
  let at = 0;
  const records = coded.map(({ id, bytes }) => {
    const record = u16(3, 1, 0x409, id, bytes.length, at);
    at += bytes.length;
    return record;
  });
  return Buffer.concat([
    u16(0, texts.length, 6 + texts.length * RECORD_BYTES),
    ...records,
    ...coded.map(({ bytes }) => bytes),
  ]);
};
