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

/** @returns the sample as a page for Chromium */
export const htmlOf = (sample: Sample): string => {
  const [width, height] = sample.page ?? A4;
  const { family, size } = sample.font ?? { family: "Carlito", size: BODY_SIZE };
  return `<!doctype html><html lang="${sample.language ?? "en"}" dir="${sample.rtl === true ? "rtl" : "ltr"}"><meta charset="utf-8">
<title>${sample.name}</title><style>
@page { size: ${width}pt ${height}pt; margin: 62pt 60pt; ${marginBox("top-center", sample.header)} ${marginBox("bottom-center", sample.footer)} }
body { margin: 0 0 0 ${sample.blocks.some(({ kind }) => kind === "sideways") ? 30 : 0}pt; font: ${size}pt/1.25 "${family}"; }
p, h1, h2, ul, ol, table, figure { margin: 0 0 8pt; } p { hyphens: manual; }
h1 { font-size: ${size * TITLE_SCALE}pt; } h2 { font-size: ${size * HEADING_SCALE}pt; }
table { border-collapse: collapse; width: 100%; } td { padding: 3pt 5pt; text-align: start; vertical-align: top; }
.all td { border: 0.75pt solid black; } .rows tr { border-bottom: 0.75pt solid black; }
.box { border: 1pt solid black; padding: 6pt 8pt 0; margin-bottom: 8pt; }
.side { position: absolute; left: 0; top: 60pt; writing-mode: vertical-rl; transform: rotate(180deg); }
.cap::first-letter { float: left; font-size: 3.1em; line-height: 0.85; padding-right: 3pt; }
</style><body>${sample.blocks.map(blockOf).join("")}`;
};

const marginBox = (place: string, text: string | undefined): string =>
  text === undefined ? "" : `@${place} { content: "${text.replace("#", '" counter(page) "')}"; font-size: 9pt; }`;

const blockOf = (block: Block, index: number, blocks: readonly Block[]): string => {
  switch (block.kind) {
    case "text":
      return textOf(block, blocks[index - 1], blocks[index + 1]);
    case "grid":
      return gridOf(block);
    case "columns":
      return `<div style="columns:${block.count};column-gap:20pt;margin-bottom:8pt">${block.blocks.map(blockOf).join("")}</div>`;
    case "boxed":
      return `<div class="box" style="background:#${block.fill}">${block.blocks.map(blockOf).join("")}</div>`;
    case "picture":
      return `<figure><img width="${block.width * (4 / 3)}" height="${block.height * (4 / 3)}" src="${pictureUrl(block)}"></figure>`;
    case "chart":
      return chartOf(block.bars);
    case "sideways":
      return `<div class="side">${escaped(block.text)}</div>`;
  }
};

const TAGS = { paragraph: "p", title: "h1", heading: "h2", bullet: "li", number: "li" } as const;
const INDENT = 18;

const textOf = (text: Text, before: Block | undefined, after: Block | undefined): string => {
  const tag = TAGS[text.role];
  const style = `text-align:${text.align ?? "start"}${tag === "li" ? `;margin-left:${INDENT * (text.depth ?? 0)}pt` : ""}`;
  const content = `<${tag} style="${style}"${text.dropCap === true ? ' class="cap"' : ""}>${text.runs.map(runOf).join("")}</${tag}>`;
  if (tag !== "li") {
    return content;
  }
  const list = text.role === "bullet" ? "ul" : "ol";
  const goesOn = (other: Block | undefined) => other?.kind === "text" && other.role === text.role;
  return `${goesOn(before) ? "" : `<${list}>`}${content}${goesOn(after) ? "" : `</${list}>`}`;
};

const runOf = (run: Run): string => {
  const style = [
    run.bold === true ? "font-weight:bold" : "",
    run.italic === true ? "font-style:italic" : "",
    run.color === undefined ? "" : `color:#${run.color}`,
    run.size === undefined ? "" : `font-size:${run.size}pt`,
    run.highlight === undefined ? "" : `background:#${run.highlight}`,
    run.superscript === true ? "vertical-align:super;font-size:65%" : "",
  ].filter(Boolean);
  return style.length === 0 ? escaped(run.text) : `<span style="${style.join(";")}">${escaped(run.text)}</span>`;
};

const gridOf = ({ rows, rules, stripe, widths }: Grid): string => {
  const cellOf = (cell: Cell): string => {
    const style = `text-align:${cell.align ?? "start"}${cell.fill === undefined ? "" : `;background:#${cell.fill}`}`;
    return `<td rowspan="${cell.rows ?? 1}" colspan="${cell.columns ?? 1}" style="${style}">${cell.runs.map(runOf).join("") || "&nbsp;"}</td>`;
  };
  const columns = widths.map((width) => `<col style="width:${width}%">`).join("");
  const lines = rows.map((row, index) => {
    const fill = stripe !== undefined && index % 2 === 1 ? ` style="background:#${stripe}"` : "";
    return `<tr${fill}>${row.map(cellOf).join("")}</tr>`;
  });
  return `<table class="${rules}"><colgroup>${columns}</colgroup>${lines.join("")}</table>`;
};

const chartOf = (bars: readonly (readonly [string, number])[]): string => {
  const columns = bars.map(
    ([label, value], index) =>
      `<rect x="${30 + index * 60}" y="${110 - value}" width="36" height="${value}" fill="#4477aa"/>` +
      `<text x="${48 + index * 60}" y="126" font-size="10" text-anchor="middle">${label}</text>`,
  );
  const axis = '<path d="M20 5V110H340" stroke="black" fill="none"/>';
  return `<figure><svg width="360" height="135" viewBox="0 0 360 135">${axis}${columns.join("")}</svg></figure>`;
};

/** @returns a bitmap: its color with a lighter circle */
const pictureUrl = ({ width, height, color }: { width: number; height: number; color: string }): string =>
  `data:image/svg+xml,${encodeURIComponent(pictureSvg({ width, height, color }))}`;

export const pictureSvg = ({ width, height, color }: { width: number; height: number; color: string }): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#${color}"/>` +
  `<circle cx="50%" cy="50%" r="${height / 3}" fill="#dddddd"/></svg>`;

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
