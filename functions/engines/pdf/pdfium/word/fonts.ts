import type { Run } from "../layout/model.ts";

/** The fonts of a PDF as Word knows them. */

/** Fonts with the metrics of an Office font (left: letters of the name in lower case), and names that PDFs shorten. */
const FAMILIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Arial: "arial helvetica helv liberationsans arimo nimbussans nimbussansl freesans texgyreheros",
    "Arial Narrow": "arialnarrow liberationsansnarrow helveticanarrow helveticacondensed nimbussansnarrow",
    "Times New Roman":
      "timesnewroman times timesroman liberationserif tinos nimbusroman nimbusromno9l nimbusromanno9l freeserif " +
      "texgyretermes timesten txtimes",
    "Courier New": "couriernew courier liberationmono cousine nimbusmono nimbusmonl freemono texgyrecursor",
    Calibri: "calibri carlito",
    Cambria: "cambria caladea cambriamath",
    Georgia: "georgia gelasio",
    Verdana: "verdana dejavusans bitstreamverasans",
    "Palatino Linotype": "palatinolinotype palatino palladio urwpalladio urwpalladiol texgyrepagella",
    "Bookman Old Style": "bookmanoldstyle bookman urwbookman urwbookmanl texgyrebonum",
    "Century Schoolbook": "centuryschoolbook newcenturyschlbk centuryschl centuryschoolbookl texgyreschola",
    "Century Gothic": "centurygothic avantgarde urwgothic urwgothicl texgyreadventor",
    Garamond: "garamond ebgaramond adobegaramond",
    "Trebuchet MS": "trebuchetms trebuchet",
    "Comic Sans MS": "comicsansms comicsans comicneue",
    Symbol: "symbol standardsymbols standardsymbolsps",
    Wingdings: "wingdings",
    "MS Mincho": "msmincho mspmincho ryumin",
    "MS Gothic": "msgothic mspgothic gothicbbb",
    SimSun: "simsun nsimsun stsong stsonglight",
  }).flatMap(([name, names]) => names.split(" ").map((known) => [known, name] as const)),
);

/** Names that say nothing to a reader: fonts of TeX, numbered fonts, fonts without a name. */
const NAMELESS = /^(?:(?:cm|ec|sf|lm|eu|ms[ab]m|ti|t1x|tx|rtx|px|pzd)[a-z]{0,5}\d+\w*|lmroman.*|lmsans.*|lmmono.*|[a-z]{0,3}\d.*|font.*|t3.*|unknown.*|.{0,2})$/;

const keyOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .replace(/(?<=.{3})(?:psmt|ps|mt|std|pro|lt|regular)$/, "");

/** @returns the family for Word: one with the same metrics, the family itself if it has a name, or one like it */
export const familyOf = ({ font, mono, serif }: Pick<Run, "font" | "mono" | "serif">): string => {
  const key = keyOf(font);
  const known = FAMILIES.get(key);
  if (known !== undefined) {
    return known;
  }
  if (NAMELESS.test(key)) {
    return mono ? "Courier New" : serif ? "Times New Roman" : "Arial";
  }
  return font
    .replace(/[-,].*$/, "")
    .replace(/(?<=[\p{Ll}])(?=\p{Lu}\p{Ll})/gu, " ")
    .replace(/[^\p{L}\p{N} ._]/gu, "")
    .trim()
    .slice(0, 31);
};

/** @returns whether the letters of the family are where a PDF has private codes */
export const isSymbolic = (family: string): boolean => family === "Symbol" || /dings/i.test(family);

/** Scripts for which Word uses the complex-script font and size. */
export const COMPLEX = /[\u0590-\u08ff\u0900-\u0fff\u1000-\u109f\u1780-\u17ff\ufb1d-\ufdff\ufe70-\ufefc]/;
export const ASIAN = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]/;

/** @returns the attributes of `w:rFonts` for a text */
export const fontsOf = (family: string, text: string, serif: boolean): Record<string, string> => ({
  ascii: family,
  hAnsi: family,
  ...(ASIAN.test(text) && { eastAsia: isWestern(family) ? asianFont(text, serif) : family }),
  ...(COMPLEX.test(text) && { cs: family }),
});

const isWestern = (family: string): boolean => FAMILIES.has(keyOf(family)) && !/^(?:MS |Sim)/.test(family);

const asianFont = (text: string, serif: boolean): string => {
  if (/[\u3040-\u30ff]/.test(text)) {
    return serif ? "MS Mincho" : "MS Gothic";
  }
  if (/[\uac00-\ud7ff]/.test(text)) {
    return serif ? "Batang" : "Malgun Gothic";
  }
  return serif ? "SimSun" : "Microsoft YaHei";
};
