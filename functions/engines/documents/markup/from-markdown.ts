import MarkdownIt, { type Token } from "markdown-it";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineTask } from "../../core/engine.ts";
import { escapeText } from "../html/tree.ts";
import { readFootnotes } from "./footnotes.ts";
import { formulasIn, readFormulas } from "./formulas.ts";
import { type Fields, frontMatter } from "./front-matter.ts";
import { highlighted } from "./highlight.ts";
import { setFormulas } from "./mathml.ts";

/** The content of Markdown as HTML that still needs cleaning: Markdown may contain any HTML. */
export interface FromMarkdown {
  readonly html: string;
  readonly title: string;
  readonly lang: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  readonly warnings: readonly Warning[];
}

/**
 * @returns HTML of CommonMark with GitHub's tables, task lists, strikethrough, autolinks, footnotes and formulas, and
 * colored code
 * @throws HelperNeeded for formulas, if only another lane has pandoc
 */
export const htmlOfMarkdown = async (
  markdown: string,
  task: Pick<EngineTask, "folder" | "helper">,
): Promise<FromMarkdown> => {
  const { text, fields } = frontMatter(markdown.replace(/\r\n?/g, "\n"));
  const parser = new MarkdownIt({ html: true, linkify: true, highlight: highlighted });
  // Links and pictures are checked in one place for all HTML.
  parser.validateLink = () => true;
  parser.linkify.set({ fuzzyLink: false });
  // The parser silently drops content that is nested deeper.
  parser.set({ maxNesting: NESTING_MAX });
  readFormulas(parser);
  const notes = readFootnotes(parser);
  const tokens = notes.atEnd(parser.parse(text, {}));
  checkDepth(tokens);
  const warnings = await setFormulas(formulasIn(tokens), task);
  const first = finish(tokens);
  const { title = first, lang, ...metadata } = fields;
  const html = titleBlock(fields, first) + parser.renderer.render(tokens, parser.options, {});
  return { html, title, lang, metadata, warnings };
};

/** @returns the title of the front matter with its author and date, if the text does not begin with the same words */
const titleBlock = ({ title, author, date }: Fields, first: string): string => {
  if (title === undefined || title === first) {
    return "";
  }
  const line = [author, date]
    .filter((each) => each !== undefined)
    .map(escapeText)
    .join(" · ");
  return `<header>\n<h1>${escapeText(title)}</h1>\n${line === "" ? "" : `<p>${line}</p>\n`}</header>\n`;
};

/** Maximum nesting depth of blocks; a list takes two levels. */
const NESTING_MAX = 200;

const checkDepth = (tokens: readonly Token[]): void => {
  const all = tokens.flatMap((token) => [token, ...(token.children ?? [])]);
  if (all.some(({ level }) => level >= NESTING_MAX - 1)) {
    throw new JobError(
      "unsupported_feature",
      `The Markdown is nested more than ${NESTING_MAX} levels deep, which is the limit.`,
    );
  }
};

/**
 * Gives headings the IDs that GitHub gives them, so that links to them work, and task items their checkboxes.
 *
 * @returns the text of the first heading
 */
const finish = (tokens: readonly Token[]): string => {
  const taken = new Map<string, number>();
  let title = "";
  for (const [index, token] of tokens.entries()) {
    const inline = tokens[index + 1];
    if (token.type === "heading_open" && inline?.type === "inline") {
      const words = wordsOf(inline);
      title ||= words;
      token.attrSet("id", nameOf(words, taken));
    }
    const task = token.type === "list_item_open" ? tokens[index + 2] : undefined;
    if (task?.type === "inline") {
      tick(task);
    }
  }
  return title;
};

const wordsOf = ({ children }: Token): string =>
  (children ?? [])
    .map(({ type, content }) => (type === "text" || type === "code_inline" || type === "image" ? content : ""))
    .join("")
    .trim();

const nameOf = (words: string, taken: Map<string, number>): string => {
  const name = words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, "")
    .replaceAll(" ", "-");
  const before = taken.get(name) ?? 0;
  taken.set(name, before + 1);
  return before === 0 ? name : `${name}-${before}`;
};

const TASK = /^\[([ xX])\]\s+/;

const tick = ({ children }: Token): void => {
  const [first] = children ?? [];
  const [mark, state] = first?.type === "text" ? (TASK.exec(first.content) ?? []) : [];
  if (first !== undefined && mark !== undefined) {
    const box = `<input type="checkbox" disabled${state === " " ? "" : " checked"}> `;
    first.type = "html_inline";
    first.content = box + escapeText(first.content.slice(mark.length));
  }
};
