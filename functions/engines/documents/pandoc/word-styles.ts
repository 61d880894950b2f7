import { isNode, type Json, type Node, nodeOf } from "./tree.ts";
import { listOf, textAt } from "./walk.ts";

/**
 * Interprets style names with a meaning in Word and OpenDocument, which pandoc's reader keeps only as names: quotes,
 * code.
 */
export const withMeanings = (blocks: readonly Json[]): Json[] => {
  const settled: Json[] = [];
  for (const block of blocks.map(meant)) {
    const before = settled.at(-1);
    const joined = isNode(before) && isNode(block) ? together(before, block) : undefined;
    if (joined === undefined) {
      settled.push(block);
    } else {
      settled.splice(-1, 1, joined);
    }
  }
  return settled;
};

const CODE: ReadonlySet<string> = new Set(["HTML Preformatted", "Source Code", "Preformatted Text", "Code", "macro"]);
const QUOTES: ReadonlySet<string> = new Set(["Quote", "Intense Quote", "Block Text", "Quotations"]);
/** Headings without a level, which pandoc does not recognize. */
const HEADINGS: ReadonlySet<string> = new Set(["Heading"]);
const CODE_WORDS: ReadonlySet<string> = new Set(["HTML Code", "Verbatim Char", "Source Text", "Code Char"]);

const NOTHING: Json = ["", [], []];

const styleOf = ({ c }: Node): string =>
  listOf(listOf(listOf(c)[0])[2])
    .map((pair) => (textAt(pair, 0) === "custom-style" ? textAt(pair, 1) : ""))
    .join("");

/** Children are processed before their parent. */
const meant = (value: Json): Json => {
  if (Array.isArray(value)) {
    return withMeanings(value);
  }
  if (!isNode(value) || value.c === undefined) {
    return value;
  }
  const node = { t: value.t, c: meant(value.c) };
  return meanings[node.t]?.(node) ?? node;
};

const meanings: Readonly<Record<string, (node: Node) => Json | undefined>> = {
  Div: (node) => {
    const [style, inner] = [styleOf(node), listOf(node.c)[1] ?? []];
    const [only, ...others] = listOf(inner);
    if (HEADINGS.has(style) && isNode(only) && only.t === "Para" && others.length === 0) {
      return nodeOf("Header", [1, NOTHING, only.c ?? []]);
    }
    return CODE.has(style)
      ? nodeOf("CodeBlock", [NOTHING, linesOf(inner)])
      : QUOTES.has(style)
        ? nodeOf("BlockQuote", inner)
        : undefined;
  },
  Span: (node) =>
    CODE_WORDS.has(styleOf(node)) ? nodeOf("Code", [NOTHING, linesOf(listOf(node.c)[1] ?? [])]) : undefined,
};

/** Consecutive blocks of code or quotes become one. */
const together = (before: Node, block: Node): Json | undefined => {
  if (before.t !== block.t) {
    return undefined;
  }
  if (block.t === "CodeBlock") {
    return nodeOf("CodeBlock", [NOTHING, `${textAt(before.c, 1)}\n${textAt(block.c, 1)}`]);
  }
  return block.t === "BlockQuote" ? nodeOf("BlockQuote", [...listOf(before.c), ...listOf(block.c)]) : undefined;
};

/** @returns the text of blocks or inlines, with its whitespace preserved */
const linesOf = (value: Json): string => {
  if (Array.isArray(value)) {
    return value.every((each) => isNode(each) && (each.t === "Para" || each.t === "CodeBlock"))
      ? value.map(linesOf).join("\n")
      : value.map(linesOf).join("");
  }
  if (!isNode(value)) {
    return "";
  }
  if (value.t === "Str") {
    return typeof value.c === "string" ? value.c : "";
  }
  return (
    LETTERS[value.t] ?? (TEXTS.has(value.t) ? textAt(value.c, 1) : linesOf(Array.isArray(value.c) ? [...value.c] : []))
  );
};

const LETTERS: Readonly<Record<string, string>> = { Space: " ", SoftBreak: " ", LineBreak: "\n" };
const TEXTS: ReadonlySet<string> = new Set(["Code", "CodeBlock", "Math", "RawInline"]);
