import { AlignmentType, HeadingLevel, Paragraph, type Table } from "docx";
import { attributeOf, type HtmlElement, type HtmlNode, isElement, isText } from "../html/tree.ts";
import { formatOf } from "./format.ts";
import { type Line, lineOf } from "./line.ts";
import { type Context, openList, type State, spend } from "./state.ts";
import { tableOf } from "./table.ts";

export type Block = Paragraph | Table;

/** @returns the paragraphs and tables of some nodes. The tree is at most {@link HTML_DEPTH_MAX} levels deep. */
export const blocksOf = (nodes: readonly HtmlNode[], context: Context, state: State): Block[] => {
  const writer: Writer = { blocks: [], line: lineOf(state), state };
  write(nodes, context, writer);
  endParagraph(writer, context);
  return writer.blocks;
};

interface Writer {
  readonly blocks: Block[];
  /** The content of the paragraph so far. */
  readonly line: Line;
  readonly state: State;
}

const write = (nodes: readonly HtmlNode[], context: Context, writer: Writer): void => {
  for (const node of nodes) {
    if (isText(node)) {
      writer.line.addText(node.value, context);
    } else if (isElement(node)) {
      writeElement(node, context, writer);
    }
  }
};

const writeElement = (element: HtmlElement, outer: Context, writer: Writer): void => {
  const { tagName } = element;
  const context = { ...outer, ...styleOf(element, outer), format: formatOf(element, outer.format, writer.state) };
  if (!BLOCKS.has(tagName)) {
    writer.line.addBookmark(element);
    if (!writer.line.addElement(element, context)) {
      write(element.childNodes, context, writer);
    }
    return;
  }
  endParagraph(writer, outer);
  writer.line.addBookmark(element);
  if (tagName === "table") {
    writer.blocks.push(
      tableOf(element, context, { state: writer.state, blocksOf }),
      new Paragraph({ spacing: { after: 0 } }),
    );
    return;
  }
  if (tagName === "hr") {
    writer.blocks.push(new Paragraph({ thematicBreak: true }));
    return;
  }
  const inner = { ...context, ...insideOf(element, context, writer.state) };
  write(element.childNodes, inner, writer);
  const unmarked = tagName === "li" && inner.item?.marked === false;
  endParagraph(writer, inner, unmarked || (tagName === "pre" && !writer.line.isEmpty()));
};

const BLOCKS = new Set(
  (
    "address article aside blockquote caption center dd details dir div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 " +
    "header hgroup hr li main menu nav ol p pre section summary table ul"
  ).split(" "),
);

const HEADINGS: Readonly<Record<string, (typeof HeadingLevel)[keyof typeof HeadingLevel]>> = {
  h1: HeadingLevel.HEADING_1,
  h2: HeadingLevel.HEADING_2,
  h3: HeadingLevel.HEADING_3,
  h4: HeadingLevel.HEADING_4,
  h5: HeadingLevel.HEADING_5,
  h6: HeadingLevel.HEADING_6,
};

/** Maximum list levels in Word. */
const LEVELS_MAX = 9;

/** @returns the context and state for the blocks in an element */
const insideOf = (element: HtmlElement, context: Context, state: State): Partial<Context> => {
  const { tagName } = element;
  const heading = HEADINGS[tagName];
  if (heading !== undefined) {
    return { paragraph: { ...context.paragraph, heading } };
  }
  if (tagName === "ul" || tagName === "ol" || tagName === "menu" || tagName === "dir") {
    return { lists: [...context.lists, openList(element, state)], item: undefined };
  }
  const changes: Readonly<Record<string, Partial<Context>>> = {
    li: { item: { marked: false } },
    pre: { preformatted: true, paragraph: { ...context.paragraph, style: "SourceCode" } },
    blockquote: { paragraph: { ...context.paragraph, style: "Quote" }, indent: context.indent + 1 },
    dd: { indent: context.indent + 1 },
    dt: { format: { ...context.format, bold: true } },
    summary: { format: { ...context.format, bold: true } },
    center: { paragraph: { ...context.paragraph, alignment: AlignmentType.CENTER } },
    caption: { paragraph: { ...context.paragraph, alignment: AlignmentType.CENTER, keepNext: true } },
  };
  return changes[tagName] ?? {};
};

const ALIGNMENTS: Readonly<Record<string, (typeof AlignmentType)[keyof typeof AlignmentType]>> = {
  left: AlignmentType.LEFT,
  right: AlignmentType.RIGHT,
  center: AlignmentType.CENTER,
  justify: AlignmentType.BOTH,
};

const styleOf = (element: HtmlElement, { paragraph, rightToLeft }: Context): Partial<Context> => {
  const aligned = /(?:^|;)\s*text-align:\s*(\w+)/i.exec(attributeOf(element, "style") ?? "")?.[1];
  const alignment = ALIGNMENTS[(aligned ?? attributeOf(element, "align") ?? "").toLowerCase()];
  const dir = attributeOf(element, "dir");
  return {
    ...(alignment !== undefined && BLOCKS.has(element.tagName) && { paragraph: { ...paragraph, alignment } }),
    rightToLeft: dir === undefined || dir === "auto" ? rightToLeft : dir === "rtl",
  };
};

/** Indentation per level, in twentieths of a point. */
const INDENT = 567;

const endParagraph = ({ blocks, line, state }: Writer, context: Context, always = false): void => {
  if (line.isEmpty() && !always) {
    return;
  }
  const { paragraph, lists, item, rightToLeft } = context;
  spend(state, 1);
  const level = Math.min(lists.length, LEVELS_MAX) - 1;
  const list = lists.at(-1);
  const marked = item?.marked === false && list !== undefined;
  const left = 720 * lists.length + INDENT * context.indent;
  blocks.push(
    new Paragraph({
      ...paragraph,
      ...(marked && { numbering: { ...list, level } }),
      ...(!marked && left > 0 && { indent: { left } }),
      ...(lists.length > 0 && { spacing: { after: 40 } }),
      ...(rightToLeft && { bidirectional: true }),
      children: line.take(context),
    }),
  );
  if (item !== undefined) {
    item.marked = true;
  }
};
