import { around, type Box, median } from "../page/geometry.ts";
import { alignmentOf } from "./alignment.ts";
import type { DocumentStyle } from "./document-style.ts";
import { headingLevel } from "./headings.ts";
import { depthOf, type Levels, type Mark, marksOf, startsWithTick } from "./list-marks.ts";
import { localEnds } from "./local-ends.ts";
import type { Borders, Paragraph, Run, TextLine } from "./model.ts";
import { inOrder, type Line, readsRight, runsOf, tabsOf } from "./rows.ts";
import { flowing, textOf, withoutStart } from "./runs.ts";
import { isInside } from "./strips.ts";

/** A box drawn around paragraphs. */
export interface TextBox extends Box {
  readonly fill?: string | undefined;
  readonly borders?: Borders | undefined;
}

/** What paragraphs depend on, apart from their lines. */
export interface TextContext {
  readonly style: DocumentStyle;
  readonly boxes: readonly TextBox[];
  readonly rtl: boolean;
  /** Whether the text is in a table cell, where nothing is a heading. */
  readonly isCell: boolean;
}

/** A line with what decides where a paragraph ends. */
interface TextualLine extends Line {
  readonly runs: readonly Run[];
  readonly text: string;
  readonly rtl: boolean;
  readonly bold: boolean;
  readonly mark: Mark | undefined;
  readonly box: TextBox | undefined;
  /** Structure element of its first word, if the PDF has tags. */
  readonly element: number | undefined;
  /** Distances of its ends from the edges of the column; those of lines around it if they are shorter. */
  readonly indent: number;
  readonly room: number;
}

/** Maximum lines of a paragraph. */
const LINES_MAX = 1_000;

/** @returns the paragraphs of lines from the top; `box` is the column or cell */
export const paragraphsIn = (lines: readonly Line[], box: Box, context: TextContext): Paragraph[] => {
  const textual = textualLines(lines, box, context);
  const usual = usualStep(lines, context.style);
  const groups: TextualLine[][] = [];
  for (const line of textual) {
    const last = groups.at(-1);
    if (last === undefined || last.length >= LINES_MAX || isBreak(last, line, usual, textual)) {
      groups.push([line]);
    } else {
      last.push(line);
    }
  }
  const levels: Levels = [];
  return groups.map((group, index) => paragraphOf(group, { box, context, levels, next: groups[index + 1] }));
};

const textualLines = (lines: readonly Line[], column: Box, { boxes, rtl }: TextContext): TextualLine[] => {
  const marks = marksOf(lines, rtl);
  const edges = lines.map((line) => edgesAt(line, column, boxes));
  const rights = localEnds(lines, rtl);
  return lines.map((line, index) => {
    const runs = runsOf(line);
    const box = boxes.find((other) => isInside(line, other));
    const { left, right } = edges[index] ?? column;
    const end = rights[index] ?? (rtl ? left : right);
    return {
      ...line,
      runs,
      text: textOf(runs),
      rtl: readsRight(line.words),
      bold: runs.every(({ bold, text }) => bold || text.trim() === ""),
      mark: marks[index],
      box,
      element: inOrder(line.words)[0]?.tag?.element,
      indent: rtl ? right - line.right : line.left - left,
      room: rtl ? line.left - end : end - line.right,
    };
  });
};

const edgesAt = (line: Line, column: Box, boxes: readonly TextBox[]): Box =>
  boxes.find((box) => isInside(line, box)) ?? column;

/** Lines of one size from which on their usual distance is known. */
const STEPS_MIN = 4;

/** @returns the usual distance of the baselines of these lines, in units of the letter size */
const usualStep = (lines: readonly Line[], { leading }: DocumentStyle): number => {
  const steps = lines.slice(1).flatMap((line, index) => {
    const above = lines[index];
    const step = above === undefined ? 0 : (line.baseline - above.baseline) / line.size;
    const same = above !== undefined && Math.abs(above.size - line.size) < 0.05 * line.size;
    return same && step > 0.8 && step < 2.6 ? [Math.round(step * 20) / 20] : [];
  });
  const [most] = [...Map.groupBy(steps, (step) => step).values()].toSorted((one, other) => other.length - one.length);
  return most === undefined || most.length < STEPS_MIN ? leading : Math.min(most[0] ?? leading, 1.5 * leading);
};

