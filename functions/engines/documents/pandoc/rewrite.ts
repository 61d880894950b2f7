import type { FormatId } from "../../../domain/formats/formats.ts";
import { type Notes, newNotes } from "../../core/notes.ts";
import { isRightToLeft } from "../html/direction.ts";
import { linkOf, pictureSource } from "../html/rules.ts";
import { cleanAttributes, isAttributes, isEmpty } from "./attributes.ts";
import { foldTags, pictureOf } from "./inline-html.ts";
import { closed, flattened } from "./lists.ts";
import type { Source } from "./source.ts";
import { isNode, type Json, type Node, nodeOf } from "./tree.ts";
import { listOf, targetOf, textAt, wordsOf } from "./walk.ts";
import type { Writer } from "./writers.ts";

/** The state of a rewrite. */
export interface Rewriting {
  readonly source: Source;
  readonly writer: Writer;
  /** The replacement for each picture in the document. */
  readonly shown: ReadonlyMap<string, string>;
  /** Link targets in the document. */
  readonly linkTargets: ReadonlySet<string>;
  readonly leftOut: Notes<keyof typeof LEFT_OUT>;
}

/** @returns the value with only the content that {@link gateOf} allows */
export const rewritten = (value: Json, owner: string, state: Rewriting): Json => {
  if (isNode(value)) {
    return nodesFor(value, state)[0] ?? null;
  }
  if (Array.isArray(value)) {
    return isAttributes(value)
      ? cleanAttributes(value, owner, { format: state.writer.format, targets: state.linkTargets })
      : rewrittenList(value, owner, state);
  }
  return value;
};

export const rewrittenList = (list: readonly Json[], owner: string, state: Rewriting): Json[] => [
  ...foldTags(list.flatMap((item) => (isNode(item) ? nodesFor(item, state) : [rewritten(item, owner, state)]))),
];

/** @returns the replacement for a node: usually one node, none if it is removed, several if only its content is kept */
const nodesFor = (node: Node, state: Rewriting): Json[] => {
  const inner = node.c === undefined ? nodeOf(node.t) : nodeOf(node.t, rewritten(node.c, node.t, state));
  return [...(rules[node.t]?.(inner, state) ?? [inner])];
};

type Rule = (node: Node, state: Rewriting) => readonly Json[];

const contentOf = (node: Node, index: number): readonly Json[] => listOf(listOf(node.c)[index]);

const image: Rule = (node, state) => {
  const { source, writer, shown } = state;
  const [address, title] = targetOf(node);
  const words = contentOf(node, 1);
  const kind = pictureSource(address);
  const replacement = shown.get(address);
  if (replacement !== undefined) {
    return [nodeOf("Image", [...listOf(node.c).slice(0, 2), [replacement, title]])];
  }
  const adjacent = kind === "relative" && source.container === undefined && address !== "";
  if ((writer.references !== "none" && adjacent) || (writer.references === "all" && kind === "remote")) {
    return [node];
  }
  state.leftOut.add(kind === "remote" ? "remote_content_dropped" : "pictures_dropped");
  const href = kind === "remote" ? linkOf(address) : undefined;
  return href === undefined
    ? words
    : [nodeOf("Link", [NOTHING, words.length > 0 ? [...words] : [nodeOf("Str", href)], [href, ""]])];
};

const NOTHING: Json = ["", [], []];

const link: Rule = (node) => {
  const [address, title] = targetOf(node);
  const href = linkOf(address);
  return href === undefined ? contentOf(node, 1) : [nodeOf("Link", [...listOf(node.c).slice(0, 2), [href, title]])];
};

/** Only markup that the target reads is kept; inline HTML tags are folded into nodes. */
const raw: Rule = (node, state) => {
  const [language, text] = [textAt(node.c, 0), textAt(node.c, 1)];
  if (state.writer.raw.includes(language)) {
    return [node];
  }
  if (!/^html/.test(language)) {
    state.leftOut.add("raw_markup_dropped");
    return [];
  }
  const picture = pictureOf(text);
  return picture === undefined
    ? node.t === "RawInline"
      ? [node]
      : []
    : image(
        nodeOf("Image", [NOTHING, picture.words === "" ? [] : [nodeOf("Str", picture.words)], [picture.source, ""]]),
        state,
      );
};

const unwrapped =
  (index: number): Rule =>
  (node) =>
    isEmpty(listOf(node.c)[0]) ? contentOf(node, index) : [node];

/** Word requires the right-to-left direction on every paragraph. */
const directed: Rule = (node, { writer }) =>
  writer.format === "docx" && isRightToLeft(wordsOf(node.t === "Header" ? listOf(node.c)[2] : node.c))
    ? [nodeOf("Div", [["", [], [["dir", "rtl"]]], [node as { t: string; c?: Json }]])]
    : [node];

/** Formats whose tables have no column widths: with widths, they would be written as HTML or as ASCII grids. */
const UNMEASURED: ReadonlySet<FormatId> = new Set(["md", "rst", "org", "mediawiki", "dokuwiki", "textile", "ipynb"]);

const columnWidth: Rule = (node, { writer }) => [UNMEASURED.has(writer.format) ? nodeOf("ColWidthDefault") : node];

/** An empty cell of a notebook. */
const code: Rule = (node, { source }) => (source.format === "ipynb" && textAt(node.c, 1).trim() === "" ? [] : [node]);

const rules: Readonly<Record<string, Rule>> = {
  Image: image,
  Link: link,
  RawInline: raw,
  RawBlock: raw,
  Span: unwrapped(1),
  Div: unwrapped(1),
  // Without its bibliography, a citation is reduced to its text.
  Cite: (node) => contentOf(node, 1),
  CodeBlock: code,
  BulletList: ({ c }, { source }) => [nodeOf("BulletList", closed(listOf(c), source))],
  OrderedList: ({ c }, { source }) => [
    nodeOf("OrderedList", [listOf(c)[0] ?? null, closed(listOf(listOf(c)[1]), source)]),
  ],
  Table: ({ c }, { source }) => [nodeOf("Table", flattened(c ?? null, source))],
  ColWidth: columnWidth,
  Para: directed,
  Plain: directed,
  Header: directed,
};

/** Warnings about what was left out, by code. */
const LEFT_OUT = {
  remote_content_dropped: "Remote pictures or styles were left out because nothing is fetched: #.",
  pictures_dropped: "Pictures that are not in the file or not supported by the target were left out: #.",
  raw_markup_dropped: "Parts in another markup language were left out: #.",
} as const;

export const newLeftOut = (): Rewriting["leftOut"] => newNotes(LEFT_OUT);
