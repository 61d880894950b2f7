import {
  A4,
  type Block,
  BODY_SIZE,
  type Cell,
  type Grid,
  HEADING_SCALE,
  type Run,
  type Sample,
  type Text,
  TITLE_SCALE,
} from "../samples/sample.ts";
import { pictureSvg } from "./html.ts";

/** @returns the sample as Typst markup */
export const typstOf = (sample: Sample): string => {
  const [width, height] = sample.page ?? A4;
  const { family, size } = sample.font ?? { family: "Carlito", size: BODY_SIZE };
  return [
    `#set page(width: ${width}pt, height: ${height}pt, margin: 60pt${lineOf("header", sample.header)}${lineOf("footer", sample.footer)})`,
    `#set text(font: "${family}", size: ${size}pt, lang: "${sample.language ?? "en"}")`,
    "#set par(spacing: 10pt, leading: 0.55em)",
    "#show heading: set block(above: 12pt, below: 8pt)",
    `#show heading.where(level: 1): set text(size: ${size * TITLE_SCALE}pt)`,
    `#show heading.where(level: 2): set text(size: ${size * HEADING_SCALE}pt)`,
    ...sample.blocks.map(blockOf),
  ].join("\n\n");
};

const lineOf = (place: string, text: string | undefined): string =>
  text === undefined
    ? ""
    : `, ${place}: align(center, context text(size: 9pt)[${escaped(text).replace(String.raw`\#`, "#counter(page).display()")}])`;

const blockOf = (block: Block): string => {
  switch (block.kind) {
    case "text":
      return textOf(block);
    case "grid":
      return gridOf(block);
    case "columns":
      return `#columns(${block.count}, gutter: 20pt)[\n${block.blocks.map(blockOf).join("\n\n")}\n]`;
    case "boxed":
      return `#block(width: 100%, inset: 8pt, stroke: 1pt, fill: rgb("${block.fill}"))[${block.blocks.map(blockOf).join("\n\n")}]`;
    case "picture":
      return `#image(bytes(${JSON.stringify(pictureSvg(block))}), format: "svg", width: ${block.width}pt, height: ${block.height}pt)`;
    case "chart":
      return chartOf(block.bars);
    case "sideways":
      return `#place(top + left, dx: -40pt, dy: 60pt, rotate(-90deg, reflow: true)[${escaped(block.text)}])`;
  }
};

const PREFIXES = { paragraph: "", title: "= ", heading: "== ", bullet: "- ", number: "+ " } as const;

const textOf = (text: Text): string => {
  const content = `${"  ".repeat(text.depth ?? 0)}${PREFIXES[text.role]}${text.runs.map(runOf).join("")}`;
  if (text.align === "justify") {
    return `#[#set par(justify: true)\n${content}]`;
  }
  return text.align === undefined || text.align === "start" ? content : `#align(${text.align})[\n${content}]`;
};

const runOf = (run: Run): string => {
  if (run.note !== undefined) {
    return `#footnote[${escaped(run.note)}]`;
  }
  const settings = [
    run.bold === true ? 'weight: "bold"' : "",
    run.italic === true ? 'style: "italic"' : "",
    run.color === undefined ? "" : `fill: rgb("${run.color}")`,
    run.size === undefined ? "" : `size: ${run.size}pt`,
  ].filter(Boolean);
  const content = `[${escaped(run.text)}]`;
  const styled = settings.length === 0 ? escaped(run.text) : `#text(${settings.join(", ")})${content}`;
  if (run.highlight !== undefined) {
    return `#highlight(fill: rgb("${run.highlight}"))${content}`;
  }
  return run.superscript === true ? `#super${content}` : styled;
};

const gridOf = ({ rows, rules, stripe, widths }: Grid): string => {
  const stroke = { all: "0.75pt", rows: "(bottom: 0.75pt)", none: "none" }[rules];
  const cellOf = (cell: Cell, row: number): string => {
    const fill = cell.fill ?? (row % 2 === 1 ? stripe : undefined);
    const settings = [
      `rowspan: ${cell.rows ?? 1}, colspan: ${cell.columns ?? 1}, align: ${cell.align ?? "start"}`,
      fill === undefined ? "" : `fill: rgb("${fill}")`,
    ].filter(Boolean);
    return `table.cell(${settings.join(", ")})[${cell.runs.map(runOf).join("")}]`;
  };
  const cells = rows.flatMap((row, index) => row.map((cell) => cellOf(cell, index)));
  return `#table(columns: (${widths.map((width) => `${width}%`).join(", ")}), stroke: ${stroke}, inset: 5pt,\n${cells.join(",\n")})`;
};

const chartOf = (bars: readonly (readonly [string, number])[]): string => {
  const columns = bars.map(
    ([label, value], index) =>
      `#place(dx: ${30 + index * 50}pt, dy: ${100 - value}pt, rect(width: 30pt, height: ${value}pt, fill: rgb("4477aa")))` +
      `#place(dx: ${35 + index * 50}pt, dy: 105pt, text(size: 8pt)[${label}])`,
  );
  return `#box(width: 300pt, height: 120pt)[#place(line(start: (20pt, 100pt), end: (290pt, 100pt)))${columns.join("")}]`;
};

const escaped = (text: string): string => text.replaceAll(/[\\#*_`$<>@=~+/[\]-]/gu, String.raw`\$&`);
