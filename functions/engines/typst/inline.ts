import { attributeOf, type HtmlElement, type HtmlNode, isElement, isText } from "../io/html-tree.ts";
import { type Code, call, quoted } from "./code.ts";
import { isBlock, type Setting } from "./setting.ts";

/** A run of words: code, and whether what follows begins behind a space or at the beginning of a line. */
export interface Run {
  readonly code: Code[];
  spaced: boolean;
}

export const emptyRun = (): Run => ({ code: [], spaced: true });

/** What an element does to its words. */
const STYLES: Readonly<Record<string, string>> = {
  b: "strong",
  strong: "strong",
  i: "emph",
  em: "emph",
  cite: "emph",
  dfn: "emph",
  var: "emph",
  address: "emph",
  u: "underline",
  ins: "underline",
  s: "strike",
  strike: "strike",
  del: "strike",
  sub: "sub",
  sup: "super",
  mark: "highlight",
};

const FIXED = new Set(["code", "kbd", "samp", "tt"]);

/** Levels of elements that change something; Typst takes about sixty. What lies deeper keeps its words only. */
const DEPTH_MAX = 24;

/** Adds the words of a node, and of all below it, to the run. */
export const addInline = async (node: HtmlNode, run: Run, setting: Setting): Promise<void> => {
  if (isText(node)) {
    addText(node.value, run, setting);
    return;
  }
  if (!isElement(node)) {
    return;
  }
  const special = SPECIAL[node.tagName];
  if (special !== undefined) {
    await special(node, run, setting);
    return;
  }
  const wrap = setting.depth < DEPTH_MAX ? wrappersOf(node) : [];
  const inner: Run = { code: [], spaced: run.spaced };
  for (const child of node.childNodes) {
    await addInline(child, inner, { ...setting, depth: setting.depth + wrap.length });
  }
  if (isBlock(node) && inner.code.length > 0) {
    inner.code.push(quoted(" "));
    inner.spaced = true;
  }
  run.spaced = inner.spaced;
  if (inner.code.length > 0) {
    run.code.push(
      ...(wrap.length === 0
        ? inner.code
        : [wrap.reduce((code, [name, ...options]) => call(name, [code], ...options), inner.code.join("\n"))]),
    );
  }
};

/** @returns the words of an element, as code that may stand within a line */
export const inlineOf = async (node: HtmlElement, setting: Setting): Promise<Code[]> => {
  const run = emptyRun();
  for (const child of node.childNodes) {
    await addInline(child, run, setting);
  }
  return run.code;
};

type Wrapper = readonly [name: string, ...options: Code[]];

const wrappersOf = (node: HtmlElement): Wrapper[] => {
  const style = attributeOf(node, "style") ?? "";
  const href = node.tagName === "a" ? (attributeOf(node, "href") ?? "") : "";
  const name = STYLES[node.tagName];
  return [
    ...(name === undefined ? [] : [[name] as const]),
    ...(name !== "strong" && /font-weight\s*:\s*(?:bold|[6-9]00)/i.test(style) ? [["strong"] as const] : []),
    ...(name !== "emph" && /font-style\s*:\s*(?:italic|oblique)/i.test(style) ? [["emph"] as const] : []),
    ...(LINK.test(href) ? [["link", quoted(href)] as const] : []),
    ...(attributeOf(node, "dir") === "rtl" ? [["right-to-left"] as const] : []),
  ];
};

/** Links that lead somewhere from a PDF too. */
const LINK = /^(?:https?|mailto|tel|ftp):./i;

const addText = (value: string, run: Run, setting: Setting): void => {
  const text = value.replace(/[ \t\n\r\f]+/g, " ");
  const own = run.spaced && text.startsWith(" ") ? text.slice(1) : text;
  if (own !== "") {
    setting.tally.characters += own.length;
    run.code.push(quoted(setting.columns > BROKEN_COLUMNS ? breakable(own) : own));
    run.spaced = own.endsWith(" ");
  }
};

/** Columns of a table from which on words are broken anywhere, so that they do not run into each other. */
const BROKEN_COLUMNS = 6;

const breakable = (text: string): string => text.replace(/[^\s\u200b]{12}(?=[^\s\u200b])/gu, "$&\u200b");

type Special = (node: HtmlElement, run: Run, setting: Setting) => Promise<void> | void;

const addBreak: Special = (_, run) => {
  run.code.push("linebreak()");
  run.spaced = true;
};

const addFixed: Special = (node, run) => {
  const text = wordsOf(node).replace(/\s+/g, " ");
  run.code.push(`raw(${quoted(text)})`);
  run.spaced = false;
};

const addPicture: Special = async (node, run, { page, pictures, tally, columns }) => {
  const picture = await pictures.read(attributeOf(node, "src") ?? "");
  if (picture === undefined) {
    tally.lostPictures += 1;
    run.code.push(quoted(attributeOf(node, "alt") ?? ""));
    return;
  }
  const asked = Number.parseInt(attributeOf(node, "width") ?? "", 10) * 0.75;
  const wanted = asked > 0 ? asked : picture.width;
  const width = Math.max(1, Math.min(wanted, page.width / columns, (page.height * picture.width) / picture.height));
  run.code.push(
    `box(image("/${picture.name}", width: ${width.toFixed(2)}pt, alt: ${quoted(attributeOf(node, "alt") ?? "")}))`,
  );
  run.spaced = false;
};

const addCheck: Special = (node, run) => {
  run.code.push(`check(${attributeOf(node, "checked") !== undefined})`);
  run.spaced = true;
};

/** A reading of a character stands in brackets behind it. */
const addReading: Special = (node, run) => {
  run.code.push(quoted(`(${wordsOf(node)})`));
  run.spaced = false;
};

const SPECIAL: Readonly<Record<string, Special>> = {
  br: addBreak,
  img: addPicture,
  input: addCheck,
  rt: addReading,
  rp: () => {},
  wbr: (_, run) => void run.code.push(quoted("\u200b")),
  ...Object.fromEntries([...FIXED].map((name) => [name, addFixed])),
};

/** @returns the words below an element */
export const wordsOf = (node: HtmlElement): string =>
  node.childNodes
    .map((child) =>
      isText(child) ? child.value : isElement(child) ? (child.tagName === "br" ? "\n" : wordsOf(child)) : "",
    )
    .join("");
