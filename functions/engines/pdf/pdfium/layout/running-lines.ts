import type { PageContent, Word } from "../content/content.ts";
import type { Box } from "../page/geometry.ts";
import type { DocumentStyle } from "./document-style.ts";
import type { Paragraph, Run } from "./model.ts";
import { paragraphsIn } from "./paragraphs.ts";
import { type Line, lineText, rowsOf } from "./rows.ts";

/** The running lines of a page. */
export interface RunningLines {
  readonly words: ReadonlySet<Word>;
  readonly header: readonly Line[];
  readonly footer: readonly Line[];
}

/** Share of the page height at the top and bottom in which repeated lines are searched. */
const MARGIN = 0.12;
/** Share of the height in which a page number on its own is a running line. */
const NUMBER_MARGIN = 0.1;
/** Minimum share of pages that repeat a line, and minimum number of pages. */
const SHARE_MIN = 0.4;
const PAGES_MIN = 2;
/** Points within which a line is at the same place on all pages. */
const PLACE = 4;
const LINES_MAX = 8;

interface Candidate {
  readonly page: number;
  readonly line: Line;
  readonly isTop: boolean;
  readonly key: string;
}

/** @returns the lines of each page that are repeated at its top and bottom, apart from numbers, and page numbers */
export const runningLines = (pages: readonly PageContent[]): RunningLines[] => {
  const candidates = pages.map(candidatesOf);
  const counts = new Map<string, Set<number>>();
  for (const { key, page } of candidates.flat()) {
    counts.set(key, (counts.get(key) ?? new Set()).add(page));
  }
  const least = Math.max(PAGES_MIN, SHARE_MIN * pages.length);
  return pages.map((_, index) => {
    const found = (candidates[index] ?? []).filter(
      (candidate) => (counts.get(candidate.key)?.size ?? 0) >= least || isPageNumber(candidate, candidates[index] ?? []),
    );
    const lines = (isTop: boolean) => found.filter((candidate) => candidate.isTop === isTop).map(({ line }) => line);
    return { words: new Set(found.flatMap(({ line }) => line.words)), header: lines(true), footer: lines(false) };
  });
};

const candidatesOf = ({ words, height }: PageContent, page: number): Candidate[] => {
  const edge = words.filter(({ baseline }) => baseline < MARGIN * height || baseline > (1 - MARGIN) * height);
  const rows = rowsOf(edge);
  const tops = rows.filter(({ baseline }) => baseline < height / 2);
  const bottoms = rows.slice(tops.length).toReversed();
  return [tops, bottoms].flatMap((lines) =>
    lines.slice(0, LINES_MAX).map((line) => {
      const isTop = lines === tops;
      const place = Math.round((isTop ? line.baseline : height - line.baseline) / PLACE);
      const text = lineText(line).replace(/\d+/g, "#").replace(/\b[ivxlc]+\b/gi, "#");
      return { page, line, isTop, key: `${isTop} ${place} ${text}` };
    }),
  );
};

const PAGE_NUMBER =
  /^[-–—|[(\s]*(?:(?:page|seite|p\.|página|pagina|strona|side|sida|страница)\s*)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:of|\/|von|de|di|sur|van|из|z)\s*\d{1,4})?[-–—|\])\s]*$/iu;

/** @returns whether a line is the outermost one and nothing but a page number */
const isPageNumber = ({ line, isTop }: Candidate, all: readonly Candidate[]): boolean => {
  const outer = all.find((candidate) => candidate.isTop === isTop);
  return outer?.line === line && PAGE_NUMBER.test(lineText(line));
};

/** @returns the paragraphs of running lines, with the page number as a field */
export const runningParagraphs = (
  lines: readonly Line[],
  box: Box,
  { style, number, pages }: { style: DocumentStyle; number: number; pages: number },
): Paragraph[] => {
  const context = { style, boxes: [], rtl: false, isCell: false };
  const sorted = lines.toSorted((one, other) => one.baseline - other.baseline);
  return sorted
    .flatMap((line) => paragraphsIn([line], box, context))
    .map((paragraph) => ({ ...paragraph, heading: undefined, list: undefined, runs: paragraph.runs.flatMap((run) => fields(run, number, pages)) }));
};

/** @returns a run with the numbers of the page and of the last page as fields */
const fields = (run: Run, number: number, pages: number): Run[] =>
  run.text.split(/(?<![\d.,])(\d{1,5})(?![\d.,]*\d)/u).flatMap((text, index) => {
    const field = index % 2 === 0 ? undefined : Number(text) === number ? "page" : Number(text) === pages && pages > 1 ? "pages" : undefined;
    return text === "" ? [] : [field === undefined ? { ...run, text } : { ...run, text, field }];
  });

export { NUMBER_MARGIN };
