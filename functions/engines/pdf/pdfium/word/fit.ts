import type { DocumentLayout, Paragraph, Run, TextLine } from "../layout/model.ts";
import { median } from "../page/geometry.ts";
import { bodyOf, paragraphsIn } from "../write/flow.ts";
import { ASIAN, familyOf, isReplaced } from "./fonts.ts";
import type { Frame } from "./paragraphs.ts";

/** Letter spacing that gives text the width that it has in the source, so that lines end where they did. */
export interface Fit {
  /** @returns points for a run whose font is replaced by one with other widths; else 0 */
  replaced(run: Run): number;
  /** @returns points by which the letters of a paragraph are closer, because the source has narrower spaces */
  squeezed(paragraph: Paragraph, frame: Pick<Frame, "left" | "right" | "slack">): number;
}

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

/** Lines of a font that are measured, and the largest spacing in shares of the size. */
const SAMPLES_MAX = 200;
const LETTERS_MIN = 5;
const SPACING_MAX = 0.12;

const keyOf = ({ font, bold, italic, mono, serif }: Run): string => `${font}\n${bold}${italic}${mono}${serif}`;

/** @returns the fit of all replaced fonts, measured on the lines that are not stretched */
export const fitOf = ({ pages }: DocumentLayout): Fit => {
  const samples: Samples = new Map();
  for (const { lines, align } of Iterator.from(pages).flatMap((page) => paragraphsIn(bodyOf(page)))) {
    for (const line of align === "justify" ? lines.slice(-1) : lines) {
      measure(line, samples);
    }
  }
  const spacings = new Map([...samples].map(([key, values]) => [key, median(values)]));
  const replaced = (run: Run): number => {
    const spacing = isReplaced(run) ? (spacings.get(keyOf(run)) ?? 0) : 0;
    return Math.max(-SPACING_MAX, Math.min(SPACING_MAX, spacing)) * run.size;
  };
  return { replaced, squeezed: (paragraph, frame) => squeezed(paragraph, frame, replaced) };
};

/** Spacing per letter in shares of the size, by font. */
type Samples = Map<string, number[]>;

/** Points of a line that must stay free, and the unit of letter spacing. */
const FREE = 0.3;
const SPACING_UNIT = 0.05;
/** Share of a letter's width by which superscripts are smaller. */
const SHIFTED = 0.6;

const squeezed = (
  { lines, list, runs, align }: Paragraph,
  frame: Parameters<Fit["squeezed"]>[1],
  replaced: Fit["replaced"],
): number => {
  const first = list === undefined ? 0 : 1;
  const needed = lines.slice(lines.length === 1 ? 0 : first).map((line, index) => {
    const widths = line.runs.map((run) => {
      const width = naturalWidth(run);
      return width === undefined ? undefined : width * (run.shift ? SHIFTED : 1) + run.text.length * replaced(run);
    });
    const letters = line.runs.reduce((sum, { text }) => sum + text.length, 0);
    const natural = widths.reduce<number>((sum, width = Number.NEGATIVE_INFINITY) => sum + width, FREE);
    const last = index + first >= lines.length - 1 || lines.length === 1;
    const room = frame.right + frame.slack - (align === "start" || align === "justify" ? line.left : frame.left);
    return (natural - (last ? Math.max(room, line.right - line.left) : line.right - line.left)) / Math.max(1, letters);
  });
  const most = Math.max(0, ...needed);
  return most > SPACING_MAX * (runs[0]?.size ?? 0) ? 0 : Math.ceil(most / SPACING_UNIT) * SPACING_UNIT;
};

/** @returns the width of a run in points in Word's font; undefined if the table lacks one of its letters */
const naturalWidth = (run: Run): number | undefined => {
  const family = familyOf(run);
  const table = WIDTHS[run.bold ? `${family} bold` : family];
  if (table === undefined && family !== "Courier New") {
    return undefined;
  }
  const widths = [...run.text].map((letter) =>
    ASIAN.test(letter)
      ? 1
      : table === undefined
        ? MONO_WIDTH
        : (widthOf(table, letter) ?? widthOf(table, ALIKE[letter] ?? "\t")),
  );
  return widths.includes(undefined) ? undefined : widths.reduce<number>((sum, width = 0) => sum + width, 0) * run.size;
};

/** Frequent letters outside of the table, and those that are as wide. */
const ALIKE: Readonly<Record<string, string>> = {
  "’": "`",
  "‘": "`",
  "“": '"',
  "”": '"',
  "–": "n",
  "•": "o",
  "…": "m",
  "\u00a0": " ",
  ﬁ: "n",
  ﬂ: "n",
  é: "e",
  è: "e",
  ü: "u",
  ö: "o",
  ä: "a",
  à: "a",
  ç: "c",
  ß: "b",
};

const measure = ({ runs, left, right }: TextLine, samples: Samples): void => {
  const [first] = runs;
  if (first === undefined || !isReplaced(first) || runs.some((run) => keyOf(run) !== keyOf(first) || run.shift)) {
    return;
  }
  const letters = runs.reduce((total, { text }) => total + text.length, 0);
  const natural = runs.reduce((sum, run) => sum + (naturalWidth(run) ?? Number.NaN), 0);
  const values = samples.get(keyOf(first)) ?? [];
  if (letters >= LETTERS_MIN && !Number.isNaN(natural) && values.length < SAMPLES_MAX) {
    values.push((right - left - natural) / first.size / letters);
    samples.set(keyOf(first), values);
  }
};
