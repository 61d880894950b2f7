import type { Block, List, PageBlocks } from "../layout/blocks.ts";
import { textOf } from "../layout/pieces.ts";

/** @returns the text of a page: blocks separated by an empty line, cells by tabs */
export const pageText = ({ blocks }: PageBlocks): string =>
  blocks
    .map(blockText)
    .filter((text) => text !== "")
    .join("\n\n");

const plain = (text: string): string => text.replaceAll("\u00ad", "");

const listText = ({ items }: List): string =>
  items
    .map(({ depth, ordered, number, runs }, index) => {
      const mark = ordered ? `${number ?? index + 1}.` : "•";
      return `${"  ".repeat(depth)}${mark} ${plain(textOf(runs))}`;
    })
    .join("\n");

const blockText = (block: Block): string => {
  if (block.kind === "list") {
    return listText(block);
  }
  if (block.kind === "table") {
    return block.rows.map((row) => row.map((cell) => plain(textOf(cell))).join("\t")).join("\n");
  }
  return block.kind === "picture" ? "" : plain(textOf(block.runs));
};
