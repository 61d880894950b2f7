import type { Run } from "../layout/model.ts";
import type { Pdfium } from "../page/module.ts";

/** Style of a font, without size and color. */
export type FontStyle = Pick<Run, "font" | "bold" | "italic" | "mono" | "serif">;

const BOLD = /bold|black|heavy|semibd|demi|medi(?!um)|^cmbx|^cmssbx/i;
const ITALIC = /ital|obli|slant|^cmti|^cmsl|[-,]it$/i;
const MONO = /mono|courier|consol|^cmtt|typewriter/i;
const SERIF =
  /times|tinos|georgia|garamond|palatino|cambria|bookman|century|minion|roman|liberationserif|^cmr|^cmbx|^cmti|^sfrm|(?<!sans)serif/i;
const SANS = /sans|arial|helvet|calibri|carlito|verdana|tahoma|gothic|segoe|roboto|univers|frutiger|myriad/i;
/** Flags of a font descriptor (ISO 32000-1, table 123). */
const FIXED_PITCH = 1;
const SERIF_FLAG = 1 << 1;
const ITALIC_FLAG = 1 << 6;
const FORCE_BOLD = 1 << 18;
const NAME_BYTES = 256;

/** Bytes of memory that {@link fontStyle} needs. */
export const FONT_BYTES = NAME_BYTES;

/** @param scratch address of {@link FONT_BYTES} bytes @returns the style of a font, from its name and descriptor */
export const fontStyle = ({ call, bytes }: Pdfium, font: number, scratch: number): FontStyle => {
  const length = font === 0 ? 0 : call.FPDFFont_GetBaseFontName(font, scratch, NAME_BYTES);
  const end = scratch + Math.max(0, Math.min(length, NAME_BYTES) - 1);
  const name = Buffer.from(bytes().subarray(scratch, end))
    .toString("utf8")
    .replace(/^[A-Z]{6}\+/, "");
  const flags = font === 0 ? 0 : Math.max(0, call.FPDFFont_GetFlags(font));
  const mono = MONO.test(name) || (flags & FIXED_PITCH) !== 0;
  return {
    font: familyOf(name),
    bold: BOLD.test(name) || (flags & FORCE_BOLD) !== 0,
    italic: ITALIC.test(name) || (flags & ITALIC_FLAG) !== 0,
    mono,
    serif: SERIF.test(name) || ((flags & SERIF_FLAG) !== 0 && !mono && !SANS.test(name)),
  };
};

/** Style words at the end of a PostScript name, and the marks of foundries. */
const STYLES = /(?:PS|MT|Std|Pro|Regular|Roman|Bold|Italic|Oblique|Ital|Obli|Semi|Demi|Book|Normal|Light|Medium)+$/;

/** @returns the family as it is written: `TimesNewRomanPS-BoldMT` is "Times New Roman" */
const familyOf = (name: string): string => {
  const [start = ""] = name.split(/[-,]/, 1);
  const family = start.replace(STYLES, "") || start;
  return family.replaceAll("_", " ").replace(/(?<=[a-z])(?=[A-Z])/g, " ");
};
