import type { MarkdownIt, StateBlock, StateInline, Token } from "markdown-it";

/**
 * Formulas in Markdown, as GitHub and pandoc read them: `$…$` and `` $`…`$ `` in a line, `$$…$$` and a fence named
 * `math` on their own.
 */

/** The type of a formula's token. Its content is TeX; {@link isDisplayed} says how it is set. */
const FORMULA = "formula";

/** Maximum characters of a formula; a page has about 4,000. */
const TEX_CHARACTERS_MAX = 10_000;

/** Teaches the parser to read formulas. */
export const readFormulas = (parser: MarkdownIt): void => {
  const far = new WeakMap<StateInline, Map<string, number>>();
  parser.inline.ruler.after("escape", FORMULA, (state, silent) => readInline(state, silent, far));
  const block = blockReader();
  parser.block.ruler.before("fence", FORMULA, block, { alt: ["paragraph", "reference", "blockquote", "list"] });
};

/** @returns the formulas of a document, in order; a fence named `math` becomes one */
export const formulasIn = (tokens: readonly Token[]): Token[] =>
  tokens.flatMap((token) => {
    if (token.type === "fence" && token.info.trim() === "math") {
      token.type = FORMULA;
      addFormula(token, token.content, DISPLAY);
    }
    return token.type === FORMULA ? [token] : (token.children ?? []).filter(({ type }) => type === FORMULA);
  });

const DISPLAY = "$$";

/** @returns whether the formula is set on its own line */
export const isDisplayed = ({ markup }: Token): boolean => markup === DISPLAY;

/** Opening marks and what closes them, longest first. */
const MARKS: readonly (readonly [open: string, close: string])[] = [
  [DISPLAY, DISPLAY],
  ["$`", "`$"],
  ["$", "$"],
];

/** @param far for each text and mark, where the next closing mark is, so that it is searched once */
const readInline = (state: StateInline, silent: boolean, far: WeakMap<StateInline, Map<string, number>>): boolean => {
  const { src, pos } = state;
  const [open, close] = MARKS.find(([mark]) => src.startsWith(mark, pos)) ?? [];
  if (open === undefined || close === undefined) {
    return false;
  }
  const known = far.get(state) ?? new Map<string, number>();
  far.set(state, known);
  const from = pos + open.length;
  const before = known.get(close) ?? -1;
  const end = before >= from ? before : closeOf(src, close, from);
  known.set(close, end);
  const tex = src.slice(from, Math.min(end, from + TEX_CHARACTERS_MAX + 1));
  if (end > state.posMax - close.length || tex.trim() === "" || tex.length > TEX_CHARACTERS_MAX) {
    return false;
  }
  if (open === "$" && !isInText(src[pos - 1] ?? " ", tex)) {
    return false;
  }
  if (!silent) {
    addFormula(state.push(FORMULA, "math", 0), tex, open === DISPLAY ? DISPLAY : "$");
  }
  state.pos = end + close.length;
  return true;
};

/** `$5 or $6` and `` $a `b$` `` have no formula: TeX stands next to its marks, and has neither code nor prices. */
const isInText = (before: string, tex: string): boolean => !/\w/.test(before) && !/^\s|`|(?<!\\)\$/.test(tex);

const addFormula = (token: Token, tex: string, markup: string): void => {
  token.content = tex.trim();
  token.markup = markup;
};

/** @returns the position of the next closing mark, which is not escaped; beyond the text if there is none */
const closeOf = (src: string, close: string, from: number): number => {
  for (let at = src.indexOf(close, from); at >= 0; at = src.indexOf(close, at + 1)) {
    const isClose = close === "$" ? /[^\s$]/.test(src[at - 1] ?? " ") && !/[\w$]/.test(src[at + 1] ?? "") : true;
    if (isClose && !isEscaped(src, at)) {
      return at;
    }
  }
  return Number.POSITIVE_INFINITY;
};

const isEscaped = (src: string, at: number): boolean => {
  let slashes = 0;
  while (src[at - slashes - 1] === "\\") {
    slashes += 1;
  }
  return slashes % 2 === 1;
};

/** @returns a rule for formulas that begin a line; a rule is for one document */
const blockReader = () => {
  /** The first line from which no formula ends, so that the rest of the document is searched once. */
  let endless = Number.POSITIVE_INFINITY;
  return (state: StateBlock, start: number, end: number, silent: boolean): boolean => {
    const lineAt = (line: number) =>
      state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]).trimEnd();
    const first = lineAt(start);
    if (!first.startsWith(DISPLAY) || (state.sCount[start] ?? 0) - state.blkIndent >= CODE_INDENT || start >= endless) {
      return false;
    }
    let last = start;
    if (!(first.length > 2 * DISPLAY.length && first.endsWith(DISPLAY))) {
      last += 1;
      while (last < end && (state.sCount[last] ?? 0) >= state.blkIndent && !lineAt(last).endsWith(DISPLAY)) {
        last += 1;
      }
    }
    if (last >= end || !lineAt(last).endsWith(DISPLAY)) {
      endless = last >= state.lineMax ? start : endless;
      return false;
    }
    const tex = state
      .getLines(start, last + 1, state.blkIndent, false)
      .trim()
      .slice(DISPLAY.length, -DISPLAY.length);
    if (tex.trim() === "" || tex.includes(DISPLAY) || tex.length > TEX_CHARACTERS_MAX) {
      return false;
    }
    if (!silent) {
      const token = state.push(FORMULA, "math", 0);
      token.block = true;
      token.map = [start, last + 1];
      addFormula(token, tex, DISPLAY);
      state.line = last + 1;
    }
    return true;
  };
};

/** Columns from which a line is code. */
const CODE_INDENT = 4;
