/** Classes of characters that decide how glyphs form words. */

const RTL = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const RTL_LETTER = /(?=\p{L})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** @returns whether the text has letters or marks that read from right to left */
export const hasRtl = (text: string): boolean => text > "\u0590" && RTL.test(text) && !/^[\p{N}\p{P}]+$/u.test(text);

/** @returns whether the text has a letter that reads from left to right */
export const hasLtr = (text: string): boolean => /\p{L}/u.test(text) && !RTL_LETTER.test(text);

const FULL_WIDTH =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3000-\u303f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65ー]/u;
const SOUTH_EAST = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const INDIC =
  /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}]/u;

/** @returns whether the text belongs to a script that writes words without spaces */
export const isUnspaced = (text: string): boolean => isFullWidth(text) || (text > "\u0e00" && SOUTH_EAST.test(text));

/** @returns whether the text is Chinese or Japanese, or their punctuation: most letters fill a square */
export const isFullWidth = (text: string): boolean => text > "\u2e80" && FULL_WIDTH.test(text);

export const isIndic = (text: string): boolean => text > "\u0900" && text < "\u0e00" && INDIC.test(text);

/** @returns whether the text consists of combining marks */
export const isMark = (text: string): boolean => text > "\u02ff" && /^\p{M}+$/u.test(text);

/** Ligatures, presentation forms of letters, and radicals that stand for characters: glyphs of the font. */
const FORMS = /[\u2f00-\u2fdf\ufb00-\ufdfb\ufe70-\ufefc]/;
/** Characters without effect on the text: direction marks, word joiners, byte order marks, tags. */
const IGNORED = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\uffff]/g;
const SPACES = /[\p{Z}\p{Cc}]+/gu;
const PRIVATE = /[\p{Co}\p{Cn}\p{Cs}\0]/u;

/** @returns the characters that the letters of a glyph stand for; spaces become a single space, `\0` stays */
export const cleaned = (text: string): string => {
  if (text.length === 1 && text > " " && text < "\x7f") {
    return text;
  }
  if (text.includes("\0")) {
    return "\0";
  }
  const plain = FORMS.test(text) ? text.replaceAll(/[\u2f00-\u2fdf\ufb00-\ufdfb\ufe70-\ufefc]/g, composed) : text;
  return plain.replaceAll(IGNORED, "").replaceAll(SPACES, " ");
};

/** A presentation form of a mark alone has a space as its base. */
const composed = (form: string): string => form.normalize("NFKC").replace(" ", "");

/** @returns whether a character says nothing: it is unassigned, or means something in its font only */
export const isUnreadable = (text: string): boolean => PRIVATE.test(text);
