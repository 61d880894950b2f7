import { attributeOf, type HtmlElement, isElement } from "../io/html-tree.ts";
import { type Code, call, quoted } from "./code.ts";
import { addInline, emptyRun, inlineOf, wordsOf } from "./inline.ts";
import { holdsBlock, type Setting } from "./setting.ts";
import { tableOf } from "./tables.ts";
import { checkTally } from "./tally.ts";

/** Levels of blocks that are set in; what lies deeper is set where it would lie less deep. */
const DEPTH_MAX = 16;

/** @returns the code of all that stands in an element, block after block; words between blocks are a paragraph */
export const blocksOf = async (parent: HtmlElement, setting: Setting): Promise<Code[]> => {
  const codes: Code[] = [];
  let run = emptyRun();
  const flush = (): void => {
    if (run.code.some((code) => code !== quoted(" "))) {
      codes.push(call("par", run.code));
    }
    run = emptyRun();
  };
  for (const node of parent.childNodes) {
    checkTally(setting.tally);
    if (holdsBlock(node) && isElement(node)) {
      flush();
      codes.push(...(await blockOf(node, setting)));
    } else {
      await addInline(node, run, setting);
    }
  }
  flush();
  return codes;
};

/** @returns the code of what stands in a cell or an item: plain words, or blocks */
const contentOf = (node: HtmlElement, setting: Setting): Promise<Code[]> =>
  node.childNodes.some((child) => holdsBlock(child)) ? blocksOf(node, setting) : inlineOf(node, setting);

const BREAK = /(?:page-)?break-(before|after)\s*:\s*(?:always|page|left|right)/i;

const blockOf = async (node: HtmlElement, setting: Setting): Promise<Code[]> => {
  setting.tally.lines += 1;
  const style = attributeOf(node, "style") ?? "";
  const make = setting.depth < DEPTH_MAX ? MAKERS[node.tagName] : undefined;
  const content = make === undefined ? await blocksOf(node, setting) : [await make(node, deeper(setting))];
  const dir = attributeOf(node, "dir");
  const [, side] = BREAK.exec(style) ?? [];
  const align = /text-align\s*:\s*(center|right)/i.exec(style)?.[1] ?? attributeOf(node, "align") ?? "";
  const aligned =
    node.tagName === "center" || /^center$/i.test(align) ? "center" : /^right$/i.test(align) ? "right" : undefined;
  const placed = aligned === undefined || content.length === 0 ? content : [call("align", content, aligned)];
  const directed =
    (dir !== "rtl" && dir !== "ltr") || placed.length === 0
      ? placed
      : [call(dir === "rtl" ? "right-to-left" : "left-to-right", placed)];
  const pageBreak = ["pagebreak(weak: true)"];
  return side === undefined
    ? directed
    : /before/i.test(side)
      ? [...pageBreak, ...directed]
      : [...directed, ...pageBreak];
};

const deeper = (setting: Setting): Setting => ({ ...setting, depth: setting.depth + 1 });

type Maker = (node: HtmlElement, setting: Setting) => Promise<Code> | Code;

const heading =
  (level: number): Maker =>
  async (node, setting) => {
    const words = await inlineOf(node, setting);
    return words.length === 0 ? "none" : call("heading", words, `level: ${level}`);
  };

const paragraph: Maker = async (node, setting) => {
  if (node.childNodes.some((child) => holdsBlock(child))) {
    return call("block", await blocksOf(node, setting));
  }
  const words = await inlineOf(node, setting);
  return words.length === 0 ? "none" : call("par", words);
};

const around =
  (name: string): Maker =>
  async (node, setting) =>
    call(name, await blocksOf(node, setting));

const items = async (node: HtmlElement, setting: Setting): Promise<Code[]> => {
  const codes: Code[] = [];
  for (const child of node.childNodes) {
    if (isElement(child)) {
      const content = child.tagName === "li" ? await contentOf(child, setting) : await blockOf(child, setting);
      const rtl = attributeOf(child, "dir") === "rtl";
      codes.push(rtl ? call("right-to-left", content) : `{${content.join("\n")}}`);
    }
  }
  return codes;
};

const unordered: Maker = async (node, setting) => listCall("list", await items(node, setting));

const ordered: Maker = async (node, setting) => {
  const start = Number.parseInt(attributeOf(node, "start") ?? "1", 10);
  const first = start >= 0 && start < 1e9 ? start : 1;
  return listCall("enum", await items(node, setting), `start: ${first}`);
};

const listCall = (name: string, codes: readonly Code[], ...options: readonly Code[]): Code =>
  codes.length === 0 ? "none" : `${name}(${[...options, ...codes].join(", ")})`;

const preformatted: Maker = (node) =>
  `raw(block: true, ${quoted(wordsOf(node).replace(/^\n/, "").replace(/\n$/, ""))})`;

const term: Maker = async (node, setting) => call("par", [call("strong", await inlineOf(node, setting))]);

const MAKERS: Readonly<Record<string, Maker>> = {
  h1: heading(1),
  h2: heading(2),
  h3: heading(3),
  h4: heading(4),
  h5: heading(5),
  h6: heading(6),
  p: paragraph,
  blockquote: around("quotation"),
  dd: around("indented"),
  dt: term,
  ul: unordered,
  menu: unordered,
  dir: unordered,
  ol: ordered,
  pre: preformatted,
  hr: () => "rule()",
  // It takes as many of Typst's levels as two other blocks.
  table: (node, setting) => tableOf(node, deeper(setting), contentOf),
};
