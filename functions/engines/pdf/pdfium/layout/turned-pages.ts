import type { PageContent, Rule, TurnedWord, Word } from "../content/content.ts";
import { type Frame, framesOf, type Quarters } from "../content/frame.ts";
import type { TurnedText } from "./model.ts";
import { piecesOf, rowsOf, runsOf } from "./rows.ts";

/** A page's content, turned so that most of its text is upright. */
export interface UprightPage {
  readonly content: PageContent;
  readonly rotation: 1 | 2 | 3 | undefined;
}

/** Minimum letters of sideways text, and their minimum ratio to upright ones, for a page to be turned. */
const LETTERS_MIN = 40;
const RATIO_MIN = 1.5;

const lettersIn = (words: readonly Word[]): number => words.reduce((sum, { text }) => sum + text.length, 0);

/** @returns the page turned if most of its text reads sideways */
export const uprightPage = (content: PageContent): UprightPage => {
  const upright = lettersIn(content.words);
  for (const rotation of [1, 2, 3] as const) {
    const letters = lettersIn(content.turned.filter(({ quarters }) => quarters === rotation));
    const frame = framesOf(content)[rotation];
    if (frame !== undefined && letters >= LETTERS_MIN && letters > RATIO_MIN * upright) {
      return { content: turnedBy(content, frame), rotation };
    }
  }
  return { content, rotation: undefined };
};

const turnedBy = (content: PageContent, frame: Frame): PageContent => {
  const { width, height, words, turned } = content;
  const swap = frame.quarters % 2 === 1;
  const all = [...words.map((word) => ({ ...word, quarters: 0 as Quarters })), ...turned].map((word) => ({
    ...word,
    ...frame.enter(word),
    quarters: ((word.quarters - frame.quarters + 4) % 4) as Quarters,
  }));
  return {
    ...content,
    ...(swap ? { width: height, height: width } : {}),
    words: all.filter(({ quarters }) => quarters === 0),
    turned: all.filter((word): word is (typeof all)[number] & TurnedWord => word.quarters !== 0),
    rules: content.rules.map((rule) => turnedRule(rule, frame)),
    fills: content.fills.map((fill) => ({ ...fill, ...frame.enter(fill) })),
    drawings: content.drawings.map(frame.enter),
    fields: content.fields?.map((field) => ({ ...field, ...frame.enter(field) })),
    pictures: content.pictures.map((area) => ({ ...area, ...frame.enter(area) })),
    links: content.links.map((link) => ({ ...link, ...frame.enter(link) })),
  };
};

const turnedRule = (rule: Rule, frame: Frame): Rule => {
  const { across, at, from, to } = rule;
  const box = frame.enter(
    across ? { left: from, right: to, top: at, bottom: at } : { left: at, right: at, top: from, bottom: to },
  );
  return (frame.quarters % 2 === 0) === across
    ? { ...rule, across: true, at: box.top, from: box.left, to: box.right }
    : { ...rule, across: false, at: box.left, from: box.top, to: box.bottom };
};

/** White space in units of the letter size that ends a line of turned text. */
const GAP = 2;

/** @returns the lines of text that is not upright */
export const turnedTexts = (content: Pick<PageContent, "turned" | "width" | "height">): TurnedText[] =>
  ([1, 2, 3] as const).flatMap((quarters) => {
    const frame = framesOf(content)[quarters];
    const words = content.turned.filter((word) => word.quarters === quarters);
    if (frame === undefined || words.length === 0) {
      return [];
    }
    return rowsOf(words.map((word) => ({ ...word, ...frame.enter(word) })))
      .flatMap((row) => piecesOf(row, GAP * row.size))
      .map((line) => ({ ...frame.leave(line), runs: runsOf(line), quarters }));
  });
