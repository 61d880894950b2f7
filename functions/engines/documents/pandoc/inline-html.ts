import { linkOf } from "../html/rules.ts";
import { attributeOf, elementsBelow, parseHtml } from "../html/tree.ts";
import { isNode, type Json, nodeOf } from "./tree.ts";
import { textAt } from "./walk.ts";

/** Elements with a corresponding node; of other elements, only the content is kept. */
const NODES: Readonly<Record<string, string>> = {
  b: "Strong",
  strong: "Strong",
  i: "Emph",
  em: "Emph",
  cite: "Emph",
  u: "Underline",
  ins: "Underline",
  s: "Strikeout",
  del: "Strikeout",
  strike: "Strikeout",
  sub: "Subscript",
  sup: "Superscript",
};

const TAG = /^<(\/?)([a-z][a-z0-9]*)\b/i;

interface Open {
  readonly name: string;
  readonly tag: string;
  readonly content: Json[];
}

/** @returns the inlines with the tags between them as nodes; unclosed tags end with their line */
export const foldTags = (list: readonly Json[]): readonly Json[] => {
  if (!list.some(isTag)) {
    return list;
  }
  const root: Json[] = [];
  const open: Open[] = [];
  const top = (): Json[] => open.at(-1)?.content ?? root;
  const close = (): void => {
    const ended = open.pop();
    if (ended !== undefined) {
      top().push(...nodesOf(ended));
    }
  };
  for (const item of list) {
    const [, slash, given = ""] = isTag(item) ? (TAG.exec(textAt(item.c, 1)) ?? []) : [];
    const name = given.toLowerCase();
    if (!isTag(item)) {
      top().push(item);
    } else if (slash === "/") {
      for (let index = open.findLastIndex((each) => each.name === name); index !== -1 && open.length > index; ) {
        close();
      }
    } else if (name === "br") {
      top().push(nodeOf("LineBreak"));
    } else if ((Object.hasOwn(NODES, name) || name === "a") && open.length < OPEN_MAX) {
      open.push({ name, tag: textAt(item.c, 1), content: [] });
    }
  }
  while (open.length > 0) {
    close();
  }
  return root;
};

/** Maximum number of nested elements in a paragraph. */
const OPEN_MAX = 20;

const isTag = (value: Json): value is { t: string; c: Json } =>
  isNode(value) && value.t === "RawInline" && /^html/.test(textAt(value.c, 0));

const nodesOf = ({ name, tag, content }: Open): Json[] => {
  if (name !== "a") {
    return [nodeOf(NODES[name] ?? "Emph", content)];
  }
  const [anchor] = elementsBelow(parseHtml(tag), "a");
  const href = anchor && linkOf(attributeOf(anchor, "href") ?? "");
  return href ? [nodeOf("Link", [["", [], []], content, [href, ""]])] : content;
};

/** @returns the picture of a tag: its source and alternative text */
export const pictureOf = (tag: string): { readonly source: string; readonly words: string } | undefined => {
  const [image] = /^<img\b/i.test(tag) ? elementsBelow(parseHtml(tag), "img") : [];
  return image && { source: attributeOf(image, "src") ?? "", words: attributeOf(image, "alt") ?? "" };
};
