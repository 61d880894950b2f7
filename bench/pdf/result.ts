/** The content of a document as far as it is scored: of a sample, or of a conversion's result. */
export interface Content {
  /** Paragraphs, cells or lines, in reading order. */
  readonly lines: readonly string[];
  readonly grids: readonly GridCells[];
  /** Words with their styles; empty if the format has none. */
  readonly words: readonly StyledWord[];
  /** Alternative texts of pictures, which hold the labels of drawings. */
  readonly labels?: readonly string[];
}

/** The cells of a table. A merged cell is listed once. */
export type GridCells = readonly GridCell[];

export interface GridCell {
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
  readonly text: string;
}

export interface StyledWord {
  readonly text: string;
  readonly bold: boolean;
  readonly italic: boolean;
  /** `rrggbb`. */
  readonly color: string;
  /** Points. */
  readonly size: number;
  readonly align: "start" | "center" | "end" | "justify";
}

/** Letters in other positions than their base form, marks of direction, soft hyphens and the like. */
const IGNORED = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
const SCRIPTS_WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]\p{M}*/gu;
/** A list mark at the start of a line: text in some formats, a property of the paragraph in others. */
const LIST_MARK = /^\s*(?:\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-z]|[ivx]{1,5})[.)]|[•‣◦▪●○■–—*·-])\s+/iu;

const normalized = (text: string): string => text.normalize("NFKC").replaceAll(IGNORED, "");

/** @returns the letters and digits of a cell, without spaces */
export const cellKey = (text: string): string => lettersOf(text).toLowerCase();

const lettersOf = (text: string): string => normalized(text).replaceAll(/[^\p{L}\p{M}\p{N}]/gu, "");

/** @returns words without punctuation; each character by itself in scripts without spaces */
export const wordsOf = (lines: readonly string[]): string[] =>
  lines.flatMap((line) =>
    normalized(line)
      .replace(LIST_MARK, "")
      .replaceAll(SCRIPTS_WITHOUT_SPACES, " $& ")
      .split(/\s+/u)
      .map(lettersOf)
      .filter(Boolean),
  );

/** @returns the lines with words that continue on the next line joined; hyphens within words are not compared */
export const joinHyphens = (lines: readonly string[]): string[] =>
  lines
    .join("\n")
    .replaceAll(/(?<=\p{L})[-\u2010\u00ad]\n(?=\p{L})/gu, "")
    .split("\n");

/** A style without the alignment, which belongs to the paragraph. */
export type Look = Omit<StyledWord, "text" | "align">;

/** @returns the words of a paragraph. A word has the style of its first letter */
export const styledWords = (
  runs: readonly { readonly text: string; readonly look: Look }[],
  align: StyledWord["align"],
): StyledWord[] => {
  const words: StyledWord[] = [];
  let [word, look]: [string, Look | undefined] = ["", undefined];
  const finish = (): void => {
    const text = lettersOf(word);
    if (text !== "" && look !== undefined) {
      words.push({ text, align, ...look });
    }
    [word, look] = ["", undefined];
  };
  for (const run of runs) {
    for (const part of run.text.split(/(\s+)/u)) {
      if (/^\s+$/u.test(part)) {
        finish();
      } else if (part !== "") {
        word += part;
        look ??= run.look;
      }
    }
  }
  finish();
  return words;
};
