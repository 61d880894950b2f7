import MarkdownIt, { type Token } from "markdown-it";
import { JobError } from "../../../domain/errors.ts";
import { escapeText } from "../html/tree.ts";
import { frontMatter } from "./front-matter.ts";

/** The content of Markdown as HTML that still needs cleaning: Markdown may contain any HTML. */
export interface FromMarkdown {
  readonly html: string;
  readonly title: string;
  readonly lang: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
}

/** @returns HTML of CommonMark with GitHub's tables, task lists, strikethrough and autolinks */
export const htmlOfMarkdown = (markdown: string): FromMarkdown => {
  const { text, fields } = frontMatter(markdown.replace(/\r\n?/g, "\n"));
  const parser = new MarkdownIt({ html: true, linkify: true });
  // Links and pictures are checked in one place for all HTML.
  parser.validateLink = () => true;
  parser.linkify.set({ fuzzyLink: false });
  // The parser silently drops content that is nested deeper.
  parser.set({ maxNesting: NESTING_MAX });
  const tokens = parser.parse(text, {});
  checkDepth(tokens);
  const first = finish(tokens);
  const { title = first, lang, ...metadata } = fields;
  return { html: parser.renderer.render(tokens, parser.options, {}), title, lang, metadata };
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
