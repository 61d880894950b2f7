import { clustered } from "../content/boxes.ts";
import type { PageContent, Word } from "../content/content.ts";
import { areaOf, around, type Box, median } from "../page/geometry.ts";
import type { Figure } from "./model.ts";
import { type Line, lineText, piecesOf, rowsOf } from "./rows.ts";
import { isInside } from "./strips.ts";

/** The figures of a page, and the words that are labels in drawings. */
export interface FoundFigures {
  /** In the flow of text. */
  readonly figures: readonly Figure[];
  /** Under the text or over it. */
  readonly floats: readonly Figure[];
  readonly labels: ReadonlySet<Word>;
}

/** Share of the page from which on a picture with text over it is a background. */
const BACKGROUND = 0.6;
/** Points between parts of one drawing. */
const NEAR = 4;
/** Points between drawings next to each other, and by which their edges differ, so that they are one picture. */
const NEXT_MAX = 6;
const LEVEL_MAX = 2;
/** Minimum sides of a drawing in points; smaller ones decorate text. */
const SIDE_MIN = 24;
const DRAWINGS_MAX = 2_000;
/** Share of a drawing that text covers, from which on it is text in a frame. */
const TEXT_COVER = 0.4;
const LABEL_CHARACTERS = 40;
/** Share of the lines in a chart that are its title and notes. */
const LONG_SHARE = 0.15;

/** @returns the pictures and drawings of a page */
export const figuresOf = (content: Omit<PageContent, "rules" | "fills">): FoundFigures => {
  const { words, turned, width, height, pictures, drawings, scanned } = content;
  const page = width * height;
  const labels = new Set<Word>();
  const [figures, floats]: [Figure[], Figure[]] = [[], []];
  const lines = drawings.length === 0 ? [] : rowsOf(words).flatMap((row) => piecesOf(row, row.size));
  const usual = median(words.map(({ size }) => size));
  const clusters = joinedAcross(clustered(drawings.slice(0, DRAWINGS_MAX), NEAR));
  const all = clusters.length > 1 ? [...lines, ...words] : [];
  const owners = new Map<Box, Box | undefined>(
    all.map((label) => [label, clusters.find((box) => isInside(label, box))]),
  );
  for (const drawn of clusters) {
    const isFree = (label: Box): boolean => (owners.get(label) ?? drawn) === drawn;
    const box = withScales(withLabels(drawn, lines.filter(isFree), usual), words.filter(isFree));
    const inner = words.filter((word) => isInside(word, box));
    if (Math.min(box.right - box.left, box.bottom - box.top) < SIDE_MIN || isFrame(box, inner, page)) {
      continue;
    }
    const sideways = turned.filter((word) => isInside(word, box));
    for (const word of [...inner, ...sideways]) {
      labels.add(word);
    }
    const text = [...rowsOf(inner).map(lineText), ...sideways.map((word) => word.text)].join("\n");
    figures.push({ kind: "figure", ...box, spaceBefore: 0, ...(text === "" ? {} : { text }) });
  }
  for (const [picture, area] of pictures.entries()) {
    const box = {
      left: Math.max(0, area.left),
      top: Math.max(0, area.top),
      right: Math.min(width, area.right),
      bottom: Math.min(height, area.bottom),
    };
    if (figures.some((figure) => isInside(box, figure)) || box.right <= box.left || box.bottom <= box.top) {
      continue;
    }
    const over = words.some((word) => isInside(word, box));
    const large = areaOf(box) > BACKGROUND * page && words.length > 0;
    const figure: Figure = { kind: "figure", ...box, picture, spaceBefore: 0 };
    (over || large || scanned ? floats : figures).push(figure);
  }
  return { figures, floats, labels };
};

/** @returns the drawings, with those next to each other and of one height as one: their pictures stay level */
const joinedAcross = (drawings: readonly Box[]): Box[] => {
  const joined: Box[] = [];
  for (const box of drawings.toSorted((one, other) => one.left - other.left)) {
    const at = joined.findIndex(
      ({ top, bottom, right }) =>
        Math.abs(top - box.top) < LEVEL_MAX && Math.abs(bottom - box.bottom) < LEVEL_MAX && box.left < right + NEXT_MAX,
    );
    const before = joined[at];
    before === undefined ? joined.push(box) : joined.splice(at, 1, around([before, box]));
  }
  return joined;
};

/** Characters of a line that may be a label at the edge of a drawing. */
const EDGE_CHARACTERS_MAX = 20;
/** Letters of labels next to a drawing, in sizes of the page's usual letters, and their distance in their own size. */
const LABEL_SIZE_MAX = 0.8;
const LABEL_NEAR = 2;

/** @returns a drawing with the short lines across its left and right edge, and those in small letters next to it */
const withLabels = (box: Box, lines: readonly Line[], usual: number): Box => {
  const isLabel = (line: Line): boolean => {
    const near = line.size < LABEL_SIZE_MAX * usual ? LABEL_NEAR * line.size : 0;
    return (
      line.left < box.right + near &&
      line.right > box.left - near &&
      line.top > box.top - near &&
      line.bottom < box.bottom + near &&
      lineText(line).length <= EDGE_CHARACTERS_MAX
    );
  };
  return around([box, ...lines.filter(isLabel)]);
};

/** Numbers from which on a row or column of them is the scale of a chart, and their maximum distance in letter sizes. */
const SCALE_MIN = 3;
const SCALE_NEAR = 2.5;
const NUMBER = /^[-+]?\d+(?:\.\d+)?%?$/u;

/** @returns a drawing with the numbers along its lower and left edge */
const withScales = (box: Box, words: readonly Word[]): Box => {
  const { left, right, bottom, top } = box;
  const near = words.filter(
    ({ text, size, baseline, ...word }) =>
      NUMBER.test(text) &&
      word.right > left - SCALE_NEAR * size &&
      word.right < right + SCALE_NEAR * size &&
      baseline > top - size &&
      baseline < bottom + SCALE_NEAR * size,
  );
  const below = rowsOf(near.filter(({ baseline }) => baseline > bottom)).map((row) => row.words);
  const isAside = ({ right: end, baseline, size }: Word) => end < left + size && baseline < bottom + 0.5 * size;
  const aside = near.filter(isAside).toSorted((one, other) => one.top - other.top);
  return around([box, ...[...below, aside].filter(isScale).flat()]);
};

/** Share of a step by which it may differ from the others. */
const STEP_SLACK = 0.01;

/** @returns whether the numbers have equal differences */
const isScale = (words: readonly Word[]): boolean => {
  const values = words.map(({ text }) => Number.parseFloat(text));
  const step = (values[1] ?? 0) - (values[0] ?? 0);
  const isStep = (value: number, index: number) =>
    Math.abs(value - (values[index] ?? 0) - step) <= STEP_SLACK * Math.abs(step);
  return words.length >= SCALE_MIN && step !== 0 && values.slice(1).every(isStep);
};

/** @returns whether a drawing is a frame or background of running text rather than a picture with labels */
const isFrame = (box: Box, words: readonly Word[], page: number): boolean => {
  const rows = rowsOf(words).flatMap((row) => piecesOf(row, row.size));
  const long = rows.filter((row) => lineText(row).length > LABEL_CHARACTERS && row.words.length > 5).length;
  const covered = words.reduce((sum, word) => sum + (word.right - word.left) * word.size, 0);
  return (
    (long > 2 && long > LONG_SHARE * rows.length) ||
    long * 2 > rows.length ||
    covered > TEXT_COVER * areaOf(box) ||
    (areaOf(box) > BACKGROUND * page && words.length > 0)
  );
};
