import type { PageContent, Word } from "../pdfium/content/content.ts";
import { isMostlyPaper } from "../pdfium/page/bitmap.ts";
import { type PdfDocument, withPage } from "../pdfium/page/document.ts";
import { areaOf, type Box } from "../pdfium/page/geometry.ts";

/**
 * Why the text of a page has to be recognized: `image`: it has no text; `unreadable`: its fonts do not say which characters
 * most of its glyphs are; `stamped`: an image of paper with a digital header, number or signature.
 */
export type ScanKind = "image" | "unreadable" | "stamped";

/** @returns undefined if the page's own text is all there is */
export const scanKindOf = async (document: PdfDocument, page: PageContent): Promise<ScanKind | undefined> => {
  if (isImage(page)) {
    return "image";
  }
  if (isUnreadable(page)) {
    return "unreadable";
  }
  return mayBeStamped(page) && (await withPage(document, page.number, isMostlyPaper)) ? "stamped" : undefined;
};

/** Smallest share of a page that its pictures or drawings cover if they contain its text. */
const COVERED_MIN = 0.02;

const isImage = ({ words, turned, pictures, drawings, width, height }: PageContent): boolean =>
  words.length + turned.length === 0 &&
  [...pictures, ...drawings].reduce((sum, box) => sum + areaOf(box), 0) >= COVERED_MIN * width * height;

/** Fewer unknown glyphs are marks and symbols. */
const UNREADABLE_MIN = 20;

const isUnreadable = (page: PageContent): boolean =>
  (page.unreadable ?? 0) >= UNREADABLE_MIN && (page.unreadable ?? 0) > lettersIn(wordsOf(page));

/** A page with more letters, or a smaller picture, has digital text. */
const STAMP_LETTERS_MAX = 150;
const STAMPED_SHARE = 0.6;

const mayBeStamped = (page: PageContent): boolean =>
  page.pictures.some((picture) => areaOf(picture) >= STAMPED_SHARE * page.width * page.height) &&
  lettersIn(wordsOf(page)) <= STAMP_LETTERS_MAX;

/** Fewer recognized letters may be the texture of a photo or a logo. */
const ADDED_LETTERS_MIN = 60;

/**
 * @param read the page with recognized words
 * @returns the page with its own and the recognized text; undefined if what was recognized says nothing new
 */
export const withRecognized = (page: PageContent, read: PageContent, kind: ScanKind): PageContent | undefined => {
  if (kind === "image") {
    return read;
  }
  if (kind === "unreadable") {
    const { rules, drawings } = read.turned.length > 0 ? read : page;
    return { ...read, rules, drawings, scanned: false };
  }
  const own = wordsOf(page);
  const isNew = (word: Word): boolean => !own.some((known) => meets(known, word));
  const [words, turned] = [read.words.filter(isNew), read.turned.filter(isNew)];
  return lettersIn([...words, ...turned]) < Math.max(ADDED_LETTERS_MIN, lettersIn(own))
    ? undefined
    : { ...read, words: [...page.words, ...words], turned: [...page.turned, ...turned] };
};

const wordsOf = ({ words, turned }: PageContent): readonly Word[] => [...words, ...turned];

const lettersIn = (words: readonly Word[]): number => words.reduce((sum, { text }) => sum + text.length, 0);

const meets = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
