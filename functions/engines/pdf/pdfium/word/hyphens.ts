import type { Paragraph, Run } from "../layout/model.ts";

const HYPHEN = /[-\u00ad\u2010]$/u;
const SOFT_HYPHEN = "\u00ad";

/**
 * @returns the runs with optional hyphens where the source divided words at the ends of lines, so that lines can end
 * there again; the runs as they are if lines and text do not match
 */
export const withOptionalHyphens = ({ runs, lines, list }: Paragraph): readonly Run[] => {
  const letters = solid(runs);
  const places = new Set<number>();
  let at = 0;
  for (const [index, line] of lines.slice(0, -1).entries()) {
    const mark = index === 0 && list !== undefined ? solid([{ text: list.mark }]).length : 0;
    const printed = solid(line.runs).slice(mark);
    const divided = printed.replace(HYPHEN, "");
    if (letters.startsWith(printed, at)) {
      at += printed.length;
    } else if (letters.startsWith(divided, at)) {
      at += divided.length;
      places.add(at);
    } else {
      return runs;
    }
  }
  return places.size === 0 ? runs : inserted(runs, places);
};

const solid = (runs: readonly Pick<Run, "text">[]): string => runs.map(({ text }) => text.replace(/\s/gu, "")).join("");

/** @param places numbers of letters, without spaces, before which an optional hyphen goes */
const inserted = (runs: readonly Run[], places: ReadonlySet<number>): Run[] => {
  let at = 0;
  return runs.map((run) => {
    const text = [...run.text].map((letter) => {
      if (/\s/u.test(letter)) {
        return letter;
      }
      const hyphen = places.has(at) ? SOFT_HYPHEN : "";
      at += letter.length;
      return hyphen + letter;
    });
    return { ...run, text: text.join("") };
  });
};
