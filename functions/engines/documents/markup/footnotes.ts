import type { MarkdownIt, StateBlock, StateInline, Token } from "markdown-it";

/**
 * Footnotes as in GitHub's Markdown: `[^name]` in the text, and `[^name]: text` as a block whose further lines are
 * indented by four columns. Notes are numbered in the order of their references. Our HTML of PDFs has the same form.
 */
export interface Footnotes {
  /** @returns the tokens with all notes at the end, and notes without a reference last */
  atEnd(tokens: readonly Token[]): Token[];
}

const NOTE_BEGINS = /\[\^([^\]\s]{1,100})\]:[ \t]*/y;
const REFERENCE = /\[\^([^\]\s]{1,100})\]/y;

const [OPEN, CLOSE] = ["footnote_open", "footnote_close"];

/** Columns that a note's further lines are indented by. */
const INDENT = 4;

/** Teaches the parser to read footnotes; a parser is for one document. */
export const readFootnotes = (parser: MarkdownIt): Footnotes => {
  const defined = new Set<string>();
  const numbers = new Map<string, number>();
  parser.block.ruler.before("reference", "footnote", (...given) => readNote(defined, ...given), {
    alt: ["paragraph", "reference"],
  });
  parser.inline.ruler.before("link", "footnote", (state, silent) => {
    REFERENCE.lastIndex = state.pos;
    const [text = "", name = ""] = REFERENCE.exec(state.src) ?? [];
    if (!defined.has(name) || state.pos + text.length > state.posMax) {
      return false;
    }
    if (!silent) {
      addReference(state, name, numbers);
    }
    state.pos += text.length;
    return true;
  });
  return { atEnd: (tokens) => notesAtEnd(tokens, numbers) };
};

/** The first reference is where the note leads back to. */
const addReference = (state: StateInline, name: string, numbers: Map<string, number>): void => {
  const known = numbers.get(name);
  const number = known ?? numbers.size + 1;
  numbers.set(name, number);
  const id = known === undefined ? ` id="ref-${number}"` : "";
  state.push("html_inline", "", 0).content = `<sup><a${id} href="#note-${number}">${number}</a></sup>`;
};

const readNote = (defined: Set<string>, state: StateBlock, start: number, end: number, silent: boolean): boolean => {
  const [bMark = 0, shift = 0, indent = 0] = [state.bMarks[start], state.tShift[start], state.sCount[start]];
  NOTE_BEGINS.lastIndex = bMark + shift;
  const [mark = "", name = ""] = NOTE_BEGINS.exec(state.src) ?? [];
  if (mark === "" || indent - state.blkIndent >= INDENT) {
    return false;
  }
  if (silent) {
    return true;
  }
  defined.add(name);
  state.push(OPEN, "", 1).info = name;
  const outer = { parentType: state.parentType, blkIndent: state.blkIndent };
  // The first line begins after the mark, as if it had the indentation of the others.
  state.bMarks[start] = bMark + shift + mark.length;
  state.tShift[start] = 0;
  state.blkIndent += INDENT;
  state.sCount[start] = state.blkIndent;
  state.parentType = "footnote";
  state.md.block.tokenize(state, start, end);
  Object.assign(state, outer);
  [state.bMarks[start], state.tShift[start], state.sCount[start]] = [bMark, shift, indent];
  state.push(CLOSE, "", -1);
  return true;
};

interface Note {
  readonly name: string;
  readonly open: Token;
  readonly tokens: Token[];
}

const notesAtEnd = (tokens: readonly Token[], numbers: ReadonlyMap<string, number>): Token[] => {
  const text: Token[] = [];
  const notes = new Map<string, Note>();
  const open: Note[] = [];
  for (const token of tokens) {
    if (token.type === OPEN) {
      const note = { name: token.info, open: token, tokens: [] };
      open.push(note);
      // Of several notes with one name, the first counts.
      notes.set(note.name, notes.get(note.name) ?? note);
    } else if (token.type === CLOSE) {
      open.at(-1)?.tokens.push(token);
      open.pop();
    } else {
      (open.at(-1)?.tokens ?? text).push(token);
    }
  }
  const referred = [...numbers.keys()].flatMap((name) => notes.get(name) ?? []);
  const others = [...notes.values()].filter(({ name }) => !numbers.has(name));
  return [
    ...text,
    ...referred.flatMap((note, index) => placed(note, index + 1, `<a href="#ref-${index + 1}">${index + 1}</a> `)),
    ...others.flatMap((note, index) => placed(note, referred.length + index + 1, "")),
  ];
};

/** @param back the link to the reference, as HTML */
const placed = ({ open, tokens }: Note, number: number, back: string): Token[] => {
  const inline = tokens[0]?.type === "paragraph_open" ? tokens[1] : undefined;
  const own = inline?.children ?? undefined;
  open.type = "html_block";
  open.content = `<div class="footnote" id="note-${number}">\n${own === undefined && back !== "" ? `<p>${back}</p>\n` : ""}`;
  const close = tokens.at(-1);
  if (close !== undefined) {
    close.type = "html_block";
    close.content = "</div>\n";
  }
  if (inline !== undefined && own !== undefined && back !== "") {
    const link = Object.assign(Object.create(Object.getPrototypeOf(open)), open, {
      type: "html_inline",
      content: back,
    });
    inline.children = [link, ...own];
  }
  return [open, ...tokens];
};
