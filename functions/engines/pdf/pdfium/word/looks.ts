import type { DocumentLayout, Paragraph, Run } from "../layout/model.ts";
import { bodyOf, paragraphsIn } from "../write/flow.ts";
import { familyOf } from "./fonts.ts";

/** The look of text that a style defines; runs only say where they differ from it. */
export interface Look {
  readonly family: string;
  readonly serif: boolean;
  readonly size: number;
  readonly color: string;
  readonly bold: boolean;
  readonly italic: boolean;
}

/** The styles of a document: body text, and headings by level. */
export interface Looks {
  readonly body: Look;
  readonly headings: ReadonlyMap<number, Look>;
}

/** Heading levels in Word. */
export const LEVELS_MAX = 9;

/** @returns the style of a paragraph's text */
export const lookOf = ({ body, headings }: Looks, { heading }: Pick<Paragraph, "heading">): Look =>
  headings.get(Math.min(heading ?? 0, LEVELS_MAX)) ?? body;

/** @returns the most frequent look of body text, and of the headings of each level */
export const looksOf = ({ pages, bodySize }: DocumentLayout): Looks => {
  const letters = new Map<number, Map<string, { readonly look: Look; count: number }>>();
  for (const { runs, heading = 0 } of Iterator.from(pages).flatMap((page) => paragraphsIn(bodyOf(page)))) {
    const level = Math.min(heading, LEVELS_MAX);
    const known = letters.get(level) ?? new Map();
    letters.set(level, known);
    for (const run of runs) {
      const look = ofRun(run, level > 0);
      const key = Object.values(look).join();
      const entry = known.get(key) ?? { look, count: 0 };
      entry.count += run.text.length;
      known.set(key, entry);
    }
  }
  const usual = (level: number): Look | undefined =>
    [...(letters.get(level)?.values() ?? [])].toSorted((one, other) => other.count - one.count)[0]?.look;
  const body = usual(0) ?? { ...FALLBACK, size: bodySize || FALLBACK.size };
  const headings = [...letters.keys()].filter((level) => level > 0);
  return { body, headings: new Map(headings.map((level) => [level, usual(level) ?? body])) };
};

const FALLBACK: Look = { family: "Calibri", serif: false, size: 11, color: "000000", bold: false, italic: false };

/** In body text, bold and italic are emphasis, never the style. */
const ofRun = (run: Run, heading: boolean): Look => ({
  family: familyOf(run),
  serif: run.serif,
  size: Math.round(run.size * 2) / 2,
  color: run.color,
  bold: heading && run.bold,
  italic: heading && run.italic,
});