/** In units of the letter size. */
const STEP_SLACK = 0.22;
const INDENT = 0.8;
const SPACE = 0.3;
const ROOM_SLACK = 0.9;
const SIZE_RATIO = 1.12;

/** @returns whether a line begins a new paragraph after the lines of the current one */
const isBreak = (
  lines: readonly TextualLine[],
  line: TextualLine,
  usual: number,
  all: readonly TextualLine[],
): boolean => {
  const [first, last] = [lines[0] ?? line, lines.at(-1) ?? line];
  const before = lines.at(-2);
  if (last.box !== line.box || line.mark !== undefined || last.rtl !== line.rtl || LEADERS.test(last.text)) {
    return true;
  }
  if (marginNumber(line) === (marginNumber(last) ?? Number.NaN) + 1) {
    return true;
  }
  if (Math.max(last.size, line.size) > SIZE_RATIO * Math.min(last.size, line.size)) {
    return true;
  }
  const step = before === undefined ? usual * line.size : last.baseline - before.baseline;
  if (line.baseline - last.baseline > step + STEP_SLACK * line.size) {
    return true;
  }
  const centered = isCentered(last) && isCentered(line);
  if (last.element !== undefined && last.element === line.element) {
    return centered && hadRoom(last, line);
  }
  if (areTabbed(last, line) || areTabbed(line, last)) {
    return true;
  }
  const title = centered && last.bold === line.bold;
  if (title && isNearlyFull(last) && last.runs[0]?.color === line.runs[0]?.color) {
    return false;
  }
  if (last.bold !== line.bold && !/^\p{Ll}/u.test(line.text) && last.room > 0) {
    return true;
  }
  return hadRoom(last, line) || (!title && isIndented(lines, first, line, all));
};

/** White space after the number of a line, in units of the letter size. */
const NUMBER_GAP = 1.2;

/** @returns the number at the start of a line whose lines are counted, as in a transcript */
const marginNumber = ({ words, size }: TextualLine): number | undefined => {
  const [first, second] = inOrder(words);
  const isApart = first !== undefined && (second === undefined || second.left - first.right > NUMBER_GAP * size);
  return isApart && /^\d{1,4}$/.test(first.text) ? Number(first.text) : undefined;
};

/** Characters before a tab, from which on it separates texts side by side rather than a number from its text. */
const TABBED_MIN = 8;

/** @returns whether a line has texts side by side, and the other has them, too, or continues only the first of them */
const areTabbed = (line: TextualLine, other: TextualLine): boolean =>
  line.text.indexOf("\t") >= TABBED_MIN &&
  (other.text.indexOf("\t") >= TABBED_MIN || (!line.rtl && other.right < (tabsOf(line)[0] ?? 0)));

/** Dots up to a page number, in a table of contents. */
const LEADERS = /(?:\.\s?){5,}\s*[\divxlc]+$/u;

/** @returns whether a line has about the same white space on both sides */
const isCentered = ({ indent, room, size }: TextualLine): boolean => indent > size && Math.abs(indent - room) < size;

/** Share of the column that a line of a title fills, so that the next line continues it. */
const TITLE_FILL = 0.6;

const isNearlyFull = ({ left, right, indent, room }: TextualLine): boolean =>
  right - left > TITLE_FILL * (right - left + indent + room);

/** Share of the column that must be free for a line to end a paragraph in the middle of a sentence. */
const ROOM_SHARE = 0.7;

