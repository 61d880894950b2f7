import { DARK, type GrayPicture } from "./skew.ts";

/** A straight line in a picture: pixels. */
export interface PixelLine {
  /** Whether it is horizontal; otherwise vertical. */
  readonly across: boolean;
  /** Its middle: from the top if horizontal, otherwise from the left. */
  readonly at: number;
  /** Start and end in the other direction. */
  readonly from: number;
  readonly to: number;
  readonly width: number;
}

/** Lengths in inches: strokes of letters are shorter than a line, or wider. */
const LENGTH_MIN = 0.33;
const RUN_MIN = 0.12;
const WIDTH_MAX = 0.04;
/** Pixels of white within a line: dirt and faint print. */
const GAP_MAX = 3;
/** Share of the pixels at both sides of a line that are white: the serifs of a row of letters can form a line. */
const WHITE_MIN = 0.7;
const LINES_MAX = 2_500;

/** A band of runs in consecutive rows. */
interface Band {
  from: number;
  to: number;
  first: number;
  last: number;
  pixels: number;
  readonly runs: [row: number, from: number, to: number][];
}

/**
 * Finds the horizontal and vertical lines of a straightened picture by the lengths of its dark runs, and removes them from
 * the picture: text recognition reads the borders of a table as letters.
 *
 * @returns the lines, and the picture without them
 */
export const withoutLines = (
  picture: GrayPicture,
  dpi: number,
): { readonly lines: readonly PixelLine[]; readonly picture: GrayPicture } => {
  const data = Uint8Array.from(picture.data);
  const lines = [true, false].flatMap((across) => {
    const view = viewOf(picture, across);
    const found = bandsIn(view, dpi).filter((band) => isLine(view, band, dpi));
    for (const { runs } of found) {
      erase(data, view, runs);
    }
    return found.map((band) => lineOf(band, across));
  });
  return { lines: lines.slice(0, LINES_MAX), picture: { ...picture, data } };
};

/** The rows of a picture, or its columns as if they were rows. */
interface View {
  readonly rows: number;
  readonly length: number;
  place(row: number, at: number): number;
  isDark(row: number, at: number): boolean;
}

const viewOf = ({ data, width, height }: GrayPicture, across: boolean): View => {
  const place: View["place"] = across ? (row, at) => row * width + at : (row, at) => at * width + row;
  return {
    rows: across ? height : width,
    length: across ? width : height,
    place,
    isDark: (row, at) => (data[place(row, at)] ?? 255) < DARK,
  };
};

const bandsIn = (view: View, dpi: number): Band[] => {
  const done: Band[] = [];
  let open: Band[] = [];
  for (let row = 0; row < view.rows; row += 1) {
    for (const [from, to] of runsIn(view, row, RUN_MIN * dpi)) {
      const band = open.find((other) => from <= other.to + GAP_MAX && to >= other.from - GAP_MAX);
      if (band === undefined) {
        open.push({ from, to, first: row, last: row, pixels: to - from, runs: [[row, from, to]] });
      } else {
        Object.assign(band, { from: Math.min(from, band.from), to: Math.max(to, band.to), last: row });
        band.pixels += to - from;
        band.runs.push([row, from, to]);
      }
    }
    done.push(...open.filter(({ last }) => last < row - 1));
    open = open.filter(({ last }) => last >= row - 1);
  }
  return [...done, ...open];
};

/** @returns start and end of the dark runs of a row that are long enough */
const runsIn = (view: View, row: number, lengthMin: number): [number, number][] => {
  const runs: [number, number][] = [];
  let [from, end] = [-1, -1];
  const close = (): void => {
    if (from >= 0 && end - from >= lengthMin) {
      runs.push([from, end]);
    }
  };
  for (let at = 0; at < view.length; at += 1) {
    if (view.isDark(row, at)) {
      if (from < 0 || at - end > GAP_MAX) {
        close();
        from = at;
      }
      end = at + 1;
    }
  }
  close();
  return runs;
};

/** A line is long, thin, and has white on both sides. */
const isLine = (view: View, { from, to, first, last, pixels }: Band, dpi: number): boolean => {
  const length = to - from;
  const thickness = pixels / length;
  const isStraight = last - first + 1 <= thickness + 3 + length / 100;
  return (
    length >= LENGTH_MIN * dpi &&
    thickness <= WIDTH_MAX * dpi &&
    isStraight &&
    whiteIn(view, first - 3, from, to) >= WHITE_MIN &&
    whiteIn(view, last + 3, from, to) >= WHITE_MIN
  );
};

const whiteIn = (view: View, row: number, from: number, to: number): number => {
  if (row < 0 || row >= view.rows) {
    return 1;
  }
  let white = 0;
  for (let at = from; at < to; at += 1) {
    white += view.isDark(row, at) ? 0 : 1;
  }
  return white / (to - from);
};

/** The pixels next to a line are gray. */
const EDGE = 2;

const erase = (data: Uint8Array, view: View, runs: Band["runs"]): void => {
  for (const [row, from, to] of runs) {
    for (let near = Math.max(0, row - EDGE); near <= Math.min(view.rows - 1, row + EDGE); near += 1) {
      for (let at = Math.max(0, from - EDGE); at < Math.min(view.length, to + EDGE); at += 1) {
        data[view.place(near, at)] = 255;
      }
    }
  }
};

const lineOf = ({ from, to, first, last, pixels }: Band, across: boolean): PixelLine => ({
  across,
  at: (first + last + 1) / 2,
  from,
  to,
  width: Math.max(1, pixels / (to - from)),
});
