import type { Borders, Paragraph, Run, Stroke } from "../layout/model.ts";
import type { Box } from "../page/geometry.ts";
import { twips, val, w } from "./elements.ts";
import { COMPLEX, hasMetrics, isReplaced } from "./fonts.ts";
import { LEVELS_MAX } from "./looks.ts";
import { type RunTarget, runsXml } from "./runs.ts";

/** The column of Word, or the cell, in which a paragraph is, and the column of the layout: points from the page's left. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly column: Pick<Box, "left" | "right">;
  /** How far a single line may extend over the right edge before it is broken. */
  readonly slack: number;
}

/** A paragraph, with what depends on its place in the document. */
export interface Placed {
  readonly paragraph: Paragraph;
  readonly frame: Frame;
  readonly before: number;
  readonly after?: number;
  /** Runs before the text: breaks, anchored pictures. */
  readonly lead?: string;
  /** Whether nothing is above it that its separators could cross. @default false */
  readonly isFirst?: boolean;
  readonly pageBreak?: boolean;
  readonly list?: { readonly instance: number; readonly level: number } | undefined;
  /** Properties of the section that ends with the paragraph. */
  readonly section?: string;
}

/** @returns the paragraph as it is printed, with the properties in the order of the schema (CT_PPr) */
export const paragraphXml = (placed: Placed, target: RunTarget): string => {
  const { paragraph, before, after = 0, lead = "", list } = placed;
  const { heading, fill, borders, align, rtl, runs } = paragraph;
  const properties = [
    heading === undefined ? "" : val("pStyle", `Heading${Math.min(heading, LEVELS_MAX)}`),
    placed.pageBreak === true ? "<w:pageBreakBefore/>" : "",
    listXml(list),
    borders === undefined ? "" : bordersXml(borders),
    fill === undefined ? "" : w("shd", { val: "clear", color: "auto", fill }),
    tabsXml(placed),
    rtl ? "<w:bidi/>" : "",
    w("spacing", { before: gap(before), after: gap(after), ...lineOf(paragraph) }),
    w("ind", indentsOf(placed)).replace("<w:ind/>", ""),
    align === "start" ? "" : val("jc", { center: "center", end: "right", justify: "both" }[align]),
    list === undefined ? "" : markXml(runs[0]),
    placed.section ?? "",
  ];
  return w("p", {}, w("pPr", {}, ...properties), lead, runsXml(runs, target));
};

const gap = (points: number): number => Math.max(0, twips(points));

export const listXml = (list: Placed["list"]): string =>
  list === undefined ? "" : w("numPr", {}, val("ilvl", list.level), val("numId", list.instance));

/** The mark of a list has the look of the paragraph's end. */
const markXml = (run: Run | undefined): string =>
  run === undefined
    ? ""
    : w("rPr", {}, run.bold ? "<w:b/>" : "", val("color", run.color), val("sz", Math.max(2, Math.round(run.size * 2))));

/** Share of the size that a line needs at least: below it, exact heights would cut letters off. */
export const LINE_MIN = 1.1;

/** @returns the height of lines: as printed, unless tall letters need more */
const lineOf = ({ lineHeight, top, bottom, runs }: Paragraph) => {
  const single = lineHeight <= 0;
  const height = single ? bottom - top : lineHeight;
  // Marks of another size than the text are not as high as letters.
  const lettered = runs.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  const size = Math.max(0, ...(lettered.length === 0 ? runs : lettered).map((run) => run.size));
  const tall = (single && runs.some(({ text }) => COMPLEX.test(text))) || height < LINE_MIN * size;
  return { line: Math.max(20, twips(height)), lineRule: tall ? "atLeast" : "exact" };
};

/** Differences in points that are not visible. */
const NEAR = 2;

/** @returns the distances from the frame's edges; the edge of a ragged side is free, so that lines are not broken early */
const indentsOf = ({ paragraph, frame, list }: Placed): Record<string, number | undefined> => {
  const { align, rtl, firstLine } = paragraph;
  const left = frame.column.left + paragraph.indentLeft - frame.left;
  const right = frame.right - (frame.column.right - paragraph.indentRight);
  // Word joins the boxes of paragraphs with equal edges.
  const isBoxed = paragraph.borders !== undefined || paragraph.fill !== undefined;
  const [start, end] = rtl ? [right, left] : [left, right];
  const first =
    firstLine < -0.5 ? { hanging: twips(-firstLine) } : firstLine > 0.5 ? { firstLine: twips(firstLine) } : {};
  const edges = {
    justify: [start, end],
    start: [start, isBoxed ? end : ragged(end, paragraph, frame)],
    end: [0, end],
  } as const;
  const [from, to] = roomy(align === "center" ? centered(paragraph, frame) : edges[align], { paragraph, frame });
  const written = (points: number): number | undefined => (Math.abs(points) < 0.5 ? undefined : twips(points));
  return {
    left: list === undefined ? written(from) : twips(from),
    right: written(to),
    ...(align === "start" || align === "justify" ? first : {}),
  };
};

