import type { Metadata } from "./metadata.ts";
import type { Source } from "./source.ts";
import { isNode, type Json, nodeOf } from "./tree.ts";
import { listOf, wordsOf } from "./walk.ts";
import type { Writer } from "./writers.ts";

export interface Titled {
  readonly meta: Metadata;
  readonly blocks: readonly Json[];
}

const HEADING_LEVEL_MAX = 6;

/**
 * Pandoc keeps the title separate from the text. It is removed if the text has it too; if the target has no title, it
 * becomes the first heading.
 */
export const titled = ({ meta, blocks }: Titled, source: Source, writer: Writer): Titled => {
  const { headed } = writer;
  const promoted = headed ? promotedOf({ meta, blocks }) : undefined;
  if (promoted !== undefined) {
    return promoted;
  }
  const { title, subtitle, author, date, abstract, ...rest } = meta;
  if (title === undefined || repeats(title, blocks, source)) {
    const { title: _, ...others } = meta;
    return { meta: others, blocks };
  }
  if (!writer.titleInText) {
    return { meta, blocks };
  }
  const lines = [subtitle, ...(isNode(author) ? listOf(author.c) : []), date].filter((each) => each !== undefined);
  const shift = source.container === undefined;
  return {
    // Notebooks and pages keep the title in the metadata as well.
    meta: rest,
    blocks: [
      nodeOf("Header", [1, ["", [], []], inlinesOf(title)]),
      ...lines.map((each) => nodeOf("Para", inlinesOf(each))),
      ...blocksOf(abstract),
      ...(shift ? blocks.map((block) => moved(block, 1)) : blocks),
    ],
  };
};

/** Outlines have text only under headings: pandoc would drop the text before the first one. */
export const rooted = (blocks: readonly Json[], meta: Metadata): readonly Json[] =>
  levelOf(blocks[0]) > 0
    ? blocks
    : [nodeOf("Header", [1, ["", [], []], [nodeOf("Str", wordsOf(meta.title) || "Document")]]), ...blocks];

/**
 * @returns the document with its only top-level heading, if it comes first, as the title, and the other headings
 * promoted by one level
 */
const promotedOf = ({ meta, blocks }: Titled): Titled | undefined => {
  const [first, ...others] = blocks;
  const words = isNode(first) && levelOf(first) === 1 ? wordsOf(listOf(first.c)[2]) : "";
  const known = wordsOf(meta.title);
  if (words === "" || (known !== "" && known !== words) || others.some((block) => levelOf(block) === 1)) {
    return undefined;
  }
  const title = nodeOf("MetaInlines", listOf(isNode(first) ? first.c : null)[2] ?? []);
  return { meta: { ...meta, title }, blocks: others.map((block) => moved(block, -1)) };
};

const levelOf = (block: Json | undefined): number =>
  isNode(block) && block.t === "Header" ? Number(listOf(block.c)[0]) : 0;

/** The head of an HTML document names the page, and its first top-level heading names the text. */
const repeats = (title: Json, blocks: readonly Json[], { format }: Source): boolean => {
  const headings = blocks.filter(isNode).filter(({ t }) => t === "Header");
  const [first] = headings;
  return (
    (first !== undefined && wordsOf(listOf(first.c)[2]) === wordsOf(title)) ||
    (format === "html" && headings.some((heading) => levelOf(heading) === 1))
  );
};

const inlinesOf = (value: Json): Json[] => {
  const inlines: Json[] = [];
  const c = isNode(value) ? value.c : undefined;
  for (const each of listOf(c)) {
    inlines.push(...(isNode(each) && isBlock(each.t) ? listOf(each.c) : [each]));
  }
  return inlines;
};

const isBlock = (t: string): boolean => t === "Para" || t === "Plain";

const blocksOf = (value: Json | undefined): readonly Json[] =>
  !isNode(value) ? [] : value.t === "MetaBlocks" ? listOf(value.c) : [nodeOf("Para", inlinesOf(value))];

const moved = (block: Json, by: number): Json => {
  if (!isNode(block) || block.t !== "Header") {
    return block;
  }
  const [level, ...rest] = listOf(block.c);
  return nodeOf("Header", [Math.max(1, Math.min(HEADING_LEVEL_MAX, Number(level) + by)), ...rest]);
};
