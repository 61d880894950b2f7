import type { PageContent, Word } from "../content/content.ts";
import type { Box } from "../page/geometry.ts";
import type { DocumentStyle } from "./document-style.ts";
import type { Paragraph, Run } from "./model.ts";
import { paragraphsIn } from "./paragraphs.ts";
import { type Line, lineText, rowsOf } from "./rows.ts";
import { joinRules } from "./tables/rulings.ts";

/** A line at the top or bottom of a page that is not part of its text. */
export interface RunningLine {
  readonly line: Line;
  /** Which of its numbers is the page number, from 0. */
  readonly pageNumber: number | undefined;
}

/** The running lines of a page. */
export interface RunningLines {
  readonly words: ReadonlySet<Word>;
  readonly header: readonly RunningLine[];
  readonly footer: readonly RunningLine[];
}

/**
 * Share of the page height at the top and bottom in which repeated lines are searched; lines further from the edge are
 * candidates if white space separates them from the text, in units of the letter size. The
 * sender above an address is below the top margin, and stays in the text.
 */
const MARGIN = 0.12;
const MARGIN_MAX = { top: 0.15, bottom: 0.2 };
const APART = 1.2;
/** Minimum share of pages that repeat a line, and minimum number of pages. */
const SHARE_MIN = 0.4;
const PAGES_MIN = 2;
/** Points within which a line is at the same place on all pages. */
const PLACE = 4;
const LINES_MAX = 8;
/** Vertical rules at the height of a line that reach into the page: it is the header of a table. */
const GRID_UPRIGHTS = 3;

interface Candidate {
  readonly page: number;
  readonly text: string;
  readonly isTop: boolean;
  /** Whether it is so near to the edge that a single number is the page number. */
  readonly isNear: boolean;
  readonly key: string;
}

interface PlacedCandidate extends Candidate {
  readonly line: Line;
}

/** Collects the lines at the edges of pages. */
export const runningCounter = () => {
  const groups = new Map<string, Candidate[]>();
  let pages = 0;
  const add = (page: PageContent): void => {
    pages += 1;
    for (const { line: _, ...candidate } of candidatesOf(page)) {
      const group = groups.get(candidate.key);
      group === undefined ? groups.set(candidate.key, [candidate]) : group.push(candidate);
    }
  };
  /** @returns a function that finds the lines of a page that are repeated, apart from numbers, and page numbers */
  const running = () => {
    const least = Math.max(PAGES_MIN, SHARE_MIN * pages);
    const repeated = [...groups].filter(([, group]) => pagesOf(group) >= least);
    const numbers = new Map(repeated.map(([key, group]) => [key, pageNumberIn(group)]));
    return (page: PageContent): RunningLines => runningLines(page, numbers);
  };
  return { add, running };
};

/** @param repeated keys of repeated lines, with which of their numbers is the page number */
const runningLines = (page: PageContent, repeated: ReadonlyMap<string, number | undefined>): RunningLines => {
  const all = candidatesOf(page);
  const lines = (isTop: boolean): RunningLine[] => {
    const outer = all.filter((candidate) => candidate.isTop === isTop);
    const end = outer.findIndex(
      ({ key, isNear, text }, index) => !repeated.has(key) && (index > 0 || !isNear || !PAGE_NUMBER.test(text)),
    );
    return outer.slice(0, end === -1 ? outer.length : end).map(({ line, ...candidate }) => ({
      line,
      pageNumber: repeated.has(candidate.key) ? repeated.get(candidate.key) : pageNumberIn([candidate]),
    }));
  };
  const [header, footer] = [lines(true), lines(false)];
  return { header, footer, words: new Set([...header, ...footer].flatMap(({ line }) => line.words)) };
};

const pagesOf = (lines: readonly Candidate[]): number => new Set(lines.map(({ page }) => page)).size;

