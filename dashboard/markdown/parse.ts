import { type Inline, parseInline } from "./inline.ts";

/**
 * A subset of Markdown, parsed into data: headings, paragraphs, lists, tables, quotes, code blocks and rules. Nothing is
 * ever HTML, so a text cannot insert any: tags are shown as they are written.
 */
export type Block =
  | { readonly type: "heading"; readonly level: number; readonly text: readonly Inline[] }
  | { readonly type: "paragraph"; readonly text: readonly Inline[] }
  | { readonly type: "code"; readonly language: string; readonly text: string }
  | { readonly type: "list"; readonly start: number | undefined; readonly items: readonly (readonly Block[])[] }
  | {
      readonly type: "table";
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    }
  | { readonly type: "quote"; readonly blocks: readonly Block[] }
  | { readonly type: "rule" };

/** Lists and quotes in each other. Deeper ones are text. */
const DEPTH_MAX = 8;

/** @returns the blocks of a text */
export const parseMarkdown = (text: string): readonly Block[] =>
  blocksOf(text.replace(/\r\n?/g, "\n").replaceAll("\t", "    ").split("\n"), 0);

interface Read {
  readonly block: Block;
  /** The line after the block. */
  readonly next: number;
}

type Reader = (lines: readonly string[], at: number, depth: number) => Read | undefined;

const blocksOf = (lines: readonly string[], depth: number): readonly Block[] => {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    if (isBlank(lines[at])) {
      at += 1;
      continue;
    }
    const { block, next } = readBlock(lines, at, depth);
    blocks.push(block);
    at = next;
  }
  return blocks;
};

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === "";

const readBlock = (lines: readonly string[], at: number, depth: number): Read => {
  for (const reader of READERS) {
    const found = reader(lines, at, depth);
    if (found !== undefined) {
      return found;
    }
  }
  return paragraph(lines, at);
};

const FENCE = /^( {0,3})(`{3,}|~{3,})\s*([\w-]*)/;

const fence: Reader = (lines, at) => {
  const [, indent = "", marker = "", language = ""] = FENCE.exec(lines[at] ?? "") ?? [];
  if (marker === "") {
    return undefined;
  }
  const close = lines.findIndex((line, index) => index > at && line.trim().startsWith(marker));
  const end = close < 0 ? lines.length : close;
  const text = lines.slice(at + 1, end).map((line) => line.replace(new RegExp(`^ {0,${indent.length}}`), ""));
  return { block: { type: "code", language, text: text.join("\n") }, next: end + 1 };
};

const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;

const heading: Reader = (lines, at) => {
  const [, marks = "", text = ""] = HEADING.exec(lines[at] ?? "") ?? [];
  return marks === ""
    ? undefined
    : { block: { type: "heading", level: marks.length, text: parseInline(text) }, next: at + 1 };
};

const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/;

const rule: Reader = (lines, at) =>
  RULE.test(lines[at] ?? "") ? { block: { type: "rule" }, next: at + 1 } : undefined;

const QUOTE = /^ {0,3}> ?/;

const quote: Reader = (lines, at, depth) => {
  if (!QUOTE.test(lines[at] ?? "") || depth >= DEPTH_MAX) {
    return undefined;
  }
  const end = lines.findIndex((line, index) => index > at && !QUOTE.test(line));
  const own = lines.slice(at, end < 0 ? lines.length : end);
  const blocks = blocksOf(
    own.map((line) => line.replace(QUOTE, "")),
    depth + 1,
  );
  return { block: { type: "quote", blocks }, next: at + own.length };
};

const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])( {1,4})(?=\S)/;

const list: Reader = (lines, at, depth) => {
  const first = ITEM.exec(lines[at] ?? "");
  if (first === null || depth >= DEPTH_MAX) {
    return undefined;
  }
  const isOrdered = /\d/.test(first[2] ?? "");
  const items: (readonly Block[])[] = [];
  let next = at;
  while (next < lines.length) {
    const marker = ITEM.exec(lines[next] ?? "");
    if (marker === null || /\d/.test(marker[2] ?? "") !== isOrdered) {
      break;
    }
    const own = itemLines(lines, next, marker[0].length);
    items.push(blocksOf(own, depth + 1));
    next = skipBlank(lines, next + own.length);
  }
  return { block: { type: "list", start: isOrdered ? Number.parseInt(first[2] ?? "1", 10) : undefined, items }, next };
};

/** @returns the lines of an item, without its marker and indentation */
const itemLines = (lines: readonly string[], at: number, indent: number): readonly string[] => {
  const own = [(lines[at] ?? "").slice(indent)];
  for (let next = at + 1; next < lines.length; next += 1) {
    const line = lines[next] ?? "";
    const isIndented = line.startsWith(" ".repeat(indent));
    const isContinued = !isBlank(line) && !isBlank(lines[next - 1]) && !startsBlock(line) && !ITEM.test(line);
    const isGap = isBlank(line) && (lines[skipBlank(lines, next)] ?? "").startsWith(" ".repeat(indent));
    if (!isIndented && !isContinued && !isGap) {
      break;
    }
    own.push(isIndented ? line.slice(indent) : line.trim());
  }
  return own;
};

const skipBlank = (lines: readonly string[], at: number): number => {
  let next = at;
  while (next < lines.length && isBlank(lines[next])) {
    next += 1;
  }
  return next;
};

const COLUMNS = /^ {0,3}\|? *:?-+:? *(?:\| *:?-+:? *)*\|? *$/;

const table: Reader = (lines, at) => {
  const line = lines[at] ?? "";
  if (!line.includes("|") || !(lines[at + 1] ?? "").includes("|") || !COLUMNS.test(lines[at + 1] ?? "")) {
    return undefined;
  }
  const end = lines.findIndex((each, index) => index > at + 1 && !each.includes("|"));
  const rows = lines.slice(at + 2, end < 0 ? lines.length : end);
  return { block: { type: "table", head: cellsOf(line), rows: rows.map(cellsOf) }, next: at + 2 + rows.length };
};

const cellsOf = (line: string): readonly (readonly Inline[])[] =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => parseInline(cell.trim().replaceAll("\\|", "|")));

const paragraph = (lines: readonly string[], at: number): Read => {
  const end = lines.findIndex((line, index) => index > at && (isBlank(line) || startsBlock(line)));
  const own = lines.slice(at, end < 0 ? lines.length : end);
  const text = own.map((line) => line.replace(/^ +/, "")).join("\n");
  return { block: { type: "paragraph", text: parseInline(text) }, next: at + own.length };
};

/** @returns whether a line starts another block than the paragraph before it */
const startsBlock = (line: string): boolean =>
  [FENCE, HEADING, RULE, QUOTE, /^ {0,3}(?:[-*+]|1[.)]) +\S/].some((start) => start.test(line));

const READERS: readonly Reader[] = [fence, heading, rule, quote, list, table];
