import type { Run } from "../layout/model.ts";
import type { Box } from "../page/geometry.ts";
import type { LinkArea } from "../page/links.ts";
import { common, isEmpty } from "./boxes.ts";
import { isMark } from "./characters.ts";
import type { Word } from "./content.ts";
import type { Glyph } from "./glyphs.ts";
import type { WordGlyphs } from "./words.ts";

/** Maximum size of a superscript or subscript and its minimum offset, in units of the line's letter size. */
const SMALL_MAX = 0.85;
const MOVED_MIN = 0.08;
/** Usual extent of letters above and below the baseline; the boxes of fonts are unreliable: some span three lines. */
const ASCENT = 0.75;
const DESCENT = 0.22;

/** @returns the word with its runs, in its frame's coordinates as displayed */
export const wordFrom = ({ glyphs, rtl, spaced }: WordGlyphs, links: readonly LinkArea[]): Omit<Word, "tag"> => {
  const largest = glyphs.reduce((one, other) => (other.style.size > one.style.size ? other : one));
  const { size, frame } = largest.style;
  const area = frame.leave(areaOf(glyphs));
  const near = links.filter((link) => !isEmpty(common(link, area)));
  const runs = joined(glyphs, { size, baseline: largest.baseline, links: near });
  return {
    text: runs.map(({ text }) => text).join(""),
    runs,
    size,
    rtl,
    spaced,
    baseline: largest.baseline,
    ...area,
  };
};

const areaOf = (glyphs: readonly Glyph[]): Box => {
  const box = {
    ...{ left: Number.POSITIVE_INFINITY, top: Number.POSITIVE_INFINITY },
    ...{ right: Number.NEGATIVE_INFINITY, bottom: Number.NEGATIVE_INFINITY },
  };
  for (const { left, right, baseline, style } of glyphs) {
    box.left = Math.min(box.left, left);
    box.right = Math.max(box.right, right);
    box.top = Math.min(box.top, baseline - ASCENT * style.size);
    box.bottom = Math.max(box.bottom, baseline + DESCENT * style.size);
  }
  return box;
};

interface Around {
  readonly size: number;
  readonly baseline: number;
  readonly links: readonly LinkArea[];
}

const joined = (glyphs: readonly Glyph[], around: Around): Run[] => {
  const runs: Run[] = [];
  let style: Glyph["style"] | undefined;
  for (const [index, glyph] of glyphs.entries()) {
    // A mark takes the style of its base.
    const run = isMark(glyph.text) && index > 0 ? undefined : runOf(glyph, around);
    const last = runs.at(-1);
    if (
      last !== undefined &&
      (run === undefined ||
        (style === glyph.style && run.link === last.link && run.shift === last.shift) ||
        isAlike(run, last))
    ) {
      runs[runs.length - 1] = { ...last, text: last.text + glyph.text };
    } else if (run !== undefined) {
      runs.push(run);
    }
    style = glyph.style;
  }
  return runs.map((run, index) => ({ ...run, text: polished(run.text, index === runs.length - 1) }));
};

/** @returns the text with marks composed, and a soft hyphen only at the end of a word, where it is printed */
const polished = (text: string, last: boolean): string => {
  const composed = /[\u0300-\u036f]/.test(text) ? text.normalize("NFC") : text;
  return last ? composed.replaceAll(/\u00ad(?=.)/gu, "") : composed.replaceAll("\u00ad", "");
};

const runOf = ({ text, style, left, right, baseline }: Glyph, { size, baseline: line, links }: Around): Run => {
  const { bold, italic, mono, font, serif, color } = style;
  const moved = style.size < SMALL_MAX * size ? (line - baseline) / size : 0;
  const shift = moved > MOVED_MIN ? "above" : moved < -MOVED_MIN ? "below" : undefined;
  const link =
    links.length === 0
      ? undefined
      : linkAt(
          links,
          style.frame.leave({ left, right, top: baseline - 0.3 * style.size, bottom: baseline - 0.3 * style.size }),
        );
  return { text, bold, italic, mono, font, serif, color, size: shift === undefined ? style.size : size, shift, link };
};

const linkAt = (links: readonly LinkArea[], { left, top, right, bottom }: Box): string | undefined => {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return links.find((link) => x >= link.left && x <= link.right && y >= link.top && y <= link.bottom)?.address;
};

const isAlike = (one: Run, other: Run): boolean =>
  one.font === other.font &&
  one.size === other.size &&
  one.bold === other.bold &&
  one.italic === other.italic &&
  one.mono === other.mono &&
  one.color === other.color &&
  one.link === other.link &&
  one.shift === other.shift;