/** @returns the lines near the edges of a page, the outermost first */
const candidatesOf = ({ words, height, number, rules }: PageContent): PlacedCandidate[] => {
  const uprights = joinRules(rules.filter(({ across }) => !across));
  const inner = uprights.filter(({ from, to }) => from < (1 - MARGIN) * height && to > MARGIN * height);
  const isInGrid = ({ baseline }: Line) =>
    inner.filter(({ from, to }) => from < baseline && to > baseline).length >= GRID_UPRIGHTS;
  const rows = rowsOf(
    words.filter(({ baseline }) => Math.abs(baseline / height - 0.5) > 0.5 - 1.5 * MARGIN_MAX.bottom),
  );
  const candidates = (isTop: boolean): PlacedCandidate[] => {
    const lines = rows.filter(({ baseline }) => baseline < height / 2 === isTop);
    const sorted = isTop ? lines : lines.toReversed();
    const distance = (line: Line) => (isTop ? line.baseline : height - line.baseline);
    const margin = isTop ? MARGIN_MAX.top : MARGIN_MAX.bottom;
    const isNear = (line: Line) => distance(line) < MARGIN * height;
    return sorted
      .filter((line, index) => {
        const isOutside = distance(line) < margin * height && isApart(line, sorted[index + 1]);
        return (isNear(line) || isOutside) && !isInGrid(line);
      })
      .slice(0, LINES_MAX)
      .map((line) => {
        const place = Math.round(distance(line) / PLACE);
        const text = lineText(line);
        const pattern = text.replace(/\d+/g, "#").replace(/\b[ivxlc]+\b/gi, "#");
        return { page: number, line, text, isTop, isNear: isNear(line), key: `${isTop} ${place} ${pattern}` };
      });
  };
  return [...candidates(true), ...candidates(false)];
};

const isApart = (line: Line, next: Line | undefined): boolean =>
  next === undefined || Math.max(line.top - next.bottom, next.top - line.bottom) > APART * line.size;

const PAGE_NUMBER =
  /^[-–—|[(\s]*(?:(?:page|seite|p\.|página|pagina|strona|side|sida|страница)\s*)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:of|\/|von|de|di|sur|van|из|z)\s*\d{1,4})?[-–—|\])\s]*$/iu;

/** @returns which of the numbers in equal lines of several pages is the page number */
const pageNumberIn = (lines: readonly Candidate[]): number | undefined => {
  const numbers = lines.map(({ text }) => (text.match(/\d+/g) ?? []).map(Number));
  const index = numbers[0]?.findIndex((_, at) => lines.every(({ page }, line) => numbers[line]?.[at] === page)) ?? -1;
  return index === -1 ? undefined : index;
};

/** @returns the paragraphs of running lines, with the page number as a field */
export const runningParagraphs = (
  lines: readonly RunningLine[],
  box: Box,
  { style, pages }: { style: DocumentStyle; pages: number },
): Paragraph[] => {
  const context = { style, boxes: [], rtl: false, isCell: false };
  return lines
    .toSorted((one, other) => one.line.baseline - other.line.baseline)
    .flatMap(({ line, pageNumber }) =>
      paragraphsIn([line], box, context).map((paragraph) => ({
        ...paragraph,
        heading: undefined,
        list: undefined,
        runs: withFields(paragraph.runs, pageNumber, pages),
      })),
    );
};

/** @returns the runs with the number of the page, and that of the last page after it, as fields */
const withFields = (runs: readonly Run[], pageNumber: number | undefined, pages: number): readonly Run[] => {
  let index = -1;
  return pageNumber === undefined
    ? runs
    : runs.flatMap((run) =>
        run.text.split(/(\d+)/u).flatMap((text, at) => {
          index += at % 2;
          const isLast = index === pageNumber + 1 && Number(text) === pages && pages > 1;
          const field = at % 2 === 0 ? undefined : index === pageNumber ? "page" : isLast ? "pages" : undefined;
          return text === "" ? [] : [field === undefined ? { ...run, text } : ({ ...run, text, field } as const)];
        }),
      );
};
