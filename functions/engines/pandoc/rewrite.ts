import type { FormatId } from "../../domain/formats.ts";
import type { Warning } from "../../domain/jobs.ts";
import { isRightToLeft } from "../io/html-direction.ts";
import { linkOf, pictureSource } from "../io/html-rules.ts";
import { cleanAttributes, isAttributes, isEmpty } from "./attributes.ts";
import { foldTags, pictureOf } from "./inline-html.ts";
import { closed, flattened } from "./lists.ts";
import type { Source } from "./source.ts";
import { isNode, type Json, type Node, nodeOf } from "./tree.ts";
import { listOf, targetOf, textAt, wordsOf } from "./walk.ts";
import type { Writer } from "./writers.ts";

/** What is known while a document is rewritten. */
export interface Rewriting {
  readonly source: Source;
  readonly writer: Writer;
  /** What stands for each picture that the document brings. */
  readonly shown: ReadonlyMap<string, string>;
  /** Names that links of the document lead to. */
  readonly places: ReadonlySet<string>;
  /** What was left out, by the code of the warning. */
  readonly counts: Map<Code, number>;
}

/** @returns the value with only what may stay, as {@link gateOf} promises */
export const rewritten = (value: Json, owner: string, state: Rewriting): Json => {
  if (isNode(value)) {
    return nodesFor(value, state)[0] ?? null;
  }
  if (Array.isArray(value)) {
    return isAttributes(value)
      ? cleanAttributes(value, owner, { format: state.writer.format, places: state.places })
      : rewrittenList(value, owner, state);
  }
  return value;
};

export const rewrittenList = (list: readonly Json[], owner: string, state: Rewriting): Json[] => [
  ...foldTags(list.flatMap((item) => (isNode(item) ? nodesFor(item, state) : [rewritten(item, owner, state)]))),
];

/** @returns what becomes of a node: usually one, none when it goes, more when only its content stays */
const nodesFor = (node: Node, state: Rewriting): Json[] => {
  const inner = node.c === undefined ? nodeOf(node.t) : nodeOf(node.t, rewritten(node.c, node.t, state));
  return [...(rules[node.t]?.(inner, state) ?? [inner])];
};

type Rule = (node: Node, state: Rewriting) => readonly Json[];

const contentOf = (node: Node, index: number): readonly Json[] => listOf(listOf(node.c)[index]);

const count = ({ counts }: Rewriting, code: Code): void => void counts.set(code, (counts.get(code) ?? 0) + 1);

const image: Rule = (node, state) => {
  const { source, writer, shown } = state;
  const [address, title] = targetOf(node);
  const words = contentOf(node, 1);
  const kind = pictureSource(address);
  const place = shown.get(address);
  if (place !== undefined) {
    return [nodeOf("Image", [...listOf(node.c).slice(0, 2), [place, title]])];
  }
  const beside = kind === "relative" && source.container === undefined && address !== "";
  if ((writer.references !== "none" && beside) || (writer.references === "all" && kind === "remote")) {
    return [node];
  }
  count(state, kind === "remote" ? "remote_content_dropped" : "pictures_dropped");
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

/** Only what its target reads stays; of HTML, tags within a line are folded where they stand. */
const raw: Rule = (node, state) => {
  const [language, text] = [textAt(node.c, 0), textAt(node.c, 1)];
  if (state.writer.raw.includes(language)) {
    return [node];
  }
  if (!/^html/.test(language)) {
    count(state, "raw_markup_dropped");
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

/** Word has to be told of every paragraph that it is written from right to left. */
const directed: Rule = (node, { writer }) =>
  writer.format === "docx" && isRightToLeft(wordsOf(node.t === "Header" ? listOf(node.c)[2] : node.c))
    ? [nodeOf("Div", [["", [], [["dir", "rtl"]]], [node as { t: string; c?: Json }]])]
    : [node];

/** Languages whose tables have no widths: with one, they would be written as HTML or drawn in lines. */
const UNMEASURED: ReadonlySet<FormatId> = new Set(["md", "rst", "org", "mediawiki", "dokuwiki", "textile", "ipynb"]);

const columnWidth: Rule = (node, { writer }) => [UNMEASURED.has(writer.format) ? nodeOf("ColWidthDefault") : node];

/** A piece of a notebook that nobody has written in. */
const code: Rule = (node, { source }) => (source.format === "ipynb" && textAt(node.c, 1).trim() === "" ? [] : [node]);

const rules: Readonly<Record<string, Rule>> = {
  Image: image,
  Link: link,
  RawInline: raw,
  RawBlock: raw,
  Span: unwrapped(1),
  Div: unwrapped(1),
  // Without its list of books, a citation is what the text says.
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

/** What was left out, by the code of the warning; the number stands behind it. */
const LEFT_OUT = {
  remote_content_dropped: "Pictures or styles on the network were left out, because nothing is fetched",
  pictures_dropped: "Pictures were left out that are not in the file, or that the target does not hold",
  raw_markup_dropped: "Parts in another language of markup were left out",
} as const;

type Code = keyof typeof LEFT_OUT;

export const warningsOf = ({ counts }: Rewriting): Warning[] =>
  [...counts].map(([code, number]) => ({ code, detail: `${LEFT_OUT[code]}: ${number}.` }));
