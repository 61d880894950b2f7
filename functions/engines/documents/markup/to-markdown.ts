import { attributeOf, elementsBelow, type HtmlElement, type HtmlNode, isElement, textBelow } from "../html/tree.ts";
import { type Inline, inlineWriter } from "./markdown-inline.ts";
import { tableOf } from "./markdown-table.ts";

/**
 * We use our own writer: turndown, the most popular one, is quadratic in the rows of a table (20,000 rows took minutes)
 * and in the length of a run of spaces.
 *
 * @param body the body of a clean document, at most {@link HTML_DEPTH_MAX} elements deep
 * @returns Markdown with GitHub's tables, task lists and strikethrough. Embedded pictures are defined at the end, so
 * that the text stays readable.
 */
export const markdownOf = (body: HtmlElement): string => {
  const notes = elementsBelow(body, "div").flatMap((element) => noteOf(element) ?? []);
  const inline = inlineWriter(new Set(notes));
  const text = blocksOf(body.childNodes, inline).join("\n\n");
  const definitions = inline.definitions();
  return `${[...(text === "" ? [] : [text]), ...(definitions === "" ? [] : [definitions])].join("\n\n")}\n`;
};

/** @returns the identifier of a note that we read from a PDF; undefined for other elements */
const noteOf = (element: HtmlElement): string | undefined =>
  /^note-\d{1,6}$/.exec(attributeOf(element, "id") ?? "")?.[0];

const BLOCKS = new Set(
  (
    "address article aside blockquote caption center dd details dir div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 " +
    "header hgroup hr li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul"
  ).split(" "),
);

/** @returns the blocks of some nodes: paragraphs, lists, tables, without the surrounding empty lines */
const blocksOf = (nodes: readonly HtmlNode[], inline: Inline): string[] => {
  const blocks: string[] = [];
  let words: HtmlNode[] = [];
  const endParagraph = (): void => {
    const text = inline.paragraph(words);
    words = [];
    if (text !== "") {
      blocks.push(text);
    }
  };
  for (const node of nodes) {
    if (!isElement(node) || !(BLOCKS.has(node.tagName) || holdsBlock(node))) {
      words.push(node);
      continue;
    }
    endParagraph();
    const written = writers[node.tagName]?.(node, inline) ?? blocksOf(node.childNodes, inline);
    for (const block of written) {
      blocks.push(block);
    }
  }
  endParagraph();
  return blocks;
};

/** A link or bold element around block elements is dropped in favor of the blocks. */
const holdsBlock = (element: HtmlElement): boolean => {
  const inside = element.childNodes.filter(isElement);
  return (
    inside.some((child) => BLOCKS.has(child.tagName)) ||
    (inside.length > 0 && elementsBelow(element, ...BLOCKS).length > 0)
  );
};

type Writer = (element: HtmlElement, inline: Inline) => string[];

const heading: Writer = (element, inline) => {
  const words = inline.line(element.childNodes);
  return words === "" ? [] : [`${"#".repeat(Number(element.tagName.slice(1)))} ${words}`];
};

const code: Writer = (element) => {
  const text = textBelow(element).replace(/\n$/, "");
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length + 1)));
  const named = [element, ...elementsBelow(element, "code")].map((each) => attributeOf(each, "class") ?? "").join(" ");
  const language = /\blanguage-([\w+#.-]{1,40})/.exec(named)?.[1] ?? "";
  return text.trim() === "" ? [] : [`${fence}${language}\n${text}\n${fence}`];
};

const quote: Writer = (element, inline) => {
  const text = blocksOf(element.childNodes, inline).join("\n\n");
  return text === "" ? [] : [indent(text, inline, ["> ", ">"])];
};

/** A list is loose, with empty lines between items, if an item has several paragraphs. */
const list: Writer = (element, inline) => {
  const start = Number.parseInt(attributeOf(element, "start") ?? "1", 10);
  let number = start >= 0 && start < 1e9 ? start : 1;
  const items: string[] = [];
  let loose = false;
  for (const item of element.childNodes) {
    const isItem = isElement(item) && item.tagName === "li";
    const blocks = isItem ? blocksOf(item.childNodes, inline) : blocksOf([item], inline);
    if (blocks.length === 0 && !isItem) {
      continue;
    }
    const mark = element.tagName === "ol" ? `${number}. ` : "- ";
    number += 1;
    const tight = blocks.length < 2 || (blocks.length === 2 && /^(?:[-*]|\d+\.) /.test(blocks[1] ?? ""));
    loose ||= !tight;
    items.push(
      mark + indent(blocks.join(tight ? "\n" : "\n\n"), inline, [" ".repeat(mark.length), ""]).slice(mark.length),
    );
  }
  return items.length === 0 ? [] : [items.map((item) => item.trimEnd()).join(loose ? "\n\n" : "\n")];
};

const term: Writer = (element, inline) => {
  const words = inline.line(element.childNodes);
  return words === "" ? [] : [`**${words}**`];
};

const table: Writer = (element, inline) => {
  const written = tableOf(element, inline);
  return typeof written === "string" ? [written] : written.flatMap((cell) => blocksOf(cell.childNodes, inline));
};

/** A note has GitHub's form `[^1]: text`; its further blocks are indented. */
const division: Writer = (element, inline) => {
  const blocks = blocksOf(element.childNodes, inline);
  const note = noteOf(element);
  return note === undefined || blocks.length === 0
    ? blocks
    : [`[^${note.slice("note-".length)}]: ${indent(blocks.join("\n\n"), inline, ["    ", ""]).trimStart()}`];
};

const writers: Readonly<Record<string, Writer>> = {
  h1: heading,
  h2: heading,
  h3: heading,
  h4: heading,
  h5: heading,
  h6: heading,
  pre: code,
  blockquote: quote,
  ul: list,
  ol: list,
  menu: list,
  dir: list,
  dt: term,
  div: division,
  table,
  // Three hyphens at the beginning of a document would start front matter.
  hr: () => ["***"],
};

/** Indents every line. Repeatedly nested quotes would grow without limit. */
const indent = (text: string, inline: Inline, [by, byWhenEmpty]: readonly [string, string]): string => {
  const set = text.replace(/^(?=.)/gm, by);
  inline.spend(set.length);
  return byWhenEmpty === "" ? set : set.replace(/^$/gm, byWhenEmpty);
};
