import type { PageContent, Word } from "../content/content.ts";
import { areaOf, type Box } from "../page/geometry.ts";

/** Colors that cannot be read on white paper. */
const PALE = /^(?:[ef][0-9a-f]){3}$/;
const DARK = "000000";
/** Maximum number of backgrounds that are compared, the largest first. */
const BACKGROUNDS_MAX = 500;

/**
 * @returns the words of a page, of which those in a pale color are black where no fill, picture or drawing is under them:
 * a background as large as the page is not part of the layout
 */
export const visibleWords = ({ words, fills, pictures, drawings }: PageContent): readonly Word[] => {
  if (!words.some(isPale)) {
    return words;
  }
  const backgrounds = [...fills.filter(({ color }) => !PALE.test(color)), ...pictures, ...drawings]
    .toSorted((one, other) => areaOf(other) - areaOf(one))
    .slice(0, BACKGROUNDS_MAX);
  return words.map((word) => (isPale(word) && !backgrounds.some((box) => isUnder(box, word)) ? darkened(word) : word));
};

const isPale = ({ runs }: Word): boolean =>
  runs.some(({ color, highlight }) => PALE.test(color) && highlight === undefined);

const isUnder = (box: Box, word: Box): boolean => {
  const [x, y] = [(word.left + word.right) / 2, (word.top + word.bottom) / 2];
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
};

const darkened = (word: Word): Word => ({
  ...word,
  runs: word.runs.map((run) => (PALE.test(run.color) ? { ...run, color: DARK } : run)),
});
