import type { Borders, Cell, CompleteLayout, ListMark, Paragraph, Run, Stroke } from "../layout/model.ts";
import type { Box } from "../page/geometry.ts";
import { familyOf as fontOf } from "../word/fonts.ts";
import { bodyOf, paragraphsIn } from "./flow.ts";
import type { Style } from "./html-sheet.ts";

/** The style of most of the text, which the body has. */
export interface Base {
  /** Points. */
  readonly size: number;
  /** Value of `font-family`. */
  readonly family: string;
  readonly color: string;
  /** Distance of baselines as a multiple of the size. */
  readonly leading: number;
}

const LEADING = 1.2;

export const baseOf = ({ pages, bodySize }: CompleteLayout): Base => {
  const paragraphs = pages.flatMap((page) => paragraphsIn(bodyOf(page)));
  const runs = paragraphs.flatMap((paragraph) => paragraph.runs);
  const length = ({ text }: Run): number => text.length;
  return {
    size: bodySize || 12,
    family: mostOf(runs, familyOf, length) ?? "serif",
    color: mostOf(runs, ({ color }) => color, length) ?? "000000",
    leading: mostOf(paragraphs, leadingOf, ({ lines, lineHeight }) => (lineHeight > 0 ? lines.length : 0)) ?? LEADING,
  };
};

/** @returns the value with the largest sum of weights; undefined if there is none */
const mostOf = <T, V>(items: readonly T[], keyOf: (item: T) => V, weightOf: (item: T) => number): V | undefined => {
  const sums = new Map<V, number>();
  for (const item of items) {
    const value = keyOf(item);
    sums.set(value, (sums.get(value) ?? 0) + weightOf(item));
  }
  const most = Math.max(...sums.values());
  return [...sums].find(([, sum]) => sum === most && sum > 0)?.[0];
};

/** @returns a run in the style of most letters */
export const leadOf = (runs: readonly Run[]): Run | undefined => {
  if (runs.length < 2) {
    return runs[0];
  }
  const key = mostOf(runs, styleKey, ({ text }) => text.trim().length);
  return runs.find((run) => styleKey(run) === key) ?? runs[0];
};