/** @returns whether the first word of the next line had room on this one, so that the line was ended on purpose */
const hadRoom = (line: TextualLine, next: TextualLine): boolean => {
  const [word] = inOrder(next.words);
  const width = word === undefined ? 0 : word.right - word.left;
  const lower = /^\p{Ll}/u.test(next.text);
  if (/\p{L}[-\u00ad\u2010]$/u.test(line.text)) {
    return false;
  }
  const ended = /[.!?:。]["”»)]?$/u.test(line.text) && !lower;
  const isFlushEnd = line.room < SPACE * line.size && Math.abs(line.indent - next.indent) > line.size;
  const free = line.room + (isCentered(line) || (isFlushEnd && line.indent > END_INDENT * line.size) ? line.indent : 0);
  const within =
    lower && /[\p{L},]$/u.test(line.text) ? ROOM_SHARE * (line.right - line.left + line.room + line.indent) : 0;
  return free > Math.max(width + (SPACE + (ended ? 0.2 : ROOM_SLACK)) * line.size, within);
};

/** In units of the letter size: white space before lines that end at the column's edge. */
const END_INDENT = 6;

const isIndented = (
  lines: readonly TextualLine[],
  first: TextualLine,
  line: TextualLine,
  all: readonly TextualLine[],
): boolean => {
  const limit = INDENT * line.size;
  if (lines.length > 1) {
    return Math.abs(line.indent - (lines[1]?.indent ?? 0)) > limit;
  }
  if (first.mark !== undefined) {
    return line.indent < first.indent - limit && !/[\p{L},]$/u.test(lines.at(-1)?.text ?? "");
  }
  if (line.indent <= first.indent + limit) {
    return false;
  }
  // Deeper than the line above: a new paragraph, unless most lines are as deep, below first lines further out.
  const near = (indent: number) => all.filter((other) => Math.abs(other.indent - indent) < limit / 2).length;
  return near(line.indent) < near(first.indent) || near(line.indent) < 2;
};

interface Surroundings {
  readonly box: Box;
  readonly context: TextContext;
  readonly levels: Levels;
  readonly next: readonly TextualLine[] | undefined;
}

const paragraphOf = (lines: readonly TextualLine[], { box, context, levels, next }: Surroundings): Paragraph => {
  const [first] = lines;
  if (first === undefined) {
    throw new TypeError("Expected at least one line.");
  }
  const heading = context.isCell ? undefined : headingLevel(lines, next, context.style);
  const mark = heading === undefined && !startsWithTick(first.mark?.mark ?? "") ? first.mark : undefined;
  mark === undefined && first.indent < (levels[0] ?? 0) && levels.splice(0);
  const kept = context.style.hyphenated;
  const [start = [], ...others] = lines.map(({ runs }, index) =>
    index === 0 && mark !== undefined ? withoutStart(runs, mark.mark.length) : runs,
  );
  const column = first.box ?? box;
  const alignment = alignmentOf(lines, column, {
    ...{ rtl: first.rtl, textStart: first.mark?.text, isCell: context.isCell },
    isTabbed: lines.some(({ text }) => text.includes("\t")),
  });
  return {
    kind: "paragraph",
    runs: others.reduce<readonly Run[]>((runs, more) => flowing(runs, more, kept), start),
    lines: lines.map(printed),
    ...placeOf(lines),
    ...alignment,
    // The first line of a title in two lines is full by chance.
    ...(heading !== undefined && alignment.align === "justify" ? { align: "start" } : {}),
    spaceBefore: 0,
    rtl: first.rtl,
    heading,
    list: mark && {
      depth: depthOf(levels, mark.start),
      ordered: mark.ordered,
      number: mark.number,
      mark: mark.mark,
    },
    fill: first.box?.fill,
    borders: first.box?.borders,
    open: false,
  };
};

const printed = (line: TextualLine): TextLine => {
  const { left, top, right, bottom, baseline, runs, text } = line;
  return { left, top, right, bottom, baseline, runs, ...(text.includes("\t") ? { tabs: tabsOf(line) } : {}) };
};

/** Height of a single line in units of the letter size, and its share above the baseline. */
const SINGLE = 1.2;
const ABOVE = 0.8;

const placeOf = (lines: readonly TextualLine[]): Box & Pick<Paragraph, "lineHeight"> => {
  const { left, right } = around(lines);
  const [first, last] = [lines[0], lines.at(-1)];
  const steps = lines.slice(1).map(({ baseline }, index) => baseline - (lines[index]?.baseline ?? 0));
  const height = steps.length === 0 ? SINGLE * (first?.size ?? 0) : median(steps);
  return {
    left,
    right,
    top: (first?.baseline ?? 0) - ABOVE * height,
    bottom: (last?.baseline ?? 0) + (1 - ABOVE) * height,
    lineHeight: steps.length === 0 ? 0 : height,
  };
};
