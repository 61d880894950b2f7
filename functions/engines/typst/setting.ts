import { type HtmlElement, type HtmlNode, isElement } from "../io/html-tree.ts";
import type { PageLayout } from "./page.ts";
import type { PictureReader } from "./pictures.ts";
import type { Tally } from "./tally.ts";

/** Where a node stands. */
export interface Setting {
  readonly page: PageLayout;
  readonly pictures: PictureReader;
  readonly tally: Tally;
  /** Levels of Typst's functions around it. */
  readonly depth: number;
  /** Columns that share the width of the page. */
  readonly columns: number;
}

const BLOCKS = new Set(
  (
    "address article aside blockquote body caption center dd details dir div dl dt figcaption figure footer h1 h2 h3 h4 " +
    "h5 h6 header hgroup hr li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul"
  ).split(" "),
);

export const isBlock = (node: HtmlNode): node is HtmlElement => isElement(node) && BLOCKS.has(node.tagName);

/** Whether a block stands somewhere within inline elements, as it often does in HTML by hand. */
export const holdsBlock = (node: HtmlNode, depth = 0): boolean =>
  isBlock(node) || (isElement(node) && depth < 8 && node.childNodes.some((child) => holdsBlock(child, depth + 1)));
