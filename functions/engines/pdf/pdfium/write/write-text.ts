import type { Block, ListMark, Note, PageLayout, Paragraph, Table } from "../layout/model.ts";
import { textOf } from "../layout/runs.ts";
import { bodyOf, cellText, flowOf, gridOf } from "./flow.ts";

/**
 * @returns the text of a page: header, body, notes, footer and turned text, separated by an empty line; a paragraph or
 * an item of a list is one line, cells are separated by tabs, and labels of a drawing are lines
 */
export const pageText = (page: PageLayout): string => {
  const { pages, notes } = flowOf([page]);
  return [
    ...[page.header, pages.flatMap(bodyOf)].map(blocksText),
    notes.map(noteText).join("\n"),
    blocksText(page.footer),
    ...page.turned.map(({ runs }) => plain(textOf(runs))),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
};

const plain = (text: string): string => text.replaceAll("\u00ad", "").trim();

const blocksText = (blocks: readonly Block[]): string => {
  let text = "";
  let list: ListMark | undefined;
  for (const block of blocks) {
    const own = blockText(block);
    const item = block.kind === "paragraph" ? block.list : undefined;
    if (own !== "") {
      const goesOn = item !== undefined && list !== undefined && (item.depth > 0 || item.ordered === list.ordered);
      text += `${text === "" ? "" : goesOn ? "\n" : "\n\n"}${own}`;
      // Items of an inner list belong to the outermost one.
      list = item === undefined || item.depth === 0 ? item : list;
    }
  }
  return text;
};

const blockText = (block: Block): string => {
  if (block.kind === "table") {
    return tableText(block);
  }
  return block.kind === "paragraph" ? paragraphText(block) : plain(block.text ?? "");
};

const paragraphText = ({ runs, list }: Paragraph): string =>
  list === undefined ? plain(textOf(runs)) : `${"  ".repeat(list.depth)}${printed(list.mark)} ${plain(textOf(runs))}`;

/** @returns the mark, or a bullet for one of a symbol font */
const printed = (mark: string): string => (/^[\p{L}\p{N}\p{P}\p{S}]{1,12}$/u.test(mark) ? mark : "•");

/** A cell that spans rows or columns leaves the others empty. */
const tableText = (table: Table): string =>
  gridOf(table)
    .map((row) =>
      row.map((place) => (place && !place.across && !place.down ? plain(cellText(place.cell)) : "")).join("\t"),
    )
    .join("\n");

const noteText = ({ mark, blocks }: Note): string =>
  `${mark} ${blocks.map(({ runs }) => plain(textOf(runs))).join(" ")}`.trim();
