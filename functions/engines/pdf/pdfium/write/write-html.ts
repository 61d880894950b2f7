import type { Block, List, ListItem, Picture, Table } from "../layout/blocks.ts";
import { type Run, readsFromRight, textOf } from "../layout/pieces.ts";
import type { PictureFile } from "../page/pictures.ts";
import { escapeXml } from "./xml.ts";

/** The pictures of a page, by the number used in its blocks. */
export type Pictures = ReadonlyMap<number, PictureFile>;

const STYLE =
  "body{font-family:sans-serif;line-height:1.5;max-width:50em;margin:2em auto;padding:0 1em}" +
  "table{border-collapse:collapse;margin:1em 0}td,th{border:1px solid #999;padding:.2em .6em;text-align:start;vertical-align:top}" +
  "img{max-width:100%;height:auto}";

/** @returns the start of an HTML document with this title */
export const htmlHead = (title: string): string =>
  `<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>${escapeXml(title)}</title>\n<style>${STYLE}</style>\n</head>\n<body>\n`;

export const HTML_TAIL = "</body>\n</html>\n";

/** @returns the blocks of a page as HTML */
export const pageHtml = (blocks: readonly Block[], pictures: Pictures): string =>
  blocks.map((block) => `${blockHtml(block, pictures)}\n`).join("");

const direction = (runs: readonly Run[]): string => (readsFromRight(textOf(runs)) ? ' dir="rtl"' : "");

/** @param plain whether to ignore bold: all letters of headings are bold */
const inline = (runs: readonly Run[], plain = false): string => runs.map((run) => runHtml(run, plain)).join("");

/** The tag of a superscript or subscript. */
const SHIFTS = { above: "sup", below: "sub" } as const;

const runHtml = ({ text, bold, italic, mono, link, shift }: Run, plain: boolean): string => {
  const escaped = escapeXml(text);
  const inner = escaped.trim();
  const before = escaped.slice(0, escaped.length - escaped.trimStart().length);
  const after = inner === "" ? "" : escaped.slice(escaped.trimEnd().length);
  const marks = [
    ...(bold && !plain ? ["strong"] : []),
    ...(italic ? ["em"] : []),
    ...(mono && !plain ? ["code"] : []),
    ...(shift === undefined ? [] : [SHIFTS[shift]]),
  ];
  const marked = marks.reduceRight((html, mark) => `<${mark}>${html}</${mark}>`, inner);
  const linked = link === undefined ? marked : `<a href="${escapeXml(link)}">${marked}</a>`;
  return `${before}${inner === "" ? "" : linked}${after}`;
};

type ListTag = "ol" | "ul";

/** Nested lists: deeper levels are inside the preceding item. */
const listHtml = ({ items }: List): string => {
  const open: ListTag[] = [];
  let html = "";
  for (const item of items) {
    const tag: ListTag = item.ordered ? "ol" : "ul";
    while (open.length > item.depth + 1 || (open.length === item.depth + 1 && open.at(-1) !== tag)) {
      html += `</li></${open.pop()}>`;
    }
    html += open.length === item.depth + 1 ? "</li>" : openList(open, tag, item);
    html += `<li${direction(item.runs)}>${inline(item.runs)}`;
  }
  return (
    html +
    open
      .toReversed()
      .map((tag) => `</li></${tag}>`)
      .join("")
  );
};

const openList = (open: ListTag[], tag: ListTag, { depth, number = 1 }: ListItem): string => {
  let html = "";
  while (open.length < depth + 1) {
    // A skipped level would need an enclosing item.
    html += `${open.length < depth ? `<${tag}><li>` : `<${tag}${tag === "ol" && number !== 1 ? ` start="${number}"` : ""}>`}`;
    open.push(tag);
  }
  return html;
};

const tableHtml = ({ rows, header }: Table): string => {
  const lines = rows.map((row, index) => {
    const tag = header && index === 0 ? "th" : "td";
    return `<tr>${row.map((cell) => `<${tag}${direction(cell)}>${inline(cell, tag === "th")}</${tag}>`).join("")}</tr>`;
  });
  const [head = "", body] = header ? [`<thead>\n${lines[0]}\n</thead>\n`, lines.slice(1)] : ["", lines];
  return `<table>\n${head}<tbody>\n${body.join("\n")}\n</tbody>\n</table>`;
};

const PIXELS_PER_POINT = 96 / 72;

const pictureHtml = ({ index, width, height }: Picture, pictures: Pictures): string => {
  const file = pictures.get(index);
  if (file === undefined) {
    return "";
  }
  const size = `width="${Math.round(width * PIXELS_PER_POINT)}" height="${Math.round(height * PIXELS_PER_POINT)}"`;
  return `<p><img src="data:${file.mediaType};base64,${Buffer.from(file.bytes).toString("base64")}" alt="" ${size}></p>`;
};

const blockHtml = (block: Block, pictures: Pictures): string => {
  if (block.kind === "heading") {
    return `<h${block.level}${direction(block.runs)}>${inline(block.runs, true)}</h${block.level}>`;
  }
  if (block.kind === "paragraph") {
    return `<p${direction(block.runs)}>${inline(block.runs)}</p>`;
  }
  if (block.kind === "list") {
    return listHtml(block);
  }
  return block.kind === "table" ? tableHtml(block) : pictureHtml(block, pictures);
};
