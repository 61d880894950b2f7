import type { Run } from "../layout/model.ts";

/** The fonts of a PDF as Word knows them. */

/** Fonts with the metrics of an Office font (left: letters of the name in lower case), and names that PDFs shorten. */
const FAMILIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Arial:
      "arial arialms arialunicode arialunicodems helvetica helv helveticaneue liberationsans arimo nimbussans nimbussansl nimbussanl " +
      "freesans texgyreheros",
    "Arial Narrow": "arialnarrow liberationsansnarrow helveticanarrow helveticacondensed nimbussansnarrow",
    "Times New Roman":
      "timesnewroman timesnew times timesroman liberationserif tinos nimbusroman nimbusromno9l nimbusromanno9l freeserif " +
      "texgyretermes timesten txtimes",
    "Courier New": "couriernew courier liberationmono cousine nimbusmono nimbusmonl nimbusmonol freemono texgyrecursor",
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

/** Families that many readers have: of Windows, Office and the common web fonts; those of macOS alone are replaced. */
const COMMON = new RegExp(
  `^(?:${(
    "aptos arial bahnschrift baskerville bodoni bookantiqua candara century consolas constantia corbel david droid " +
      "ebrima firasans franklingothic frankruehl gautami gillsans gisha gulim ibmplex impact inter$ kalinga kartika " +
      "khmer lato latha leelawadee lucida malgun mangal meiryo merriweather microsoft mingliu miriam montserrat ms[gmp] noto " +
      "nirmala nunito nyala opensans oswald perpetua playfair poppins ptsans ptserif raavi raleway roboto rockwell " +
      "sakkal segoe shruti simplified sitka source sylfaen tahoma traditional tunga ubuntu urdu vrinda yugothic yumincho"
  ).replaceAll(" ", "|")})`,
);
/** The fonts of TeX: serif unless the name has `tt` or `ss`. */
const TEX = /^(?:cm|sf|ec|lm|eu|ti|tc)(?:[a-z]{1,6}\d+|roman|sans|mono)/;

const keyOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .replace(/(?<=.{3})(?:psmt|ps|mt|std|pro|lt|regular)$/, "");

/**
 * @returns the family for Word: one with the same metrics, the family itself if many readers have it, or one of the same
 * class
 */
export const familyOf = ({ font, mono, serif }: Pick<Run, "font" | "mono" | "serif">): string => {
  const key = keyOf(font);
  const known = FAMILIES.get(key);
  if (known !== undefined) {
    return known;
  }
  if (TEX.test(key)) {
    return /tt|mono/.test(key) ? "Courier New" : /ss|sans/.test(key) ? "Arial" : "Times New Roman";
  }
  return COMMON.test(key)
    ? font
        .replace(/[^\p{L}\p{N} ._-]/gu, "")
        .trim()
        .slice(0, 31)
    : mono
      ? "Courier New"
      : serif
        ? "Times New Roman"
        : "Arial";
};

/** @returns whether the font is replaced by one with other widths */
export const isReplaced = ({ font }: Pick<Run, "font">): boolean => {
  const key = keyOf(font);
  return !FAMILIES.has(key) && (TEX.test(key) || !COMMON.test(key));
};

/** @returns whether the widths of the letters are known wherever the document is opened */
export const hasMetrics = ({ font }: Pick<Run, "font">): boolean => FAMILIES.has(keyOf(font));

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