/** @returns the value of `font-family`: the run's font, one with letters of the same kind, and the generic family */
const familyOf = (run: Run): string => {
  const [plain, generic] = run.mono
    ? ["Courier New", "monospace"]
    : run.serif
      ? ["Times New Roman", "serif"]
      : ["Arial", "sans-serif"];
  // The name comes from the file, without the quotes around it.
  const names = new Set([fontOf(run).replace(/["\\<]/g, ""), plain].filter(Boolean));
  return [...[...names].map((name) => `"${name}"`), generic].join(",");
};

const styleKey = ({ size, font, color, bold }: Run): string => `${Math.round(size * 5)} ${font} ${color} ${bold}`;

const leadingOf = ({ lineHeight, runs }: Paragraph): number =>
  lineHeight > 0 ? Math.min(3, Math.max(1, rounded(lineHeight / (leadOf(runs)?.size || lineHeight), 20))) : 0;

const rounded = (value: number, parts: number): number => Math.round(value * parts) / parts;

/** Maximum distances in ems, because a page of another width has less space. */
const SPACE_MAX = 6;
const INDENT_MAX = 12;

const em = (points: number, size: number, most: number): string =>
  `${Math.min(most, Math.max(-most, rounded(points / size, 5)))}em`.replace(/^-?0em$/, "0");

/** @returns a style without the properties that are undefined */
const styleOf = (properties: Readonly<Record<string, string | false | undefined>>): Style =>
  Object.fromEntries(Object.entries(properties).filter((each): each is [string, string] => Boolean(each[1])));

/** @returns the letters of a block whose parent has the size, in points, and otherwise the base */
const lettersStyle = (lead: Run | undefined, { size, family, color }: Base): Style =>
  lead === undefined
    ? {}
    : styleOf({
        "font-size": sizeIn(lead.size, size),
        "font-family": familyOf(lead) !== family && familyOf(lead),
        color: lead.color !== color && `#${lead.color}`,
      });

const sizeIn = (size: number, parent: number): string | undefined => {
  const ratio = rounded(size / parent, 20);
  return ratio === 1 || !(ratio > 0) ? undefined : `${ratio}em`;
};

/** What contains a paragraph. Items and cells have no indents; bold letters of headers are not marked. */
type Container = "column" | "list" | "cell" | "header";

/** @returns the style of a paragraph */
export const paragraphStyle = (paragraph: Paragraph, base: Base, inside: Container): Style => {
  const { align, rtl, indentLeft, indentRight, firstLine, spaceBefore, fill, borders, heading } = paragraph;
  const lead = leadOf(paragraph.runs);
  const size = lead?.size || base.size;
  const inCell = inside === "cell" || inside === "header";
  const indented = inside === "column" && (align === "start" || align === "justify");
  const framed = fill !== undefined || borders !== undefined;
  // The end of a ragged line is not an indent.
  const full = framed || align === "justify";
  const indent = indented ? em(firstLine, size, INDENT_MAX) : "0";
  const margins = [
    em(Math.max(0, spaceBefore), size, SPACE_MAX),
    indented && (full || rtl) ? em(indentRight, size, INDENT_MAX) : "0",
    "0",
    indented && (full || !rtl) ? em(indentLeft, size, INDENT_MAX) : "0",
  ];
  const leading = leadingOf(paragraph) || base.leading;
  return styleOf({
    ...lettersStyle(lead, base),
    "font-weight": (heading !== undefined || inside === "header") && (lead?.bold === true ? "bold" : "normal"),
    "line-height": leading !== base.leading && `${leading}`,
    "text-align": align !== "start" && !inCell && align,
    margin: !inCell && margins.some((value) => value !== "0") && margins.join(" "),
    "text-indent": indent !== "0" && indent,
    "background-color": fill !== undefined && `#${fill}`,
    ...bordersStyle(borders),
    padding: !inCell && framed && "0.2em 0.4em",
  });
};

const bordersStyle = (borders: Borders | undefined): Style => {
  const { top, right, bottom, left } = borders ?? {};
  const [one, ...others] = [top, right, bottom, left].map(strokeOf);
  return others.every((each) => each === one)
    ? styleOf({ border: one })
    : styleOf({
        "border-top": strokeOf(top),
        "border-right": strokeOf(right),
        "border-bottom": strokeOf(bottom),
        "border-left": strokeOf(left),
      });
};

const strokeOf = (stroke: Stroke | undefined): string | undefined =>
  stroke && `${Math.min(20, Math.max(0.5, rounded(stroke.width, 4)))}pt solid #${stroke.color}`;

/** @returns the style of a cell, and of its text if it is a single paragraph */
export const cellStyle = (
  { fill, borders }: Cell,
  only: Paragraph | undefined,
  base: Base,
  inside: Container,
): Style => ({
  ...(only && paragraphStyle(only, base, inside)),
  ...styleOf({ "background-color": fill !== undefined && `#${fill}` }),
  ...bordersStyle(borders),
});

/** @returns the style of a run within a block with the lead's style; monospaced runs have the reader's font */
export const runStyle = (run: Run, lead: Run): Style =>
  styleOf({
    "font-size": run.shift === undefined && !run.mono && sizeIn(run.size, lead.size || run.size),
    "font-family": familyOf(run) !== familyOf(lead) && !run.mono && familyOf(run),
    color: run.color !== lead.color && `#${run.color}`,
  });

/** Marks that style sheets have a name for; others are written as text. */
const MARKS: Readonly<Record<string, string>> = {
  "•": "disc",
  "◦": "circle",
  o: "circle",
  "▪": "square",
  "■": "square",
};

/** @returns the style of an item's mark as printed */
export const markStyle = ({ mark, ordered, number }: ListMark): Style => {
  const usual = ordered ? mark === `${number}.` : MARKS[mark] === "disc";
  if (usual || !/^[\p{L}\p{N}\p{P}\p{S}]{1,8}$/u.test(mark) || /["'\\<>{}@;]/.test(mark)) {
    return {};
  }
  return { "list-style-type": (ordered ? undefined : MARKS[mark]) ?? `"${mark}\u00a0"` };
};

/**
 * @param floating whether text is next to it
 * @returns the place of a table or picture within its column
 */
export const boxStyle = (
  { left, right, spaceBefore }: Box & { readonly spaceBefore: number },
  column: Box,
  { base, floating = false }: { readonly base: Base; readonly floating?: boolean | undefined },
): Style => {
  const width = Math.max(1, column.right - column.left);
  const percent = (points: number): number => Math.min(100, Math.max(0, Math.round((points / width) * 100)));
  const [before, after, own] = [percent(left - column.left), percent(column.right - right), percent(right - left)];
  const space = em(Math.max(0, spaceBefore), base.size, SPACE_MAX);
  if (floating) {
    const toRight = before > after;
    return { float: toRight ? "right" : "left", margin: toRight ? "0 0 .5em 1em" : "0 1em .5em 0", width: `${own}%` };
  }
  return {
    margin: Math.abs(before - after) <= 3 ? `${space} auto 0` : `${space} 0 0 ${before}%`,
    width: `${own >= 97 ? 100 : own}%`,
  };
};

/** @returns the white space above an area */
export const gapStyle = (points: number, { size }: Base): Style => ({ "margin-top": em(points, size, SPACE_MAX) });

/** The size of raised and lowered letters as a multiple of their line's. */
const SHIFTED = 0.65;

/** @returns the style of letters in an SVG text, in points */
export const letterStyle = (run: Run): Style =>
  styleOf({
    "font-size": `${rounded(run.size * (run.shift === undefined ? 1 : SHIFTED), 10)}px`,
    "font-family": familyOf(run),
    "font-weight": run.bold && "bold",
    "font-style": run.italic && "italic",
    fill: run.color !== "000000" && `#${run.color}`,
  });
