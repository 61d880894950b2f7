import type { DocumentLayout, Run, TextLine } from "../layout/model.ts";
import { familyOf, isReplaced } from "./fonts.ts";
import { paragraphsIn } from "./looks.ts";

/**
 * Letter spacing that gives text in a replacement font the width of the source's font, so that lines end where they did.
 * @returns points for a run; 0 if its font is not replaced
 */
export type Fit = (run: Run) => number;

/** Advance widths of the letters from U+0020 to U+007E in 1/1000 of the size, each two digits to the base 36. */
const WIDTHS: Readonly<Record<string, string>> = {
  Arial:
    "7q7q9vfgfgopij5b9999atg87q997q7qfgfgfgfgfgfgfgfgfgfg7q7qg8g8g8fgs7ijijk2k2ijgzlmk27qdwijfgn5k2lmijlmk2ij" +
    "gzk2ijq8ijijgz7q7q7qd1fg99fgfgdwfgfg7qfgfg6666dw66n5fgfgfgfg99dw7qfgdwk2dwdwdw9a789ag8",
  "Arial bold":
    "7q99d6fgfgopk26m9999atg87q997q7qfgfgfgfgfgfgfgfgfgfg9999g8g8g8gzr3k2k2k2k2ijgzlmk27qfgk2gzn5k2lmijlmk2ij" +
    "gzk2ijq8ijijgz997q99g8fg99fggzfggzfg99gzgz7q7qfg7qopgzgzgzgzatfg99gzfglmfgfgdwat7satg8",
  "Times New Roman":
    "6y99bcdwdwn5lm509999dwfo6y996y7qdwdwdwdwdwdwdwdwdwdw7q7qfofofoccplk2ijijk2gzfgk2k299atk2gzopk2k2fgk2ijfg" +
    "gzk2k2q8k2k2gz997q99d1dw99ccdwccdwcc99dwdw7q7qdw7qlmdwdwdwdw99at7qdwdwk2dwdwccdc5kdcf1",
  "Times New Roman bold":
    "6y99ffdwdwrsn57q9999dwfu6y996y7qdwdwdwdwdwdwdwdwdwdw9999fufufudwpuk2ijk2k2ijgzlmlmatdwlmijq8k2lmgzlmk2fg" +
    "ijk2k2rsk2k2ij997q99g5dw99dwfgccfgcc99dwfg7q99fg7qn5fgdwfgfgccat99fgdwk2dwdwccay64ayeg",
};
const MONO_WIDTH = 0.6;

/** @returns the width of a letter in shares of the size; undefined for letters outside of the table */
const widthOf = (table: string, letter: string): number | undefined => {
  const index = 2 * (letter.charCodeAt(0) - 32);
  const digits = table.slice(index, index + 2);
  return index < 0 || digits === "" ? undefined : Number.parseInt(digits, 36) / 1_000;
};

/** Letters of a font that must be measured, and the largest spacing in shares of the size. */
const LETTERS_MIN = 12;
const SPACING_MAX = 0.12;

const keyOf = ({ font, bold, italic, mono, serif }: Run): string => `${font}\n${bold}${italic}${mono}${serif}`;

/** @returns the fit of all replaced fonts, measured on the lines that are not stretched */
export const fitOf = ({ pages }: DocumentLayout): Fit => {
  const sums = new Map<string, { space: number; letters: number }>();
  for (const { sections } of pages) {
    const blocks = sections.flatMap(({ columns }) => columns.flatMap((column) => column.blocks));
    for (const { lines, align } of paragraphsIn(blocks)) {
      for (const line of align === "justify" ? lines.slice(-1) : lines) {
        measure(line, sums);
      }
    }
  }
  return (run) => {
    const { space, letters } = sums.get(keyOf(run)) ?? { space: 0, letters: 0 };
    const spacing = letters < LETTERS_MIN || !isReplaced(run) ? 0 : space / letters;
    return Math.max(-SPACING_MAX, Math.min(SPACING_MAX, spacing)) * run.size;
  };
};

const measure = ({ runs, left, right }: TextLine, sums: Map<string, { space: number; letters: number }>): void => {
  const [first] = runs;
  if (first === undefined || !isReplaced(first) || runs.some((run) => keyOf(run) !== keyOf(first) || run.shift)) {
    return;
  }
  const family = familyOf(first);
  const table = WIDTHS[first.bold ? `${family} bold` : family];
  const text = runs.map((run) => run.text).join("").trim();
  const widths = [...text].map((letter) => (table === undefined ? MONO_WIDTH : widthOf(table, letter)));
  if (widths.includes(undefined) || text === "") {
    return;
  }
  const sum = sums.get(keyOf(first)) ?? { space: 0, letters: 0 };
  sum.space += (right - left) / first.size - widths.reduce<number>((total, width = 0) => total + width, 0);
  sum.letters += text.length;
  sums.set(keyOf(first), sum);
};
