import type { Run } from "../layout/model.ts";
import type { Pdfium } from "../page/module.ts";

/** Style of a font, without size and color. */
export type FontStyle = Pick<Run, "font" | "bold" | "italic" | "mono" | "serif">;

const BOLD = /bold|black|heavy|semibd|demi|medi(?!um)|^(?:cm|sf|ec)(?:ss)?b[xf]/i;
const ITALIC = /ital|obli|slant|^(?:cm|sf|ec)(?:ti|sl|ssi)|[-,]it$/i;
const MONO =
  /mono|courier|consol|^(?:cm|sf|ec)tt|typewriter|andale|bookmaster|code(?=pro|-|$)|inconsolata|lettergothic|menlo|monaco|^ocr/i;
const SERIF =
  /times|tinos|georgia|garamond|palatino|cambria|bookman|century(?!gothic)|minion|roman|nimbusrom|^(?:cm|sf)(?!ss|tt)|mincho|batang|song|simsun|ming|(?<!sans)serif/i;
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
    serif: !mono && !SANS.test(name) && (SERIF.test(name) || (flags & SERIF_FLAG) !== 0),
  };
};

/** Style words of PostScript names, and the marks of foundries and encodings. */
const STYLES =
  /(?:PS|MT|Std|LT|Pro|Regu(?:lar)?|Roman|Bold|Bd|Black|Blk|Ital(?:ic)?|It|Obli(?:que)?|Slant_\d+|Semi(?:bold)?|Demi|Medi(?:um)?|Md|Book|Normal|Light|Cond(?:ensed)?|Cn|Ou|Identity|H|V)+$/;

/** @returns the family as it is written: `TimesNewRomanPS-BoldMT` is "Times New Roman" */
const familyOf = (name: string): string => {
  const parts = (name.split(",", 1)[0] ?? "").split(/[-_ ]/);
  while (parts.length > 1 && (parts.at(-1) ?? "").replace(STYLES, "") === "") {
    parts.pop();
  }
  const last = parts.pop() ?? "";
  const words = [...parts, last.replace(STYLES, "") || last].join(" ").replace(SPLIT, " ");
  return /^Times New\b/.test(words) ? "Times New Roman" : words.includes("\ufffd") ? "" : words;
};

/** Where words of a name begin; some names have a capital within a word. */
const SPLIT = /(?<=[a-z])(?=[A-Z](?!u\b|uS|un|ei))/g;
