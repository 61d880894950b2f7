import { flattenAnnotations } from "../page/annotations.ts";
import { type PdfDocument, type PdfPage, withPage } from "../page/document.ts";
import { placingOf } from "../page/geometry.ts";
import { type LinkArea, linksOf } from "../page/links.ts";
import { objectsOf } from "../page/objects.ts";
import { pictureAreas } from "../page/picture-areas.ts";
import type { PageContent, TurnedWord, Word } from "./content.ts";
import { withDots } from "./dots.ts";
import { drawingsOf } from "./drawings.ts";
import { glyphsOf } from "./glyphs.ts";
import { wordFrom } from "./runs.ts";
import { shapesOf } from "./shapes.ts";
import { wordsOf } from "./words.ts";

/** Reads what stands on a page, including form fields and other annotations. @returns undefined if it is not readable */
export const readContent = async (document: PdfDocument, number: number): Promise<PageContent | undefined> => {
  const first = await withPage(document, number, (page) => {
    const links = linksOf(page, placingOf(page));
    return flattenAnnotations(page) ? { links } : { links, content: contentOf(page, links) };
  });
  return first === undefined || first.content !== undefined
    ? first?.content
    : withPage(document, number, (page) => contentOf(page, first.links));
};

const contentOf = (page: PdfPage, links: readonly LinkArea[]): PageContent => {
  const { number, width, height } = page;
  const placing = placingOf(page);
  const objects = objectsOf(page);
  const { glyphs } = glyphsOf(page, objects, placing);
  const words: Word[] = [];
  const turned: TurnedWord[] = [];
  for (const found of wordsOf(glyphs)) {
    const word = wordFrom(found, links);
    const quarters = found.glyphs[0]?.style.frame.quarters ?? 0;
    if (!isOn(page, word)) {
      continue;
    }
    quarters === 0 ? words.push(word) : turned.push({ ...word, quarters });
  }
  const shapes = shapesOf(page, objects, placing);
  const marked = withDots(words, shapes.dots);
  const drawn = drawingsOf({ ...shapes, pieces: [...shapes.pieces, ...marked.others] }, words);
  const letters = (rtl: boolean) => words.reduce((sum, word) => sum + (word.rtl === rtl ? word.text.length : 0), 0);
  return {
    ...{ number, width, height, words: marked.words, turned, links },
    ...drawn,
    pictures: pictureAreas(page, objects, placing),
    rtl: letters(true) > letters(false),
    scanned: false,
  };
};

const isOn = ({ width, height }: PdfPage, { left, top, right, bottom }: Word): boolean =>
  left < width && top < height && right > 0 && bottom > 0;