/** Points, and share of its width, that a single line has in addition: in other programs it may be wider. */
const SPARE = 1;
const SPARE_SHARE = 0.03;
const SPARE_MAX = 4;
/** The share if the font may be replaced by one with other widths. */
const SPARE_UNSURE = 0.35;

/** @returns the distances, reduced so that a single line is not broken: it may extend over the margin of a cell */
const roomy = (
  [from, to]: readonly [number, number],
  { paragraph: { lines, align, lineHeight, firstLine, runs }, frame }: Pick<Placed, "paragraph" | "frame">,
): readonly [number, number] => {
  const [line] = lines;
  if (lineHeight > 0 || line === undefined || align === "justify" || runs.some(({ text }) => text.includes("\t"))) {
    return [from, to];
  }
  const width = line.right - line.left;
  const isSure = runs.every((run) => hasMetrics(run) || isReplaced(run));
  const needed = width + (isSure ? Math.min(SPARE_MAX, SPARE + SPARE_SHARE * width) : SPARE_UNSURE * width);
  const start = align === "start" ? firstLine : 0;
  const missing = Math.max(0, needed - (frame.right - to - (frame.left + from + start)));
  return {
    start: [from, to - missing] as const,
    end: [from - missing, to] as const,
    center: [from - missing / 2, to - missing / 2] as const,
  }[align];
};

const ragged = (end: number, { lines, lineHeight, runs }: Paragraph, { slack }: Frame): number => {
  const size = runs[0]?.size ?? 10;
  if (lineHeight <= 0) {
    return end < 2 * size ? Math.min(0, end) - slack : 0;
  }
  return lines.length > 2 && end > 4 * size ? end - 2 * size : Math.min(0, end);
};

const centered = ({ lines, left, right }: Paragraph, frame: Frame): readonly [number, number] => {
  const texts = lines.length === 0 ? [{ left, right }] : lines;
  const middle = (Math.min(...texts.map((line) => line.left)) + Math.max(...texts.map((line) => line.right))) / 2;
  const width = Math.max(...texts.map((line) => line.right - line.left));
  const half = Math.max(Math.min(middle - frame.left, frame.right - middle), width / 2 + NEAR);
  const [from, to] = [middle - half - frame.left, frame.right - middle - half];
  return Math.abs(from - to) < NEAR ? [0, 0] : [from, to];
};

/** @returns tab stops where the parts of a line begin */
const tabsXml = ({ paragraph: { lines, runs }, frame }: Placed): string => {
  if (!runs.some(({ text }) => text.includes("\t"))) {
    return "";
  }
  const [line] = lines;
  const stops = lines.flatMap(({ tabs = [] }) => tabs).map((at) => twips(at - frame.left));
  if (stops.length === 0 && lines.length === 1 && line !== undefined) {
    return w("tabs", {}, w("tab", { val: "right", pos: twips(line.right - frame.left) }));
  }
  const places = [...new Set(stops)].filter((at) => at > 0).toSorted((one, other) => one - other);
  return places.length === 0 ? "" : w("tabs", {}, ...places.slice(0, 60).map((pos) => w("tab", { val: "left", pos })));
};

/** @returns a border of the paragraph's box */
const bordersXml = (borders: Borders): string =>
  w("pBdr", {}, ...SIDES.map((side) => strokeXml(side, borders[side], 1)));

/** The sides in the order of the schema. */
export const SIDES = ["top", "left", "bottom", "right"] as const;

/** @returns a border of an allowed width: 1/4 to 12 points */
export const strokeXml = (name: string, stroke: Stroke | undefined, space = 0): string =>
  stroke === undefined
    ? ""
    : w(name, {
        val: "single",
        sz: Math.max(2, Math.min(96, Math.round(stroke.width * 8))),
        space,
        color: stroke.color,
      });
