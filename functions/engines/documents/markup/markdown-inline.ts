import { TEXT_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { attributeOf, type HtmlElement, type HtmlNode, isElement, isText, textBelow } from "../html/tree.ts";

/** Writes formatted text, links and pictures. */
export interface Inline {
  /**
   * @returns the text of a paragraph, with the start of each line escaped so that Markdown does not read it as a block
   */
  paragraph(nodes: readonly HtmlNode[]): string;
  /** @returns the text on one line */
  line(nodes: readonly HtmlNode[]): string;
  /** @returns the text for a table cell */
  cell(nodes: readonly HtmlNode[]): string;
  /** @throws JobError `output_too_large` when the indented text, counted at every level, exceeds the limit */
  spend(characters: number): void;
  /** @returns the definitions of the pictures referenced so far */
  definitions(): string;
}

/** @param notes identifiers of the notes in the document, to which links become references */
export const inlineWriter = (notes: ReadonlySet<string> = new Set()): Inline => {
  const pictures = new Map<string, string>();
  let spent = 0;
  const write = (nodes: readonly HtmlNode[]): string => spaced(wordsOf(nodes, { pictures, notes, open: [] }));
  return {
    paragraph: (nodes) => write(nodes).replace(BLOCK_BEGINS, "$1\\$2"),
    line: (nodes) =>
      write(nodes)
        .replace(/ {2}\n|\n/g, " ")
        .replace(/(?<!#)(#+)$/, "\\$1"),
    cell: (nodes) =>
      write(nodes)
        .replace(/ {2}\n|\n/g, "<br>")
        .replace(/(?<!\\)\|/g, "\\|"),
    spend: (characters) => {
      spent += characters;
      if (spent > 2 * TEXT_BYTES_MAX) {
        throw new JobError(
          "output_too_large",
          "The Markdown would be too large: quotes or lists are nested too deeply.",
        );
      }
    },
    definitions: () => [...pictures].map(([source, name]) => `[${name}]: ${source}`).join("\n"),
  };
};

/** Characters that start a block at the beginning of a line: a heading, a quote, a list item, a rule. */
const BLOCK_BEGINS = /^((?:\d{1,9})?)([#>+=-](?=[\s=-]|$)|#{1,6}(?=\s|$)|>|~{3}|[.)](?=\s|$))/gm;

interface State {
  /** Names of the embedded pictures, by `data:` URI. */
  readonly pictures: Map<string, string>;
  readonly notes: ReadonlySet<string>;
  /** Open marks: a mark is never nested in itself. */
  readonly open: readonly string[];
}

/** Removes spaces at line ends and around the text, and collapses spaces between words. */
const spaced = (text: string): string =>
  text
    .replace(/ {2,}(?!\n)/g, " ")
    .replace(/\n +/g, "\n")
    .replace(/^[ \n]+/, "")
    .trimEnd();

const wordsOf = (nodes: readonly HtmlNode[], state: State): string =>
  nodes
    .map((node) => {
      if (isText(node)) {
        return escaped(node.value.replace(/[\s\u200b]+/g, (space) => (space.includes("\u00a0") ? space : " ")));
      }
      return isElement(node) ? elementText(node, state) : "";
    })
    .join("");

const elementText = (element: HtmlElement, state: State): string => {
  const mark = MARKS[element.tagName];
  if (mark !== undefined) {
    const inside = wordsOf(element.childNodes, { ...state, open: [...state.open, mark] });
    return state.open.includes(mark) ? inside : wrapped(inside, mark, mark);
  }
  if (element.tagName === "sup" && isNoteMark(element, state)) {
    return wordsOf(element.childNodes, state);
  }
  if (TAGS.has(element.tagName)) {
    return wrapped(wordsOf(element.childNodes, state), `<${element.tagName}>`, `</${element.tagName}>`);
  }
  return writers[element.tagName]?.(element, state) ?? wordsOf(element.childNodes, state);
};

const MARKS: Readonly<Record<string, string>> = {
  b: "**",
  strong: "**",
  i: "*",
  em: "*",
  cite: "*",
  del: "~~",
  s: "~~",
  strike: "~~",
};

/** Formatting without a Markdown equivalent, for which HTML is used. */
const TAGS = new Set(["ins", "mark", "sub", "sup", "u"]);

/** Markdown does not allow spaces between a mark and its text. */
const wrapped = (inside: string, open: string, close: string): string => {
  const words = inside.trim();
  if (words === "") {
    return inside === "" ? "" : " ";
  }
  return `${/^\s/.test(inside) ? " " : ""}${open}${words}${close}${/\s$/.test(inside) ? " " : ""}`;
};

const code = (element: HtmlElement): string => {
  const text = textBelow(element).replace(/\s+/g, " ");
  if (text.trim() === "") {
    return text;
  }
  const ticks = "`".repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)));
  const space = /^`|`$/.test(text) ? " " : "";
  return `${ticks}${space}${text}${space}${ticks}`;
};

const link = (element: HtmlElement, state: State): string => {
  const href = attributeOf(element, "href");
  const note = href?.startsWith("#") ? href.slice(1) : "";
  if (state.notes.has(note) || state.notes.has(note.replace(/^ref-/, "note-"))) {
    return state.notes.has(note) ? `[^${note.replace(/^note-/, "")}]` : "";
  }
  const inside = wordsOf(element.childNodes, state);
  if (href === undefined || href === "" || inside.trim() === "" || state.open.includes("](")) {
    return inside;
  }
  const words = wordsOf(element.childNodes, { ...state, open: [...state.open, "]("] });
  const bare = /^https?:/i.test(href) && textBelow(element).trim() === href && !/[<>\s]/.test(href);
  return bare ? `<${href}>` : wrapped(words.replace(/(?<!\s)\s*\n\s*/g, " "), "[", `](${addressOf(href)})`);
};

/** Whether the element contains only the reference to a note, which Markdown raises itself. */
const isNoteMark = ({ childNodes: [child, ...others] }: HtmlElement, { notes }: State): boolean =>
  child !== undefined &&
  isElement(child) &&
  others.length === 0 &&
  notes.has((attributeOf(child, "href") ?? "").slice(1));

const addressOf = (address: string): string => {
  const plain = address.replace(/[\s<>]/g, encodeURIComponent);
  return /[()]/.test(plain) ? `<${plain}>` : plain;
};

const picture = (element: HtmlElement, { pictures }: State): string => {
  const source = attributeOf(element, "src") ?? "";
  const words = escaped((attributeOf(element, "alt") ?? "").replace(/\s+/g, " "));
  if (!source.startsWith("data:")) {
    return source === "" ? words : `![${words}](${addressOf(source)})`;
  }
  const data = source.replace(/\s+/g, "");
  const name = pictures.get(data) ?? `picture-${pictures.size + 1}`;
  pictures.set(data, name);
  return `![${words}][${name}]`;
};

/** @returns the TeX of a formula between dollar signs, if it is known; undefined otherwise */
export const formulaSource = (math: HtmlElement): string | undefined => {
  const tex = attributeOf(math, "alttext")?.trim();
  const mark = attributeOf(math, "display") === "block" ? "$$" : "$";
  return tex ? `${mark}${tex}${mark}` : undefined;
};

const writers: Readonly<Record<string, (element: HtmlElement, state: State) => string>> = {
  math: (element, state) => formulaSource(element) ?? wordsOf(element.childNodes, state),
  a: link,
  br: () => "  \n",
  code,
  img: picture,
  input: (element) => `[${attributeOf(element, "checked") === undefined ? " " : "x"}] `,
  kbd: code,
  samp: code,
  tt: code,
};

/** Characters that Markdown would read as marks, links, HTML or entities; an underscore within a word is literal. */
const MARKUP =
  /[\\`*[\]]|<(?=[a-z/!?])|~(?=~)|&(?=#?\w{1,31};)|(?<![\p{L}\p{N}_])_(?=[^\s_])|(?<=[^\s_])_(?![\p{L}\p{N}_])|!$/giu;

const escaped = (text: string): string => text.replace(MARKUP, "\\$&");
