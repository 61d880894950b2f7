import { type Content, cellKey, type GridCells, joinHyphens, type StyledWord, wordsOf } from "./result.ts";

/** Scores from 0 to 1 of a result against the truth. */

/** @returns how many of the truth's keys were found */
const sharedCount = (truth: readonly string[], found: readonly string[]): number => {
  const left = new Map<string, number>();
  for (const key of truth) {
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  let shared = 0;
  for (const key of found) {
    const count = left.get(key) ?? 0;
    if (count > 0) {
      left.set(key, count - 1);
      shared += 1;
    }
  }
  return shared;
};

/** @returns the F1 score of two multisets; 1 if both are empty */
const f1 = (truth: readonly string[], found: readonly string[]): number =>
  truth.length + found.length === 0 ? 1 : (2 * sharedCount(truth, found)) / (truth.length + found.length);

const recall = (truth: readonly string[], found: readonly string[]): number =>
  sharedCount(truth, found) / Math.max(1, truth.length);

const RUN = 3;

/** @returns all runs of three words in document order */
const trigrams = (words: readonly string[]): string[] =>
  words.length < RUN
    ? [words.join(" ")].filter(Boolean)
    : words.slice(RUN - 1).map((_, index) => words.slice(index, index + RUN).join(" "));

/** The lines of a page in an order that may be right. */
export type PageLines = readonly string[];

/** More words with letters do not make a label. */
const LABEL_WORDS_MAX = 5;

/** @returns the lines without those whose words are all in the alternative texts of pictures: labels of a drawing */
const withoutLabels = (lines: PageLines, labels: readonly string[]): PageLines => {
  const left = Map.groupBy(wordsOf(labels), (word) => word);
  return lines.filter((line) => {
    const words = wordsOf([line]);
    const isLabel =
      words.filter((word) => /\p{L}/u.test(word)).length <= LABEL_WORDS_MAX &&
      words.every((word) => (left.get(word)?.length ?? 0) > 0);
    if (isLabel) {
      for (const word of words) {
        left.get(word)?.pop();
      }
    }
    return !isLabel;
  });
};

/**
 * The F1 score of all runs of three words. Each page is compared with its most similar order; a run that another order of
 * that page has is right, too: an order may be right for one part of a page, such as a table, and wrong for another.
 */
const orderScore = (orders: readonly (readonly PageLines[])[], { lines: found, labels = [] }: Content): number => {
  const known = trigrams(wordsOf(found));
  const pages = (orders[0] ?? []).map((_, page) => {
    const versions = orders.map((order) => {
      const lines = withoutLabels(order[page] ?? [], labels);
      const runs = trigrams(wordsOf(joinHyphens(lines)));
      return { lines, runs, score: recall(runs, known) };
    });
    return { versions, best: versions.reduce((best, one) => (one.score > best.score ? one : best)) };
  });
  const truth = trigrams(wordsOf(joinHyphens(pages.flatMap(({ best }) => best.lines))));
  const others = pages.flatMap(({ versions, best }) => {
    const all = versions.reduce<readonly string[]>((some, { runs }) => union(some, runs), best.runs);
    return all.slice(best.runs.length);
  });
  const shared = Math.min(truth.length, sharedCount([...truth, ...others], known));
  return truth.length + known.length === 0 ? 1 : (2 * shared) / (truth.length + known.length);
};

/** @returns the first keys, then those of the second that they do not have */
const union = (first: readonly string[], second: readonly string[]): readonly string[] => {
  const left = Map.groupBy(first, (key) => key);
  return [...first, ...second.filter((key) => left.get(key)?.pop() === undefined)];
};

/**
 * Neighbors of each cell with text: the next cell with text to the right and below, as in the ICDAR 2013 table
 * competition.
 */
export const relations = (cells: GridCells): string[] => {
  const places = new Map<string, number>();
  for (const [index, { row, column, rows, columns }] of cells.entries()) {
    for (let y = row; y < row + rows; y += 1) {
      for (let x = column; x < column + columns; x += 1) {
        places.set(`${y} ${x}`, index);
      }
    }
  }
  const keys = cells.map(({ text }) => cellKey(text));
  const height = Math.max(0, ...cells.map(({ row, rows }) => row + rows));
  const width = Math.max(0, ...cells.map(({ column, columns }) => column + columns));
  const next = (index: number, y: number, x: number, [down, right]: readonly [number, number]): number | undefined => {
    for (let at = 1; y + at * down < height && x + at * right < width; at += 1) {
      const other = places.get(`${y + at * down} ${x + at * right}`);
      if (other !== undefined && other !== index && keys[other] !== "") {
        return other;
      }
    }
    return undefined;
  };
  const pairs = new Set<string>();
  for (const [place, index] of places) {
    const [y = 0, x = 0] = place.split(" ").map(Number);
    for (const [direction, step] of [
      ["right", [0, 1]],
      ["below", [1, 0]],
    ] as const) {
      const other = keys[index] === "" ? undefined : next(index, y, x, step);
      if (other !== undefined) {
        pairs.add(`${index} ${direction} ${other}`);
      }
    }
  }
  return [...pairs].map((pair) => {
    const [from = "", direction = "", to = ""] = pair.split(" ");
    return `${keys[Number(from)]} ${direction} ${keys[Number(to)]}`;
  });
};

/** @returns how many neighbors of cells agree, over all tables */
const cellScore = (truth: readonly GridCells[], found: readonly GridCells[]): number =>
  f1(truth.flatMap(relations), found.flatMap(relations));

const sharesNeighbors = (truth: readonly GridCells[], cells: GridCells): boolean => {
  const known = new Set(truth.flatMap(relations));
  return relations(cells).some((relation) => known.has(relation));
};

/** @returns the number of tables of at least two columns that share no neighbors with a true one */
const falseTables = (truth: readonly GridCells[], found: readonly GridCells[]): number => {
  const texts = new Set(truth.flat().map(({ text }) => cellKey(text)));
  return found.filter((cells) => {
    const filled = cells.filter(({ text }) => cellKey(text) !== "");
    const columns = new Set(filled.map(({ column }) => column));
    const isPart = filled.every(({ text }) => texts.has(cellKey(text)));
    return columns.size > 1 && !isPart && !sharesNeighbors(truth, cells);
  }).length;
};

const SIZE_TOLERANCE = 0.6;
const WORDS_MAX = 4_000;

/** Share of the truth's words that are found with this property. */
export interface StyleScore {
  readonly bold: number;
  readonly italic: number;
  readonly color: number;
  readonly size: number;
  readonly align: number;
  readonly mean: number;
}

const styleScore = (truth: readonly StyledWord[], found: readonly StyledWord[]): StyleScore | undefined => {
  if (truth.length === 0 || found.length === 0) {
    return undefined;
  }
  const pairs = aligned(truth.slice(0, WORDS_MAX), found.slice(0, WORDS_MAX));
  const share = (same: (one: StyledWord, other: StyledWord) => boolean) =>
    pairs.filter(([one, other]) => same(one, other)).length / Math.min(truth.length, WORDS_MAX);
  const parts = {
    bold: share((one, other) => one.bold === other.bold),
    italic: share((one, other) => one.italic === other.italic),
    color: share((one, other) => one.color === other.color),
    size: share((one, other) => Math.abs(one.size - other.size) <= SIZE_TOLERANCE),
    align: share((one, other) => one.align === other.align),
  };
  const values = Object.values(parts);
  return { ...parts, mean: values.reduce((sum, value) => sum + value, 0) / values.length };
};

/** @returns the pairs of a longest common subsequence of words */
const aligned = (truth: readonly StyledWord[], found: readonly StyledWord[]): [StyledWord, StyledWord][] => {
  const width = found.length + 1;
  const lengths = new Uint16Array((truth.length + 1) * width);
  const at = (y: number, x: number): number => lengths[y * width + x] ?? 0;
  for (let y = truth.length - 1; y >= 0; y -= 1) {
    for (let x = found.length - 1; x >= 0; x -= 1) {
      const same = truth[y]?.text === found[x]?.text;
      lengths[y * width + x] = same ? at(y + 1, x + 1) + 1 : Math.max(at(y + 1, x), at(y, x + 1));
    }
  }
  const pairs: [StyledWord, StyledWord][] = [];
  let [y, x] = [0, 0];
  while (y < truth.length && x < found.length) {
    const [one, other] = [truth[y], found[x]];
    if (one !== undefined && other !== undefined && one.text === other.text) {
      pairs.push([one, other]);
      y += 1;
      x += 1;
    } else if (at(y + 1, x) >= at(y, x + 1)) {
      y += 1;
    } else {
      x += 1;
    }
  }
  return pairs;
};

/** Scores of one result. Undefined: unknown for this format or document. */
export interface Score {
  readonly order?: number | undefined;
  readonly cells?: number | undefined;
  readonly falseTables?: number | undefined;
  readonly style?: StyleScore | undefined;
}

/** What is known about a document. */
export interface Truth {
  /** Text in reading order, page by page; several versions if more than one order is right. */
  readonly orders: readonly (readonly PageLines[])[];
  /** All tables of the document, if they are known. */
  readonly grids?: readonly GridCells[] | undefined;
  /** Whether there may be more tables. */
  readonly partial?: boolean;
  readonly words: readonly StyledWord[];
}

export const scoreOf = ({ orders, grids, partial = false, words }: Truth, found: Content): Score => {
  const compared = partial ? found.grids.filter((cells) => sharesNeighbors(grids ?? [], cells)) : found.grids;
  return {
    order: orders.length === 0 ? undefined : orderScore(orders, found),
    cells: grids === undefined || grids.length === 0 ? undefined : cellScore(grids, compared),
    falseTables: grids === undefined || partial ? undefined : falseTables(grids, found.grids),
    style: styleScore(words, found.words),
  };
};
