import { flattenAnnotations } from "../page/annotations.ts";
import { type PdfDocument, type PdfPage, withPage } from "../page/document.ts";
import { type Box, placingOf } from "../page/geometry.ts";
import { type LinkArea, linksOf } from "../page/links.ts";
import { objectsOf } from "../page/objects.ts";
import { pictureAreas } from "../page/picture-areas.ts";
import type { PageContent, TurnedWord, Word } from "./content.ts";
import { withDots } from "./dots.ts";
import { withChecks } from "./drawings/checks.ts";
import { drawingsOf } from "./drawings/drawings.ts";
import { type Fields, fieldsOf, isInCheck, wordFromCheck } from "./fields.ts";
import { type Glyph, glyphsOf } from "./glyphs.ts";
import { hiddenTexts } from "./hidden.ts";
import { joinedRules } from "./rules.ts";
import { wordFrom } from "./runs.ts";
import { shapesOf } from "./shapes.ts";
import { tagging, tagsOf } from "./tags.ts";
import { wordsOf } from "./words.ts";

const LETTERS = /\p{L}/gu;

/** What is read before annotations are flattened: flattening removes them. */
interface Annotations {
  readonly links: readonly LinkArea[];
  readonly fields: Fields;
}

/** Reads what stands on a page, including form fields and other annotations. @returns undefined if it is not readable */
export const readContent = async (document: PdfDocument, number: number): Promise<PageContent | undefined> => {
  const first = await withPage(document, number, (page) => {
    const placing = placingOf(page);
    const annotations = { links: linksOf(page, placing), fields: fieldsOf(page, placing) };
    return flattenAnnotations(page) ? { annotations } : { annotations, content: contentOf(page, annotations) };
  });
  return first === undefined || first.content !== undefined
    ? first?.content
    : withPage(document, number, (page) => contentOf(page, first.annotations));
};

const contentOf = (page: PdfPage, { links, fields }: Annotations): PageContent => {
  const { number, width, height } = page;
  const placing = placingOf(page);
  const objects = objectsOf(page);
  const hidden = hiddenTexts(page, objects, placing);
  const { glyphs, unreadable } = glyphsOf(page, { objects, placing, hidden });
  const { upright: read, turned } = wordsIn(page, glyphs, { links, fields });
  const { words: upright, shapes: drawing } = withChecks(read, shapesOf(page, { objects, placing, fields }));
  const shapes = { ...drawing, rules: joinedRules(drawing.rules) };
  const marked = withDots(upright, shapes.dots);
  const drawn = drawingsOf({ ...shapes, pieces: [...shapes.pieces, ...marked.others] }, { page, words: upright });
  // Numbers have no direction: a page of a table may have more digits than letters.
  const letters = (rtl: boolean) =>
    upright.reduce((sum, word) => sum + (word.rtl === rtl ? (word.text.match(LETTERS)?.length ?? 0) : 0), 0);
  return {
    ...{ number, width, height, words: marked.words, turned, links, unreadable },
    ...drawn,
    pictures: pictureAreas(page, objects, placing),
    fields: shapes.fields,
    rtl: letters(true) > letters(false),
    scanned: false,
  };
};

/** @returns the words on a page, with check boxes as words */
const wordsIn = (page: PdfPage, glyphs: readonly Glyph[], { links, fields: { checks } }: Annotations) => {
  const upright: Word[] = [];
  const turned: TurnedWord[] = [];
  const tagOf = tagging(glyphs, tagsOf(page));
  for (const found of wordsOf(glyphs)) {
    const [first] = found.glyphs;
    const word: Word = { ...wordFrom(found, links), tag: first === undefined ? undefined : tagOf(first) };
    const quarters = first?.style.frame.quarters ?? 0;
    if (word.text !== "" && isOn(page, word) && !isInCheck(checks, word)) {
      quarters === 0 ? upright.push(word) : turned.push({ ...word, quarters });
    }
  }
  return { upright: [...upright, ...checks.map(wordFromCheck)], turned };
};

const isOn = ({ width, height }: PdfPage, { left, top, right, bottom }: Box): boolean =>
  left < width && top < height && right > 0 && bottom > 0;
