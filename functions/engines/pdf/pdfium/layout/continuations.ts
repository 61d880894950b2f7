import { startsWithTick } from "./list-marks.ts";
import type { Block, PageLayout, Paragraph, Table } from "./model.ts";
import { textOf } from "./runs.ts";
import { repeatsHeader } from "./tables/header.ts";

/** @returns the pages with paragraphs and tables marked that continue in the next column or on the next page */
export const withContinuations = function* (pages: Iterable<PageLayout>): Generator<PageLayout> {
  let waiting: PageLayout[] = [];
  for (const page of pages) {
    if (waiting.length > 0 && page.sections.length > 0) {
      yield* marked(waiting, page);
      waiting = [];
    }
    waiting.push(page);
  }
  yield* marked(waiting);
};

/** @param next the page after these */
const marked = (pages: readonly PageLayout[], ...next: readonly PageLayout[]): PageLayout[] => {
  const columns = [...pages, ...next].flatMap((page) =>
    page.sections.flatMap((section, index) =>
      section.columns.map((column, at) => ({
        blocks: column.blocks,
        // Below columns the text of a wider section does not continue them.
        follows: at > 0 || index === 0,
        right: column.right,
        left: column.left,
      })),
    ),
  );
  const open = new Map<Block, Block>();
  for (const [index, column] of columns.entries()) {
    const next = columns[index + 1];
    const [last, first] = [column.blocks.at(-1), next?.blocks[0]];
    if (next?.follows !== true || last === undefined || first === undefined) {
      continue;
    }
    if (last.kind === "table" && first.kind === "table") {
      isSameTable(last, first) && open.set(last, { ...last, open: true, headedOnce: !repeatsHeader(last, first) });
    } else if (last.kind === "paragraph" && first.kind === "paragraph" && continues(last, first, column)) {
      open.set(last, { ...last, open: true });
    }
  }
  return pages.map((page) => ({
    ...page,
    sections: page.sections.map((section) => ({
      ...section,
      columns: section.columns.map((column) => ({
        ...column,
        blocks: column.blocks.map((block) => open.get(block) ?? block),
      })),
    })),
  }));
};

/** Tolerance in points for columns of a table at the same place on the next page. */
const COLUMN_PLACE = 8;

const isSameTable = (one: Table, other: Table): boolean =>
  one.xs.length === other.xs.length && one.xs.every((x, index) => Math.abs(x - (other.xs[index] ?? 0)) < COLUMN_PLACE);

/** White space at the end of a line that is full, in units of the letter size. */
const FULL = 3;

const continues = (one: Paragraph, other: Paragraph, { left, right }: { left: number; right: number }): boolean => {
  const [last, first] = [one.lines.at(-1), other.lines[0]];
  const size = one.runs.at(-1)?.size ?? 0;
  if (last === undefined || first === undefined || other.list !== undefined || other.heading !== one.heading) {
    return false;
  }
  const text = textOf(one.runs);
  const room = one.rtl ? last.left - left - one.indentLeft : right - one.indentRight - last.right;
  const sameSize = Math.abs(size - (other.runs[0]?.size ?? 0)) < 1;
  const starts = textOf(other.runs);
  if (startsWithTick(starts)) {
    return false;
  }
  if (!sameSize || /[.!?:。]["”’»)\]]?$/u.test(text)) {
    return sameSize && /^\p{Ll}/u.test(starts) && room < FULL * size && !/[!?:。]["”’»)\]]?$/u.test(text);
  }
  return (
    /^\p{Ll}/u.test(starts) ||
    /[-\u00ad\u2010,]$/u.test(text) ||
    (room < FULL * size && other.firstLine <= 0 && one.heading === undefined)
  );
};
