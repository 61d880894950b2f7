import type { PageContent, Word } from "../../../../functions/engines/pdf/pdfium/content/content.ts";
import { readContent } from "../../../../functions/engines/pdf/pdfium/content/read-content.ts";
import { withDocument } from "../../../../functions/engines/pdf/pdfium/page/document.ts";

/** @returns what stands on a page of a PDF; fails the test if the page is not readable */
export const pageContent = (path: string, number = 1): Promise<PageContent> =>
  withDocument(path, undefined, async (document) => {
    const content = await readContent(document, number);
    if (content === undefined) {
      throw new Error(`Page ${number} is not readable.`);
    }
    return content;
  });

/** @returns the text of words, with spaces where they are and a space at the end of each line */
export const textOfWords = (words: readonly Word[]): string =>
  words
    .map(({ text, spaced }) => (spaced ? `${text} ` : text))
    .join("")
    .trim();

/** @returns the word with this text; fails the test without one */
export const wordNamed = (words: readonly Word[], text: string): Word => {
  const word = words.find((each) => each.text === text);
  if (word === undefined) {
    throw new Error(`No word "${text}" among: ${words.map((each) => each.text).join(" ")}`);
  }
  return word;
};
